// The ruler and the lanes of a picture, painted as shapes and text on any paint device. What each column
// shows is StripView's, as in the window.
#pragma once

#include "base/ledger_pieces.h"
#include "pictures/picture_lanes.h"
#include "timeline/canvas/canvas_marks.h"

#include <olab/ui/picture.h>
#include <olab/ui/strip_painter.h>
#include <olab/ui/theme.h>

#include <QFont>

class QPainter;
class QPainterPath;

namespace olab::ui {

class LaneFigure {
public:
    /// `width`: of names and lanes, logical pixels. Keeps references to `shown` and `request`.
    LaneFigure(const view::ViewData& shown, const PictureRequest& request, int width, const QFont& font);
    /// Width of the names and height of the ruler, logical pixels.
    static int gutterOf(const ViewStyle& style) { return style.scaled(128); }
    static int rulerHeightOf(const ViewStyle& style) { return style.scaled(24); }
    int height() const { return m_height; } ///< logical pixels
    /// In so many logical pixels from now on: rows become smaller, and those that tell least are left out.
    void fitInto(int height);
    const PictureLanes& lanes() const { return m_lanes; }
    bool isCut() const { return m_height < headHeight() + m_lanes.rows.height; } ///< not all of it fits
    const Interval visible() const { return m_columns.view.visible(); }
    void paint(QPainter& painter, QPoint at) const;
    /// Null: bars have the colours of their classes.
    const view::Colouring* colouring() const { return m_colouring.get(); }
    /// Event marks are drawn.
    bool hasEvents() const;
    /// Of the waits that are drawn, for the legend.
    std::vector<analysis::LossCause> waitCauses() const;

private:
    int px(int logical) const { return static_cast<int>(logical * m_ratio + 0.5); }
    int line() const { return px(m_style.line); }
    QFont sized(int logical, bool bold = false) const;
    void ruler(QPainter& painter) const;
    void flags(QPainter& painter) const;
    int headHeight() const { return rulerHeightOf(m_style) + flagsHeight(); }
    int flagsHeight() const { return m_hasFlags ? m_style.scaled(20) : 0; }
    void row(QPainter& painter, const Row& row) const;
    void name(QPainter& painter, const Row& row) const;
    void group(QPainter& painter, const Row& row) const;
    void ribbon(QPainter& painter, const Row& row) const;
    void lane(QPainter& painter, const Row& row) const;
    void value(QPainter& painter, const Row& row) const;
    void columns(QPainter& painter, const view::StripView& view, int foot, int tick) const;
    void bars(QPainter& painter, const view::StripView& view, int top, int height) const;
    /// Of one class and one colour.
    using Look = std::pair<ActivityClass, view::ColourNumber>;
    Look lookOf(ActivityIndex activity) const;
    void barsOf(QPainter& painter, const view::StripView& view, Look look, int top, int height) const;
    void labels(QPainter& painter, const view::StripView& view, int top, int height) const;
    void waits(QPainter& painter, const view::Strip& strip, const view::StripView& view, int y,
               int height) const;
    std::vector<SeenEvent> eventsOf(const Row& row) const;
    void pointAtShort(QPainter& painter, const view::StripView& view, int y) const;
    bool hasIdeal(const Row& row) const;
    void idealRun(QPainter& painter, const Row& row, GhostBand band) const;
    void grid(QPainter& painter) const;
    int left() const { return px(gutterOf(m_style)); }

    const view::ViewData& m_shown;
    const Theme& m_theme;
    ViewStyle m_style;
    double m_ratio;
    int m_width;
    QFont m_font;
    const PictureRequest& m_request;
    view::AccountPtr m_account; ///< null: nobody made one
    std::shared_ptr<const view::Colouring> m_colouring;
    view::ViewColumns m_columns;
    std::vector<view::EventMark> m_events;
    PictureLanes m_lanes;
    const std::vector<io::Bookmark>& m_bookmarks;
    bool m_hasFlags = false; ///< any of them lies in view
    int m_height = 0;
};

/// Null: bars have the colours of their classes.
std::shared_ptr<const view::Colouring> pictureColouring(const view::ViewData& shown,
                                                        const PictureRequest& request);

/// The sizes of a picture: by what is asked for, whatever the window uses.
ViewStyle pictureStyle(const PictureRequest& request);

} // namespace olab::ui
