// olab_bench_ui [largest count]: frames of the timeline at 10^4 activities and up, on 16 lanes, 1920x1080,
// painted by software into an image; beside them painters that draw each activity.
#include "bench.h"
#include "frames.h"
#include "lanes_recording.h"
#include "naive_painters.h"

#include "timeline/hover_card.h"
#include "timeline/lane_renderer.h"
#include "timeline/measure.h"

#include <olab/ui/timeline_view.h>

#include <QApplication>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>

namespace {

using namespace olab;
using namespace olab::bench;

constexpr std::size_t kDefaultLargest = 10'000'000;
constexpr std::size_t kBytesEach = 210; // that a step holds per activity at its peak
constexpr int kWidth = 1920, kHeight = 1080, kGutter = ViewStyle{}.gutter();
constexpr std::size_t kMostAnalysed = 10'000'000;
constexpr int kZooms = 24, kPans = 40;

/// All that a window holds of a recording but the analysis.
struct Loaded {
    Trace trace;
    LaneSet lanes;
    std::optional<TimelineIndex> index;
};

void load(Loaded& loaded, std::size_t count) {
    {
        TraceBuilder builder;
        giveSixteenLanes(builder, count);
        loaded.trace = builder.finish();
    }
    loaded.lanes = LaneSet::of(loaded.trace);
    measure(
        "index", count, count > 10'000'000 ? 1 : 3, [&] { loaded.index.emplace(loaded.trace, loaded.lanes); },
        [&] { loaded.index.reset(); });
}

/// The canvas without its widget.
class Screen {
public:
    explicit Screen(const Loaded& loaded)
        : m_index(*loaded.index)
        , m_zero(loaded.trace.deviceSpan().begin)
        , m_rows(RowLayout::of(m_index, {}, kHeight))
        , m_image(kWidth, kHeight, QImage::Format_RGB32) {
        view.setLimits(loaded.trace.span());
        view.setWidth(kWidth - kGutter);
        view.fit();
    }
    void paintAll() { renderRows(m_image, input(), m_labels); }
    void paintMoved() { renderLanes(m_image, input(), m_labels); }
    QImage& image() { return m_image; }
    const RowLayout& rows() const { return m_rows; }
    Viewport view;

private:
    RenderInput input() const {
        return {m_index, m_zero, m_rows, view, Theme::light(), 0, ViewStyle{}, 1, QApplication::font()};
    }
    const TimelineIndex& m_index;
    Ns m_zero;
    RowLayout m_rows;
    QImage m_image;
    BarLabels m_labels;
};

/// Views from the whole run down to nanoseconds, in steps of 1.6, each at a place of its own.
std::vector<Viewport> zoomViews(const Viewport& whole) {
    std::vector<Viewport> views;
    for (int round = 0; round < 8; ++round) {
        Viewport view = whole;
        for (int i = 0; i < kZooms * 2; ++i) {
            views.push_back(view);
            view.zoomAt((round * 211 + i * 53) % view.width(), 0.6);
        }
    }
    return views;
}

/// At every zoom some steps to the right.
std::vector<Viewport> panViews(const Viewport& whole) {
    std::vector<Viewport> views;
    Viewport view = whole;
    for (int i = 0; i < kZooms; ++i) {
        view.zoomAt(view.width() * (i % 3 + 1) / 4, 0.4);
        for (int step = 0; step < kPans; ++step) {
            view.panBy(37);
            views.push_back(view);
        }
    }
    return views;
}

void benchFrames(const Loaded& loaded) {
    const std::size_t count = loaded.trace.size();
    printFrameHeading();
    Screen screen(loaded);
    const Viewport whole = screen.view;
    printFrames("empty frame (fill)", count, timeEach(50, [&](std::size_t) { screen.image().fill(0u); }));
    printFrames("first picture", count, timeEach(1, [&](std::size_t) { screen.paintAll(); }));
    const auto play = [&](const std::string& what, const std::vector<Viewport>& views) {
        printFrames(what, count, timeEach(views.size(), [&](std::size_t i) {
                        screen.view = views[i];
                        screen.paintMoved();
                    }));
    };
    play("whole run", std::vector<Viewport>(100, whole));
    play("zoom", zoomViews(whole));
    play("pan", panViews(whole));
    screen.view = whole;
    benchNaive(*loaded.index, screen.rows(), screen.image(), whole, kGutter);
}

/// Ranges as a hand drags them: each a little longer or shorter than the one before, at all scales.
void benchOverlap(const Loaded& loaded) {
    const Interval span = loaded.trace.deviceSpan();
    std::mt19937_64 random(5);
    const auto part = [&](Ns length) {
        return static_cast<Ns>(random() % static_cast<std::uint64_t>(length));
    };
    std::vector<Interval> ranges;
    for (int i = 0; i < 4000; ++i) {
        const Ns begin = span.begin + part(span.length()), length = part(span.length()) >> random() % 24;
        ranges.push_back({begin, std::min(begin + length, span.end)});
    }
    Ns sum = 0; // so that no answer is left out
    printFrames("overlap of any range", loaded.trace.size(), timeEach(ranges.size(), [&](std::size_t i) {
                    sum += loaded.index->overlaps(0).measure(ranges[i]).busy[0];
                }));
    const IntervalSet kernels = loaded.lanes.classCoverage(0, ActivityClass::Kernel);
    Ns expected = 0;
    for (const Interval& range : ranges)
        expected += kernels.measure(range);
    if (sum != expected)
        std::printf("NOT EQUAL to the sets: %lld, %lld\n", static_cast<long long>(sum),
                    static_cast<long long>(expected));
}

/// All that stands between the rulers, as it follows the mouse.
void benchRange(const Shown& shown) {
    std::mt19937_64 random(7);
    const Interval span = shown.trace().deviceSpan();
    std::uint64_t sum = 0;
    printFrames("numbers between the rulers", shown.trace().size(), timeEach(500, [&](std::size_t) {
                    const auto part = static_cast<Ns>(random() % static_cast<std::uint64_t>(span.length()));
                    sum += measureRange(shown, {span.begin + part / 2, span.begin + part}).operations;
                }));
    std::printf("%-34s %11llu activities counted\n", "", static_cast<unsigned long long>(sum));
}

/// The widget itself with the analysis behind it: the first picture, and what a move of the mouse costs.
void benchWidget(Loaded&& loaded) {
    const std::size_t count = loaded.trace.size();
    loaded.index.reset();
    loaded.lanes = {};
    const auto shown = std::make_shared<const Shown>(
        makeRecording({std::move(loaded.trace), std::nullopt, std::nullopt}, "bench", false));
    TimelineView window;
    window.resize(kWidth, kHeight);
    QImage image(window.size(), QImage::Format_RGB32);
    window.render(&image); // fonts and styles are loaded once in a program's life
    printFrames("widget: first picture", count, timeEach(1, [&](std::size_t) {
                    window.setShown(shown);
                    window.render(&image);
                }));
    TimelineCanvas& canvas = window.canvas();
    std::mt19937 random(3);
    std::vector<double> times;
    std::size_t found = 0;
    for (int zoom = 0; zoom < 20; ++zoom) {
        const auto one = timeEach(100, [&](std::size_t) {
            const QPoint at(kGutter + static_cast<int>(random() % (kWidth - kGutter)),
                            static_cast<int>(random() % static_cast<unsigned>(canvas.height())));
            const auto hit = canvas.activityAt(at);
            if (hit && !canvas.rectsOf(*hit).empty() && !hoverText(*shown, *hit).isEmpty())
                ++found;
        });
        times.insert(times.end(), one.begin(), one.end());
        canvas.zoomAt(kWidth / 2, 0.5);
    }
    printFrames("widget: hover", count, times);
    std::printf("%-34s %11zu of %zu places held something\n", "", found, times.size());
    benchRange(*shown);
}

/// The whole program: start, demo, picture, end.
void benchStart() {
    const QString program = QApplication::applicationDirPath() + QStringLiteral("/overlap-lab");
    if (!QFileInfo::exists(program))
        return;
    const QTemporaryDir folder;
    printFrameHeading();
    printFrames("overlap-lab --demo to its picture", 0, timeEach(7, [&](std::size_t) {
                    QProcess process;
                    process.setStandardOutputFile(QProcess::nullDevice());
                    process.setStandardErrorFile(QProcess::nullDevice());
                    process.start(program, {QStringLiteral("--demo"), QStringLiteral("--screenshot"),
                                            folder.filePath(QStringLiteral("demo.png"))});
                    process.waitForFinished();
                }));
}

void benchCount(std::size_t count) {
    Loaded loaded;
    printHeading();
    load(loaded, count);
    std::printf("%-34s %11zu %.2f bytes for each activity\n", "index: memory", count,
                static_cast<double>(loaded.index->memoryBytes()) / static_cast<double>(count));
    benchFrames(loaded);
    benchOverlap(loaded);
    if (count <= kMostAnalysed)
        benchWidget(std::move(loaded));
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kDefaultLargest;
    const std::size_t smallest = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000;
    printMachine();
    benchStart();
    for (std::size_t count = smallest; count <= largest; count *= 10) {
        if (count * kBytesEach > availableMemory()) {
            std::printf("%zu activities: not enough free memory\n", count);
            break;
        }
        benchCount(count);
    }
    return 0;
}
