#include "ui_frames.h"

#include "frames.h"
#include "naive_painters.h"
#include "views.h"
#include "waiting.h"

#include "timeline/canvas/lane_renderer.h"

#include <olab/trace/lanes.h>
#include <olab/view/colouring.h>
#include <olab/view/drawn_lanes.h>

#include <QApplication>

namespace olab::bench {
namespace {

constexpr int kRounds = 5;

/// The canvas without its widget.
class Screen {
public:
    explicit Screen(const Loaded& loaded)
        : m_index(*loaded.index)
        , m_zero(loaded.trace.deviceSpan().begin)
        , m_rows(ui::RowLayout::of(m_index, {}, kHeight))
        , m_image(kWidth, kHeight, QImage::Format_RGB32) {
        view.setLimits(loaded.trace.span());
        view.setWidth(kWidth - kGutter);
        view.fit();
    }
    void paintAll() { ui::renderRows(m_image, input(), m_labels); }
    void paintMoved() { ui::renderLanes(m_image, input(), m_labels); }
    QImage& image() { return m_image; }
    const ui::RowLayout& rows() const { return m_rows; }
    view::Viewport view;
    view::AccountPtr waits;       ///< null: none are drawn
    view::ColouringPtr colouring; ///< null: by class

private:
    ui::RenderInput input() const {
        return {m_index,
                m_zero,
                m_rows,
                view,
                ui::Theme::light(),
                0,
                ui::ViewStyle{},
                1,
                QApplication::font(),
                waits,
                {},
                colouring.get()};
    }
    const view::TimelineIndex& m_index;
    Ns m_zero;
    ui::RowLayout m_rows;
    QImage m_image;
    ui::BarLabels m_labels;
};

/// What lanes of values add to a frame, and what opening them takes.
void benchValues(const Loaded& loaded, const view::Viewport& whole) {
    constexpr int kLaneHeight = 36;
    const std::size_t count = loaded.trace.size();
    std::vector<view::ValueSeries> opened;
    const auto lanes = loaded.index->valueLanes();
    printFrames("values: opening a lane", count, timeEach(lanes.size(), [&](std::size_t i) {
                    opened.push_back(view::valueSeriesOf(loaded.trace, lanes[i]));
                }));
    std::size_t bytes = 0, stretches = 0;
    for (const view::ValueSeries& series : opened) {
        bytes += series.memoryBytes();
        stretches += series.stretches();
    }
    std::printf("%-34s %11zu lanes, %zu stretches, %zu KiB\n", "", opened.size(), stretches, bytes >> 10);
    std::vector<view::ViewColumns> views;
    for (const view::Viewport& view : zoomViews(whole))
        views.emplace_back(view);
    printFrames("values: heights of all lanes, zoom", count,
                timeEach(
                    views.size(),
                    [&](std::size_t i) {
                        for (const view::ValueSeries& series : opened)
                            (void)view::valueHeights(series, views[i], kLaneHeight);
                    },
                    kRounds));
}

} // namespace

void benchFrames(const Loaded& loaded) {
    const std::size_t count = loaded.trace.size();
    printFrameHeading();
    Screen screen(loaded);
    const view::Viewport whole = screen.view;
    printFrames("empty frame (fill)", count, timeEach(50, [&](std::size_t) { screen.image().fill(0u); }));
    printFrames("first picture", count, timeEach(1, [&](std::size_t) { screen.paintAll(); }));
    const auto play = [&](const std::string& what, const std::vector<view::Viewport>& views) {
        const auto times = timeEach(
            views.size(),
            [&](std::size_t i) {
                screen.view = views[i];
                screen.paintMoved();
            },
            kRounds);
        printFrames(what, count, times);
        printSlowest(views, times);
    };
    play("whole run", std::vector<view::Viewport>(100, whole));
    play("zoom", zoomViews(whole));
    play("pan", panViews(whole));
    {
        const Waiting waiting = waitingIn(loaded);
        screen.waits = waiting.account;
        play("zoom, with waits", zoomViews(whole));
        screen.waits.reset();
    }
    for (const view::ColourBy by : {view::ColourBy::Name, view::ColourBy::Stream, view::ColourBy::Overlap}) {
        const std::string name(view::colourByRows()[static_cast<std::size_t>(by)].key);
        printFrames("making the colours: " + name, count, timeEach(1, [&](std::size_t) {
                        screen.colouring =
                            std::make_shared<const view::Colouring>(*loaded.index, by, nullptr);
                    }));
        play("zoom, colours: " + name, zoomViews(whole));
    }
    screen.colouring.reset();
    benchValues(loaded, whole);
    screen.view = whole;
    benchNaive(*loaded.index, screen.rows(), screen.image(), whole, kGutter);
}

} // namespace olab::bench
