#include "same_recording.h"

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

bool isSameRecording(const Trace& a, const Trace& b) {
    if (a.deviceSpan() != b.deviceSpan() || a.deviceSpan().length() == 0)
        return false;
    ActivityIndex i = nextWork(a, 0), j = nextWork(b, 0);
    while (i < a.size() && j < b.size() && a.cls(i) == b.cls(j) && a.time(i) == b.time(j))
        i = nextWork(a, i + 1), j = nextWork(b, j + 1);
    return i == a.size() && j == b.size();
}

bool isAmong(const ComparedRun& run, std::span<const ComparedRun> others) {
    return std::ranges::any_of(
        others, [&](const ComparedRun& other) { return isSameRecording(run.trace, other.trace); });
}

} // namespace

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
