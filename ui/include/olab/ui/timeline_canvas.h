// All lanes of a recording on one widget the size of the view, with its own vertical scroll offset. Columns
// go straight into an image (strip_painter.h) that is kept until the recording, the visible range, the size
// or the scroll offset changes; hover and selection are painted over it. Mouse and keys come from outside
// (timeline/input), as does what a screen reader finds.
#pragma once

#include <olab/analysis/loss_cause.h>
#include <olab/ui/theme.h>
#include <olab/view/account.h>
#include <olab/view/colouring.h>
#include <olab/view/selection.h>
#include <olab/view/timeline_index.h>
#include <olab/view/view_data_ptr.h>
#include <olab/view/viewport.h>

#include <QImage>
#include <QPoint>
#include <QRect>
#include <QRegion>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace olab::ui {

class TimelineCanvas;
struct Row;
class BarColouring;
class BarLabels;
class CanvasOverlay;
class TimelineRows;

/// Which ghosts a canvas shows: the wait before each op of a stream in the look of its cause (G), the ideal
/// run under the bars (Shift+G). Where there is no account of lost time, none. GUI thread.
class Ghosts {
public:
    explicit Ghosts(std::function<void()> changed);
    void setShowsWaits(bool on);
    bool showsWaits() const { return (m_waits && !m_keepsAnswer) || !m_only.empty(); }
    bool wantsWaits() const { return m_waits; } ///< to be remembered
    /// A class is asked what a run shows: no waits until it was told, or somebody asks for them (G).
    void setKeepsAnswer(bool on);
    void setShowsIdeal(bool on);
    bool showsIdeal() const { return m_ideal; }
    /// Waits of these causes alone are shown, even where waits are not; empty: all of them.
    void setOnly(std::vector<analysis::LossCause> causes);
    const std::vector<analysis::LossCause>& only() const { return m_only; }
    bool shows(analysis::LossCause cause) const;

private:
    std::function<void()> m_changed;
    bool m_waits = false, m_ideal = false, m_keepsAnswer = false;
    std::vector<analysis::LossCause> m_only;
};

/// Where things are drawn on the canvas, and what is drawn where. Logical pixels of the widget, but for
/// columns, which are device pixels of the lanes. Looks at the canvas each time and keeps nothing.
class CanvasMap {
public:
    explicit CanvasMap(const TimelineCanvas& canvas)
        : m_canvas(canvas) {}
    int device(int logical) const;
    int columnAt(int x) const;
    int xOf(Ns time) const;
    /// What is drawn at a point, or nearest to it within a few pixels.
    std::optional<ActivityIndex> activityAt(QPoint point) const;
    /// The wait that is drawn there.
    std::optional<analysis::ExplainedWait> waitAt(QPoint point) const;
    const view::Strip* stripAt(QPoint point) const; ///< null: none, or a value
    /// Where an activity is drawn: one rectangle per lane.
    std::vector<QRect> rectsOf(ActivityIndex index) const;
    /// Where a row or a range of time is; it may lie outside.
    QRect rectOf(const Row& row) const;
    QRect rectOf(Interval time) const;

private:
    std::vector<QRect> rectsIn(const view::Strip& strip, ActivityIndex index) const;
    const TimelineCanvas& m_canvas;
};

class TimelineCanvas final : public QWidget {
    Q_OBJECT
public:
    explicit TimelineCanvas(QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    int gutter() const { return m_style.gutter(); } ///< width of the lane labels, logical pixels
    /// Their width in usual type, within reason; none: as it is by itself. Not before a projector.
    void setNamesWidth(std::optional<int> names);
    std::optional<int> namesWidth() const { return m_names; }
    const ViewStyle& viewStyle() const { return m_style; }
    /// The rows: what a person chose of them, their layout, which is in use.
    TimelineRows& rows() const { return *m_rows; }
    Ghosts& ghosts() const { return *m_ghosts; }
    BarColouring& colours() const { return *m_colours; } ///< what bars are coloured by
    void setColourBy(view::ColourBy by);
    /// What waited for one of these, with its waits; all else is pale, until another run is shown. Empty:
    /// all.
    void emphasise(const std::vector<analysis::LossCause>& causes);
    CanvasOverlay& overlay() const { return *m_overlay; }
    /// Where things are drawn.
    CanvasMap map() const { return CanvasMap(*this); }

    void setShown(view::ViewDataPtr shown);
    /// More is known of the same run: view, selection and rows stay.
    void refine(view::ViewDataPtr shown);
    const view::ViewDataPtr& shown() const { return m_shown; }
    /// Of several canvases with one axis: what can be seen, and the time from which the grid counts; in place
    /// of the recording's own, until another one is shown.
    void setAxis(Interval limits, Ns zero);
    Ns zero() const;       ///< of the grid and the ruler
    void accountChanged(); ///< of what is shown

    /// In device pixels; its width is that of the lanes without the labels.
    const view::Viewport& viewport() const { return m_view; }
    void showRange(Interval range);
    void fit();
    /// `x` in logical pixels of this widget.
    void zoomAt(int x, double factor);
    void panBy(int pixels) { panByColumns(map().device(pixels)); }
    void panByColumns(int columns); ///< device pixels
    /// Where names are written on bars, logical pixels.
    QRegion names() const;
    /// Moves the view, no more than it must, until this time is seen.
    void showTime(Interval time);
    /// Makes the activity fill a good part of the view.
    void zoomTo(ActivityIndex index);
    /// Moves the view, no more than it must, until the activity is seen.
    void bringIntoView(ActivityIndex index);

    const view::Selection& selection() const { return m_selection; }
    void select(std::optional<ActivityIndex> index);
    /// An idle stretch of an engine lane: selected instead of an activity.
    void selectGap(std::optional<view::Gap> gap);
    /// Selects it and outlines all activities that count by its name; says how many and how long.
    void selectAlike(ActivityIndex index);
    /// Selects the longest of them and outlines all; by begin.
    void selectAll(std::vector<ActivityIndex> activities);
    /// Selects the op, outlines what held it and marks its wait, all of it in view, until something else is
    /// selected.
    void showPlace(const view::Place& place);
    /// The range between the two rulers; nothing ends measuring.
    void measure(std::optional<Interval> range);

signals:
    void viewportChanged();
    void scrollRangeChanged();
    void selectionChanged(); ///< of picked(), too
    void rowChanged();       ///< the one that keys work on
    void ghostsChanged();    ///< which are shown, or what there is of them
    void coloursChanged();   ///< what bars are coloured by, or what was made of it
    void helpRequested();
    void searchRequested();
    void formerViewRequested();
    void searchStepRequested(int direction);
    void searchForRequested(const QString& words);
    void bookmarkRequested();   ///< of what is picked
    void experimentRequested(); ///< of what is between the rulers

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rowsChanged();
    void viewMoved();
    void render(QImage&& window);

    view::ViewDataPtr m_shown;
    ViewStyle styleNow() const;
    void restyle();
    std::optional<int> m_names; ///< as a person has made them
    ViewStyle m_style;
    view::Viewport m_view;
    std::optional<Ns> m_zero; ///< empty: the recording's
    TimelineRows* m_rows;
    QTimer m_rest; ///< since the view moved
    BarColouring* m_colours;
    std::unique_ptr<Ghosts> m_ghosts;
    std::unique_ptr<CanvasOverlay> m_overlay;
    view::Selection m_selection;
    std::unique_ptr<BarLabels> m_labels;
    QImage m_image;
    bool m_imageValid = false;
    bool m_headingsValid = false; ///< all of the image but what moves with the view
};

} // namespace olab::ui
