// Bookmarks as flags with their numbers: the strip below the ruler, where the titles stand too, and marks on
// the minimap, which also shows what a search has found. A flag is known by its shape and number, its colour
// only says which one is in use.
#pragma once

#include "base/plain_text.h"
#include "timeline/bookmarks/bookmark_desk.h"

#include <olab/ui/timeline_canvas.h>

#include <QFont>
#include <QWidget>

#include <functional>

namespace olab::ui {

/// Where a bookmark is drawn, in pixels of the widget.
struct FlagPlace {
    std::size_t place = 0; ///< in the list; its number is one more
    int x = 0;             ///< of the pole
    int end = 0;           ///< where its time ends
    QRect flag;            ///< empty: another one covers it, only the pole is drawn
    QRect title;           ///< empty: no room
};

/// Where flags stand: on a strip from `left` to `right`. Lengths in pixels of the paint device.
struct FlagStrip {
    Interval visible;
    std::function<int(Ns)> toX; ///< where a time is
    int left = 0, right = 0, height = 0;
    double unit = 1; ///< pixels in a logical one
    int line = 1;
    QFont font;
    std::optional<std::size_t> inUse{};
};
/// Of those that lie in view, from left to right; titles end where the next flag begins.
std::vector<FlagPlace> placeFlags(const std::vector<io::Bookmark>& list, const FlagStrip& strip);
/// With the strip's upper left corner at (0, 0).
void paintFlags(QPainter& painter, const Theme& theme, const std::vector<io::Bookmark>& list,
                const FlagStrip& strip);
/// The pennant lies to the right of the pole, which it does not paint.
void paintFlag(QPainter& painter, const Theme& theme, const QRect& area, std::size_t number, bool inUse);
/// "3: why is this late? · 80 µs at 1.204 ms · GPU 0 compute", as HTML that is safe whatever the note is.
RichText bookmarkHint(const view::ViewData& shown, const io::Bookmark& bookmark, std::size_t number);

class BookmarkStrip final : public QWidget {
    Q_OBJECT
public:
    BookmarkStrip(TimelineCanvas& canvas, BookmarkDesk& desk, QWidget* parent);
    /// Of those that lie in view, from left to right.
    std::vector<FlagPlace> places() const;
    std::optional<std::size_t> at(QPoint point) const;
    QSize sizeHint() const override;

signals:
    void chosen(std::size_t place);
    void editRequested(std::size_t place);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    FlagStrip flags() const;
    TimelineCanvas& m_canvas;
    BookmarkDesk& m_desk;
};

} // namespace olab::ui
