// Over the minimap: the bookmarks as small flags, and a tick at the foot of each column in which a search has
// found something; the typical and the worst iteration. What is no flag is the minimap's own.
#pragma once

#include "timeline/bookmarks/bookmark_flags.h"

#include <olab/view/view_data.h>
#include <olab/view/viewport.h>

#include <QFont>
#include <QRect>
#include <QString>

#include <vector>

class QPainter;

namespace olab::ui {

struct Theme;
class SearchBar;

/// The typical and the worst iteration of a recording as two small boxes at the foot of the minimap, each
/// with a line as long as it takes. Known by their letters, not by a colour.
struct IterationFlag {
    Interval time;
    QString letter, hint;
    QRect line, box;
};
/// Of what is shown; none where no iteration was found. `whole` is the map of the minimap, whose lanes begin
/// at `left`.
std::vector<IterationFlag> iterationFlags(const view::ViewData& shown, const view::Viewport& whole, int left,
                                          QSize room, const QFont& font);
void paintIterationFlags(QPainter& painter, const Theme& theme, const std::vector<IterationFlag>& flags);

class MinimapMarks final : public QWidget {
    Q_OBJECT
public:
    /// A child of `minimap`, of its size.
    MinimapMarks(TimelineCanvas& canvas, BookmarkDesk& desk, SearchBar& search, QWidget& minimap);
    /// Columns of the whole run in which something was found, from the lanes' left edge on.
    const std::vector<bool>& foundColumns() const { return m_found; }
    std::optional<std::size_t> at(QPoint point) const; ///< a flag
    std::vector<IterationFlag> iterations() const;     ///< as they are drawn

signals:
    void chosen(std::size_t place);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    view::Viewport whole() const;
    QRect flagOf(std::size_t place, const view::Viewport& all) const;
    void markFound();
    TimelineCanvas& m_canvas;
    BookmarkDesk& m_desk;
    SearchBar& m_search;
    std::vector<bool> m_found;
    std::size_t m_marked = 0; ///< of the matches: each is looked at once
    int m_round = -1;         ///< of the search
    bool m_holdsFlag = false; ///< a press that is not the minimap's
};

} // namespace olab::ui
