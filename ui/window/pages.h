// The tabs below the timeline, by a table: one row says all that the window knows of a page. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QTabWidget>

#include <functional>
#include <string_view>
#include <vector>

namespace olab::ui {

struct Page {
    /// When `refine` is called.
    enum class News : std::uint8_t { Always, Judgement };
    const char* id = ""; ///< its object name; what showPage() and the command line take
    QString title;
    QWidget* widget = nullptr;
    /// Another recording; null: none.
    std::function<void(const view::ViewDataPtr&)> show{};
    /// More is known of the same run: always, or where verdicts or findings are others now.
    std::function<void(const view::ViewDataPtr&)> refine{};
    News news = News::Judgement;
    bool atOnce = true; ///< false: its tab is there after the first present()
    /// Of present(), at that width; none: as high as the pages are.
    std::function<int(int wide)> wantedHeight{};
    std::function<void(std::string_view part)> bringIntoView{}; ///< of what it shows, by its id
};

class Pages final : public QTabWidget {
    Q_OBJECT
public:
    Pages();
    void add(Page page);
    void setShown(const view::ViewDataPtr& shown);
    void refine(const view::ViewDataPtr& after, bool judged);
    /// Brings it to the front. @returns false: there is no such tab, or not yet
    bool open(const QString& id);
    /// The same of one that has something new: its tab is there from now on.
    void present(const char* id);
    QWidget& page(const char* id) const { return *widget(placeOf(QLatin1String(id))); }
    /// Its tab comes with what it has to say of the run that is shown, and goes with it.
    void offer(const char* id, bool has);
    void setTitle(const char* id, const QString& title);
    /// Nothing happens where it has no such part.
    void bringIntoView(const char* id, std::string_view part);

signals:
    void opening();            ///< who put them away brings them back
    void needsHeight(int all); ///< logical pixels, tabs and all
    void heightFree();         ///< the page in front needs no more than the others

private:
    void askForHeight(int place);
    int placeOf(const QString& id) const; ///< -1: none
    std::vector<Page> m_table;            ///< in the order of the tabs
};

} // namespace olab::ui
