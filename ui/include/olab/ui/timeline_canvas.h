// All lanes of a recording on one widget the size of the view, with its own vertical scroll offset. Columns
// go straight into an image (strip_painter.h) that is kept until the recording, the visible range, the size
// or the scroll offset changes; hover and selection are painted over it.
#pragma once

#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>
#include <olab/view/selection.h>
#include <olab/view/view_data.h>
#include <olab/view/viewport.h>

#include <QImage>
#include <QLineF>
#include <QMenu>
#include <QPointer>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QMenu;

namespace olab {

class BarLabels;
class TimelineRows;
enum class LaneKind : std::uint8_t;
struct Row;

class TimelineCanvas final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineCanvas(QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    int gutter() const { return m_style.gutter(); } ///< width of the lane labels, logical pixels
    const ViewStyle& viewStyle() const { return m_style; }

    void setShown(ViewDataPtr shown);
    /// More is known of the same run: view, selection and rows stay.
    void refine(ViewDataPtr shown);
    const ViewDataPtr& shown() const { return m_shown; }
    /// In device pixels; its width is that of the lanes without the labels.
    const Viewport& viewport() const { return m_view; }
    void showRange(Interval range);
    void fit();
    void fitSelection();
    /// `x` in logical pixels of this widget.
    void zoomAt(int x, double factor);
    void panBy(int pixels);
    /// What is drawn at a point of this widget, or nearest to it within a few pixels.
    std::optional<ActivityIndex> activityAt(QPoint point) const;
    /// Where an activity is drawn, in logical pixels of this widget: one rectangle per lane.
    std::vector<QRect> rectsOf(ActivityIndex index) const;
    void select(std::optional<ActivityIndex> index);
    const Selection& selection() const { return m_selection; }
    /// Selects the next (+1) or previous (-1) activity of the row.
    void step(int direction);
    /// Makes the activity fill a good part of the view.
    void zoomTo(ActivityIndex index);
    /// Moves the view, no more than it must, until the activity is seen.
    void bringIntoView(ActivityIndex index);
    /// Selects the op, outlines what held it and marks its wait, all of it in view, until something else is
    /// selected.
    void showPlace(const Place& place);
    /// Selects it and outlines all activities of its class and name; says how many and how long.
    void selectAlike(ActivityIndex index);
    /// A range that is being drawn beside the canvas: shown over the lanes.
    void setBand(std::optional<Interval> band);

    /// An idle stretch of an engine lane: selected instead of an activity.
    void selectGap(std::optional<Gap> gap);
    /// Selects the next (+1) or previous (-1) gap of the row, or of the first engine.
    void stepGap(int direction);
    /// Selects what the selected activity waited for longest (-1), or what began first of all that waited for
    /// it (+1).
    void follow(int direction);
    /// Arrows to and from the selected activity, as drawn: start and end, in pixels of this widget.
    std::vector<std::pair<Link, QLineF>> arrows() const;
    /// The rows: what a person chose of them, their layout, which is in use.
    TimelineRows& rows() { return *m_rows; }
    const TimelineRows& rows() const { return *m_rows; }
    /// Where a row or a range of time is, in pixels of this widget; it may lie outside.
    QRect rectOf(const Row& row) const;
    QRect rectOf(Interval time) const;
    /// Ghosts: the wait before each op of a stream in the look of its cause (G), the ideal run under the bars
    /// (Shift+G). Where there is no account, none.
    /// What stands here while nothing is shown; empty: what a person can do.
    void setEmptyText(const QString& text);
    QString emptyText() const;
    void setShowsWaits(bool on);
    bool showsWaits() const { return m_showsWaits && !m_keepsAnswer; }
    bool wantsWaits() const { return m_showsWaits; } ///< to be remembered
    /// A class is asked what a run shows: no waits until it was told, or somebody asks for them (G).
    void setKeepsAnswer(bool on);
    void setShowsIdeal(bool on);
    bool showsIdeal() const { return m_showsIdeal; }
    void accountChanged(); ///< of what is shown
    /// The wait that is drawn at a point of this widget.
    std::optional<ExplainedWait> waitAt(QPoint point) const;
    /// The range between the two rulers; nothing ends measuring.
    void measure(std::optional<Interval> range);

signals:
    void viewportChanged();
    void scrollRangeChanged();
    void selectionChanged(); ///< of picked(), too
    void rowChanged();       ///< the one that keys work on
    void ghostsChanged();    ///< which are shown, or what there is of them
    void helpRequested();
    void searchRequested();
    void searchStepRequested(int direction);
    void searchForRequested(const QString& words);
    void bookmarkRequested();   ///< of what is picked
    void experimentRequested(); ///< of what is between the rulers

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int device(int logical) const;
    int toColumn(int x) const;
    void relayout();
    void rowsChanged();
    void viewMoved();
    void render(QImage&& window);
    void paintEmpty(QPainter& painter) const;
    void paintOverlay(QPainter& painter) const;
    void paintArrows(QPainter& painter) const;
    std::optional<int> middleOf(ActivityIndex index, LaneKind wanted) const;
    void paintRange(QPainter& painter) const;
    void paintPlace(QPainter& painter) const;
    void paintBand(QPainter& painter) const;
    void outline(QPainter& painter, const QRect& rect, const QColor& colour) const;
    void paintShares(QPainter& painter, Interval range) const;
    int xOf(Ns time) const;
    void paintBadge(QPainter& painter) const;
    void updateHover(QPoint point);
    const Strip* stripAt(QPoint point) const;
    std::vector<QRect> rectsIn(const Strip& strip, ActivityIndex index) const;
    void showTime(Interval time);
    QString textAt(QPoint point) const;
    // timeline_canvas_menu.cpp
    QPoint pickForMenu(QContextMenuEvent& event);
    // timeline_canvas_places.cpp
    void showRowsOf(ActivityIndex first, ActivityIndex second);
    // timeline_canvas_input.cpp
    Ns snapped(QPoint point, bool snaps) const;
    std::optional<Ns> rulerNear(QPoint point) const;
    void click(QPoint point);
    bool viewKey(QKeyEvent* event);
    bool pickKey(QKeyEvent* event);
    void copyPicked(bool table);
    void toggleMeasuring();
    void moveRuler(bool first, int direction);
    void dragRow(QPoint point);
    bool ghostKey(QKeyEvent* event);
    bool rowKey(QKeyEvent* event);
    bool rowShapeKey(QKeyEvent* event, const Row& row);

    ViewDataPtr m_shown;
    ViewStyle m_style;
    Viewport m_view;
    TimelineRows* m_rows;
    Selection m_selection;
    std::unique_ptr<BarLabels> m_labels;
    QImage m_image;
    bool m_imageValid = false;
    bool m_headingsValid = false; ///< all of the image but what moves with the view
    std::optional<ActivityIndex> m_hover;
    std::optional<Interval> m_band;
    bool m_showsLinks = true, m_showsWaits = false, m_showsIdeal = false, m_keepsAnswer = false;
    QPoint m_pressed, m_last;
    enum class Drag : std::uint8_t { None, View, Ruler, Row } m_drag{};
    QPointer<QMenu> m_menu; ///< the last one that was asked for
    Ns m_anchor = 0;        ///< the ruler that stays while the other one is dragged
};

} // namespace olab
