// All lanes of a recording on one widget the size of the view, with its own vertical scroll offset. Columns
// go straight into an image (strip_painter.h) that is kept until the recording, the visible range, the size
// or the scroll offset changes; hover and selection are painted over it. Mouse and keys come from outside
// (timeline/input), as does what a screen reader finds.
#pragma once

#include <olab/ui/canvas_map.h>
#include <olab/ui/ghosts.h>
#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>
#include <olab/view/colouring.h>
#include <olab/view/selection.h>
#include <olab/view/view_data_ptr.h>
#include <olab/view/viewport.h>

#include <QImage>
#include <QRegion>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

namespace olab::ui {

class BarColouring;
class BarLabels;
class CanvasOverlay;
class TimelineRows;

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
    void panBy(int pixels);
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
