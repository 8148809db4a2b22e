// The timeline as the window holds it: minimap, ruler, bookmarks, canvas with its scroll bar, search, legend.
#pragma once

#include <olab/trace/types.h>
#include <olab/view/view_data_ptr.h>

#include <QWidget>

namespace olab::ui {

class BookmarkDesk;
class BookmarkTools;
class ColourActions;
class Legend;
class Minimap;
class SearchBar;
class TimelineCanvas;
class ViewHistory;

class TimelineView final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    QSize minimumSizeHint() const override;      ///< of what stays when the window is low
    void refine(const view::ViewDataPtr& shown); ///< as TimelineCanvas does
    void openSearch();
    /// Of what is shown the account was found: shown like anything that opens with one, unless somebody has
    /// looked elsewhere.
    void accountFound();
    void iterationsChanged(); ///< of what is shown the repeating one was found
    TimelineCanvas& canvas() { return *m_canvas; }
    BookmarkDesk& desk() { return *m_desk; }
    BookmarkTools& bookmarks() { return *m_bookmarks; }
    ViewHistory& history() { return *m_history; }
    ColourActions& colourActions() { return *m_colourActions; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showOpening();
    void makeRoom();
    void tellGhosts();
    void tellColours();
    void tellIterations();
    TimelineCanvas* m_canvas;
    Minimap* m_minimap;
    QWidget* m_ruler;
    SearchBar* m_search;
    BookmarkDesk* m_desk;
    BookmarkTools* m_bookmarks;
    ViewHistory* m_history;
    Legend* m_legend;
    Interval m_opened{}; ///< what was shown at first
    ColourActions* m_colourActions;
};

} // namespace olab::ui
