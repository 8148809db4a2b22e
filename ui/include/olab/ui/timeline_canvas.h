// All lanes of a recording on one widget the size of the view, with its own vertical scroll offset. Columns
// go straight into an image (strip_painter.h) that is kept until the recording, the visible range, the size
// or the scroll offset changes; hover and selection are painted over it.
#pragma once

#include <olab/ui/gaps.h>
#include <olab/ui/shown.h>
#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>
#include <olab/ui/viewport.h>

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
class DrawnLanes;
class LaneOpener;
struct OpenedLane;
struct Place;
struct Row;
struct RowChoices;
struct RowDrag;
struct RowDrop;
struct RowLayout;

class TimelineCanvas final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineCanvas(QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    int gutter() const { return m_style.gutter(); } ///< width of the lane labels, logical pixels
    const ViewStyle& viewStyle() const { return m_style; }

    void setShown(ShownPtr shown);
    /// More is known of the same run: view, selection and rows stay.
    void refine(ShownPtr shown);
    const ShownPtr& shown() const { return m_shown; }
    /// In device pixels; its width is that of the lanes without the labels.
    const Viewport& viewport() const { return m_view; }
    void showRange(Interval range);
    void fit();
    void fitSelection();
    /// `x` in logical pixels of this widget.
    void zoomAt(int x, double factor);
    void panBy(int pixels);
    void setScroll(int y);
    int scroll() const { return m_scroll; }
    int contentHeight() const;
    /// What is folded, hidden, pinned, moved and resized: stays from one recording to the next.
    const RowChoices& rowChoices() const;
    void setRowChoices(RowChoices choices);

    /// What is drawn at a point of this widget, or nearest to it within a few pixels.
    std::optional<ActivityIndex> activityAt(QPoint point) const;
    /// Where an activity is drawn, in logical pixels of this widget: one rectangle per lane.
    std::vector<QRect> rectsOf(ActivityIndex index) const;
    void select(std::optional<ActivityIndex> index);
    std::optional<ActivityIndex> selected() const { return m_selected; }
    /// Selects the next (+1) or previous (-1) activity of the row.
    void step(int direction);
    /// Makes the activity fill a good part of the view.
    void zoomTo(ActivityIndex index);
    /// Moves the view, no more than it must, until the activity is seen.
    void bringIntoView(ActivityIndex index);
    /// Selects the op, outlines what held it and marks its wait, all of it in view, until something else is
    /// selected.
    void showPlace(const Place& place);
    const Place* place() const { return m_place.get(); }
    /// Selects it and outlines all activities of its class and name; says how many and how long.
    void selectAlike(ActivityIndex index);
    /// A range that is being drawn beside the canvas: shown over the lanes.
    void setBand(std::optional<Interval> band);

    /// An idle stretch of an engine lane: selected instead of an activity.
    void selectGap(std::optional<Gap> gap);
    const std::optional<Gap>& gap() const { return m_gap; }
    /// Selects the next (+1) or previous (-1) gap of the row, or of the first engine.
    void stepGap(int direction);
    /// Selects what the selected activity waited for longest (-1), or what began first of all that waited for
    /// it (+1).
    void follow(int direction);
    /// Arrows to and from the selected activity, as drawn: start and end, in pixels of this widget.
    std::vector<std::pair<Link, QLineF>> arrows() const;
    /// The next (+1) or previous (-1) row is the one that keys work on.
    void stepRow(int direction);
    LaneId row() const { return m_selectedLane; }
    /// Shows what each channel of an engine did beneath it, once that is found out, or no longer.
    void openRow(LaneId lane);
    /// The lanes that rows can show.
    /// Of the selected op what is outlined: all of it in view, or so much of it as can be told apart.
    std::vector<ActivityIndex> litInView() const;
    const DrawnLanes& drawnLanes() const { return *m_drawn; }
    /// Makes it the row that keys work on, and brings it into view.
    void chooseRow(LaneId lane);
    /// Folds or unfolds.
    void toggleGroup(const QString& group);
    const RowLayout& rows() const { return *m_rows; }
    /// Where a row or a range of time is, in pixels of this widget; it may lie outside.
    QRect rectOf(const Row& row) const;
    QRect rectOf(Interval time) const;
    /// Keeps a row at the top, or lets it go.
    void pinRow(LaneId lane);
    void hideRow(LaneId lane);
    /// Hidden rows and folded groups, too.
    void showAllRows();
    /// Up (-1) or down (+1) among the rows of its group that are seen.
    void moveRow(LaneId lane, int direction);
    /// Taller (+1), lower (-1), or as by default (0).
    void resizeRow(LaneId lane, int direction);
    /// All of them as by default.
    void resetRows();
    /// The range between the two rulers; nothing ends measuring.
    void measure(std::optional<Interval> range);
    const std::optional<Interval>& measured() const { return m_range; }
    /// What was touched last: this is what an inspector shows.
    enum class Picked : std::uint8_t { Activity, Gap, Range };
    Picked picked() const { return m_picked; }
    /// The numbers of the range, or what is selected, in words or as a table.
    QString pickedText(bool table = false) const;

signals:
    void viewportChanged();
    void scrollRangeChanged();
    void selectionChanged(); ///< of picked(), too
    void rowChanged();       ///< the one that keys work on
    void helpRequested();
    void searchRequested();
    void searchStepRequested(int direction);
    void searchForRequested(const QString& words);
    void bookmarkRequested(); ///< of what is picked

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
    struct HitLane;
    int device(int logical) const;
    int toColumn(int x) const;
    void relayout();
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
    std::vector<const Row*> rowsInView() const;
    void paintBadge(QPainter& painter) const;
    void updateHover(QPoint point);
    void setRow(LaneId lane);
    const Strip* stripAt(QPoint point) const;
    std::vector<QRect> rectsIn(const Strip& strip, ActivityIndex index) const;
    bool isSeen(const Row& row) const;
    void showTime(Interval time);
    QString textAt(QPoint point) const;
    LaneId laneInUse() const;
    // timeline_canvas_rows.cpp
    RowLayout chosenRows() const;
    std::vector<const Row*> besides(const Row& row) const;
    void placeRow(const Row& row, const Row& beside, bool after);
    const Row* rowEdgeAt(QPoint point) const;
    void takeRow(QPoint point);
    bool holdsRow() const;
    const Row* heldRow() const;
    void dragRow(QPoint point);
    std::optional<RowDrop> dropAt(const Row& row, int y) const;
    void dropRow();
    const Row& headOf(const Row& row) const;
    int endOf(const Row& row) const;
    void openChosen();
    void addOpened(const std::shared_ptr<const OpenedLane>& opened);
    void moveGroup(const QString& group, int direction);
    bool rowKey(QKeyEvent* event);
    bool rowShapeKey(QKeyEvent* event, const Row& row);
    void addRowActions(QMenu& menu, const Row& row);
    void addGroupActions(QMenu& menu, const QString& group);
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

    ShownPtr m_shown;
    std::unique_ptr<DrawnLanes> m_drawn; ///< null without a recording
    ViewStyle m_style;
    Viewport m_view;
    std::unique_ptr<RowChoices> m_choices;
    std::unique_ptr<RowLayout> m_rows;
    std::unique_ptr<RowDrag> m_rowDrag;
    std::unique_ptr<BarLabels> m_labels;
    int m_scroll = 0;
    QImage m_image;
    bool m_imageValid = false;
    bool m_headingsValid = false; ///< all of the image but what moves with the view
    std::optional<ActivityIndex> m_hover, m_selected;
    std::vector<ActivityIndex> m_lit; ///< the selected op in all its activities, by begin
    Ns m_litLongest = 0;              ///< of those
    std::vector<Link> m_links;        ///< of the selected activity
    bool m_showsLinks = true;
    std::unique_ptr<Place> m_place; ///< of the selected activity, when it was shown with its wait
    std::optional<Gap> m_gap;
    std::optional<Interval> m_range, m_band;
    Picked m_picked = Picked::Activity;
    LaneId m_selectedLane{kNoNumber};
    QPoint m_pressed, m_last;
    enum class Drag : std::uint8_t { None, View, Ruler, Row } m_drag{};
    QPointer<QMenu> m_menu;               ///< the last one that was asked for
    Ns m_anchor = 0;                      ///< the ruler that stays while the other one is dragged
    std::unique_ptr<LaneOpener> m_opener; ///< the last member: its threads call this
};

} // namespace olab
