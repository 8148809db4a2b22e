#include "ui_widget.h"

#include "frames.h"
#include "views.h"

#include "timeline/texts/hover_card.h"
#include "timeline/texts/range_text.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <cstdio>
#include <random>

namespace olab::bench {
namespace {

/// All that stands between the rulers, as it follows the mouse.
void benchRange(const view::ViewData& shown) {
    std::mt19937_64 random(7);
    const Interval span = shown.trace().deviceSpan();
    std::uint64_t sum = 0;
    printFrames("numbers between the rulers", shown.trace().size(), timeEach(500, [&](std::size_t) {
                    const auto part = static_cast<Ns>(random() % static_cast<std::uint64_t>(span.length()));
                    sum += view::measureRange(shown, {span.begin + part / 2, span.begin + part}).operations;
                }));
    std::printf("%-34s %11llu activities counted\n", "", static_cast<unsigned long long>(sum));
}

} // namespace

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
                    sum += loaded.overlaps[0].measure(ranges[i]).busy[0];
                }));
    const IntervalSet kernels = loaded.lanes.classCoverage(0, ActivityClass::Kernel);
    Ns expected = 0;
    for (const Interval& range : ranges)
        expected += kernels.measure(range);
    if (sum != expected)
        std::printf("NOT EQUAL to the sets: %lld, %lld\n", static_cast<long long>(sum),
                    static_cast<long long>(expected));
}

view::ViewDataPtr analysed(Loaded&& loaded) {
    loaded.index.reset();
    loaded.lanes = {};
    io::RecordingData data;
    data.trace = std::move(loaded.trace);
    return std::make_shared<const view::ViewData>(recording::makeRecording(std::move(data), "bench", false));
}

void benchWidget(const view::ViewDataPtr& shown) {
    const std::size_t count = shown->trace().size();
    ui::TimelineView window;
    window.resize(kWidth, kHeight);
    QImage image(window.size(), QImage::Format_RGB32);
    window.render(&image); // fonts and styles are loaded once in a program's life
    printFrames("widget: first picture", count, timeEach(1, [&](std::size_t) {
                    window.setShown(shown);
                    window.render(&image);
                }));
    ui::TimelineCanvas& canvas = window.canvas();
    std::mt19937 random(3);
    std::vector<double> times;
    std::size_t found = 0;
    for (int zoom = 0; zoom < 20; ++zoom) {
        const auto one = timeEach(100, [&](std::size_t) {
            const QPoint at(kGutter + static_cast<int>(random() % (kWidth - kGutter)),
                            static_cast<int>(random() % static_cast<unsigned>(canvas.height())));
            const auto hit = canvas.map().activityAt(at);
            if (hit && !canvas.map().rectsOf(*hit).empty() && !ui::hoverText(*shown, *hit).html().isEmpty())
                ++found;
        });
        times.insert(times.end(), one.begin(), one.end());
        canvas.zoomAt(kWidth / 2, 0.5);
    }
    printFrames("widget: hover", count, times);
    std::printf("%-34s %11zu of %zu places held something\n", "", found, times.size());
    benchRange(*shown);
}

} // namespace olab::bench
