#include <olab/comparison/same_recording.h>

#include "compared_times.h"

#include <algorithm>

namespace olab::comparison {
namespace {

/// The next device work from `row` on; the size of the trace: there is none.
ActivityIndex nextWork(const Trace& trace, ActivityIndex row) {
    while (row < trace.size() && !isDeviceClass(trace.cls(row)))
        ++row;
    return row;
}

bool isAmong(const ComparedRun& run, std::span<const ComparedRun> others) {
    return std::ranges::any_of(
        others, [&](const ComparedRun& other) { return isSameRecording(run.trace, other.trace); });
}

/// Of the recorded runs of H200s 1.8 % of operations last as long as the next of their kind, to the
/// nanosecond, and no two in a row of 10604 also begin as far apart. Ten have 19 such times, which is enough
/// even where the clock is so coarse that one of two agrees.
constexpr std::size_t kTellingWork = 10;

} // namespace

bool isSameRecording(const Trace& a, const Trace& b) {
    const Ns from = a.deviceSpan().begin, fromB = b.deviceSpan().begin;
    if (a.deviceSpan().length() != b.deviceSpan().length() || a.deviceSpan().length() == 0)
        return false;
    ActivityIndex i = nextWork(a, 0), j = nextWork(b, 0);
    std::size_t same = 0;
    for (; i < a.size() && j < b.size(); i = nextWork(a, i + 1), j = nextWork(b, j + 1), ++same)
        if (a.cls(i) != b.cls(j) || a.begin(i) - from != b.begin(j) - fromB || a.duration(i) != b.duration(j))
            return false;
    return i == a.size() && j == b.size() && (same >= kTellingWork || from == fromB);
}

DistinctRuns distinctRuns(std::span<const ComparedRun> given) {
    DistinctRuns distinct;
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!isAmong(given[i], distinct.runs)) {
            distinct.runs.push_back(given[i]);
            distinct.places.push_back(i);
        }
    distinct.copies = given.size() - distinct.runs.size();
    return distinct;
}

std::string copiesText(const DistinctRuns& side, const char* name) {
    if (side.copies == 0)
        return {};
    return "Of the " + std::to_string(side.runs.size() + side.copies) + " recordings of " + name + " " +
           std::to_string(side.copies) + (side.copies == 1 ? " is a copy" : " are copies") +
           " of others: each counts once.";
}

std::string sharedReason(std::span<const ComparedRun> before, std::span<const ComparedRun> after) {
    for (const ComparedRun& run : after)
        if (!isSimulated(run) && isAmong(run, before))
            return run.name + " stands on both sides";
    return {};
}

} // namespace olab::comparison
