#include <olab/recorded_work/record_work.h>

#include "work_steps.h"

#include <olab/analysis/waits.h>
#include <olab/comparison/comparison.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace olab::recorded_work {
namespace {

constexpr double kGood = 0.05, kFair = 0.25; // of the makespan, and of what could overlap
constexpr double kMinor = 0.01;              // of the makespan: an overlap that cannot say more

struct Coverage {
    std::array<IntervalSet, kDeviceClassCount> of;
    Ns makespan = 0;
};

Coverage coverageOf(const Trace& trace, std::span<const ActivityIndex> rows) {
    std::array<std::vector<Interval>, kDeviceClassCount> times;
    Coverage out;
    Ns end = std::numeric_limits<Ns>::min();
    for (const ActivityIndex row : rows) {
        times[static_cast<std::size_t>(trace.cls(row))].push_back(trace.time(row));
        end = std::max(end, trace.end(row));
    }
    out.makespan = rows.empty() ? 0 : end - trace.begin(rows.front());
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        out.of[c] = IntervalSet::unionOf(std::move(times[c]));
    return out;
}

std::string percent(double share) {
    return fixedText(std::abs(share) * 100, std::abs(share) < 0.095 ? 1 : 0) + " %";
}

std::string pairText(const Reproduction::Pair& pair) {
    const auto label = [](ActivityClass c) {
        return std::string(kClassRows[static_cast<std::size_t>(c)].label);
    };
    return label(pair.a) + " and " + label(pair.b) + " ran at once for " + analysis::timeText(pair.played) +
           " (recorded: " + analysis::timeText(pair.recorded) + ").";
}

std::string judgement(Reproduction::Grade grade) {
    switch (grade) {
    case Reproduction::Grade::Number:
        return "What it says of a change can be carried over. ";
    case Reproduction::Grade::Direction:
        return "What it says of a change is a direction, not a number. ";
    case Reproduction::Grade::Other:
        break;
    }
    return "It is not the same program any more: look at what was assumed before you trust a change. ";
}

} // namespace

Reproduction recordedIn(const recording::Recording& recording, Interval window) {
    const Coverage was = coverageOf(recording.trace, detail::rowsIn(recording.trace, window).rows);
    Reproduction out{was.makespan, 0, {}};
    for (std::size_t a = 0; a < kDeviceClassCount; ++a)
        for (std::size_t b = a + 1; b < kDeviceClassCount; ++b)
            if (!was.of[a].empty() && !was.of[b].empty())
                out.pairs.push_back({static_cast<ActivityClass>(a), static_cast<ActivityClass>(b),
                                     was.of[a].intersected(was.of[b]).total(), 0,
                                     std::min(was.of[a].total(), was.of[b].total())});
    return out;
}

void addPlayed(Reproduction& reproduction, const recording::Recording& played) {
    std::vector<ActivityIndex> rows;
    for (ActivityIndex i = 0; i < played.trace.size(); ++i)
        if (isDeviceClass(played.trace.cls(i)))
            rows.push_back(i);
    const Coverage is = coverageOf(played.trace, rows);
    reproduction.played = is.makespan;
    for (Reproduction::Pair& pair : reproduction.pairs)
        pair.played = is.of[static_cast<std::size_t>(pair.a)]
                          .intersected(is.of[static_cast<std::size_t>(pair.b)])
                          .total();
}

Reproduction reproductionOf(const recording::Recording& recording, Interval window,
                            const recording::Recording& played) {
    Reproduction out = recordedIn(recording, window);
    addPlayed(out, played);
    return out;
}

double Reproduction::off() const {
    double most = std::abs(ratio() - 1);
    for (const Pair& pair : pairs)
        if (static_cast<double>(pair.most) > kMinor * static_cast<double>(recorded))
            most = std::max(most, std::abs(static_cast<double>(pair.played - pair.recorded)) /
                                      static_cast<double>(pair.most));
    return most;
}

Reproduction::Grade Reproduction::grade() const {
    return off() <= kGood ? Grade::Number : off() <= kFair ? Grade::Direction : Grade::Other;
}

std::string_view Reproduction::gradeId() const {
    constexpr std::array<std::string_view, 3> kIds{"number", "direction", "other"};
    return kIds[static_cast<std::size_t>(grade())];
}

std::string Reproduction::text() const {
    const double off = ratio() - 1;
    std::string text = "Run again as it was recorded it takes " + analysis::timeText(played) +
                       " where the recording took " + analysis::timeText(recorded);
    text +=
        std::abs(off) < 0.0005 ? " (the same). " : " (" + percent(off) + (off > 0 ? " more). " : " less). ");
    text += judgement(grade());
    for (const Pair& pair : pairs)
        if (pair.recorded > 0 || pair.played > 0)
            text += pairText(pair) + " ";
    if (text.ends_with(' '))
        text.pop_back();
    return text;
}

std::string changeText(const recording::Recording& before, const recording::Recording& changed) {
    if (!before.experiment || !changed.experiment)
        return {};
    constexpr std::array<std::string_view, 3> kOfMeasuring{"trace", "repeat", "warmup"};
    std::string options;
    bool isGated = false; // in only one of them
    for (const comparison::OptionDifference& each :
         comparison::optionDifferences(*before.experiment, *changed.experiment))
        if (std::ranges::find(kOfMeasuring, each.key) == kOfMeasuring.end())
            options += std::string(options.empty() ? "" : ", ") + std::string(each.key) + "=" + each.after,
                isGated = isGated || each.key == "gate";
    const Ns was = before.trace.deviceSpan().length(), is = changed.trace.deviceSpan().length();
    if (options.empty() || was <= 0 || is <= 0)
        return {};
    const double ratio = static_cast<double>(was) / static_cast<double>(is);
    const std::string with = "Your pipeline with " + options + ": ";
    if (isGated) // with a gate the work waits until all of it is queued
        return with + analysis::timeText(is) + " instead of " + analysis::timeText(was) +
               ". With a gate the time of the host is not in it, so this is no gain of a program.";
    if (ratio > 0.98 && ratio < 1.02)
        return with + "as fast as before (" + analysis::timeText(is) + ").";
    return with + fixedText(ratio > 1 ? ratio : 1 / ratio, 2) + (ratio > 1 ? "x faster" : "x slower") + " (" +
           analysis::timeText(is) + " instead of " + analysis::timeText(was) + ").";
}

} // namespace olab::recorded_work
