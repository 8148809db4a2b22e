// The pages below the timeline, by a table: one row says all that the window knows of a page. Pages that
// belong together share a tab, and buttons at the right of the tabs choose among them. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QTabWidget>

#include <functional>
#include <string_view>
#include <vector>

class QStackedWidget;
class QToolButton;

namespace olab::ui {

struct Page {
    /// When `refine` is called.
    enum class News : std::uint8_t { Always, Judgement };
    const char* id = "";   ///< its object name; what showPage() and the command line take
    const char* also = ""; ///< another name that they take
    QString title;         ///< of its button
    QWidget* widget = nullptr;
    /// Another recording; null: none.
    std::function<void(const view::ViewDataPtr&)> show{};
    /// More is known of the same run: always, or where verdicts or findings are others now.
    std::function<void(const view::ViewDataPtr&)> refine{};
    News news = News::Judgement;
    bool atOnce = true; ///< false: it is there after the first present()
    /// Of present(), at that width; none: as high as the pages are.
    std::function<int(int wide)> wantedHeight{};
    std::function<void(std::string_view part)> bringIntoView{}; ///< of what it shows, by its id
};

class Pages final : public QTabWidget {
    Q_OBJECT
public:
    Pages();
    /// Behind the others of the tab with this title.
    void add(Page page, const QString& tab);
    void setShown(const view::ViewDataPtr& shown);
    void refine(const view::ViewDataPtr& after, bool judged);
    /// Brings it to the front. @returns false: there is no such page, or not yet
    bool open(const QString& id);
    /// The same of one that has something new: it is there from now on.
    void present(const char* id);
    QWidget& page(const char* id) const { return *find(QLatin1String(id))->page.widget; }
    /// It comes with what it has to say of the run that is shown, and goes with it.
    void offer(const char* id, bool has);
    bool offers(const char* id) const { return find(QLatin1String(id))->offered; }
    void setTitle(const char* id, const QString& title);
    /// Of the tab that it is in.
    void setTabTitle(const char* id, const QString& title);
    /// Nothing happens where it has no such part.
    void bringIntoView(const char* id, std::string_view part);

signals:
    void opening();            ///< who put them away brings them back
    void needsHeight(int all); ///< logical pixels, tabs and all
    void heightFree();         ///< the page in front needs no more than the others

private:
    struct Row {
        Page page;
        QStackedWidget* tab;
        QToolButton* button;
        bool offered;
    };
    QStackedWidget* tabOf(const QString& title);
    const Row* find(const QString& id) const; ///< null: none
    Row* find(const QString& id) { return const_cast<Row*>(std::as_const(*this).find(id)); }
    void arrange();
    void askForHeight();
    std::vector<Row> m_rows; ///< in the order of the tabs
};

} // namespace olab::ui
