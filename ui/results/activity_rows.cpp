#include "results/activity_rows.h"

#include <olab/ui/activities_model.h>
#include <olab/ui/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace olab::ui {

namespace {

using Key = std::int64_t;
constexpr Key kNothing = -1; ///< an empty cell: below every value

Key rateOf(const Activity& a) {
    if (a.bytes <= 0 || a.duration() <= 0)
        return kNothing;
    const double rate = static_cast<double>(a.bytes) / static_cast<double>(a.duration()) * 1e6;
    return static_cast<Key>(std::min(rate, 9e18));
}

/// Streams before threads, each by number: "stream 9" stands before "stream 13".
Key queueKey(const Trace& trace, QueueId id) {
    if (id.value >= trace.queues().size())
        return kNothing;
    const Queue& queue = trace.queue(id);
    return (Key{queue.kind == Queue::Kind::HostThread} << 32) | Key{queue.number};
}

std::vector<Key> waitKeys(const view::ViewData& shown, const std::vector<ActivityIndex>& rows, int column) {
    const analysis::ExplainedWaits waits = shown.waits();
    std::vector<Key> keys(shown.trace().size());
    for (const ActivityIndex i : rows) {
        if (!isDeviceClass(shown.trace().cls(i))) {
            keys[i] = kNothing;
            continue;
        }
        const std::size_t number = shown.facts.deviceWork().numberOf(i);
        keys[i] =
            column == ActivitiesModel::Waited ? waits.length(number) : static_cast<Key>(waits.cause(number));
    }
    return keys;
}

Key keyOf(const view::ViewData& shown, ActivityIndex i, int column) {
    const Activity a = shown.trace()[i];
    switch (column) {
    case ActivitiesModel::Number:
        return a.op == kNoOp ? Key{i} : Key{a.op.value};
    case ActivitiesModel::Class:
        return static_cast<Key>(a.cls);
    case ActivitiesModel::Where:
        return queueKey(shown.trace(), a.queue);
    case ActivitiesModel::Engine:
        return isDeviceClass(a.cls) ? static_cast<Key>(a.engine) : kNothing;
    case ActivitiesModel::Duration:
        return a.duration();
    case ActivitiesModel::Bytes:
        return a.bytes > 0 ? a.bytes : kNothing;
    case ActivitiesModel::Rate:
        return rateOf(a);
    default:
        return a.begin;
    }
}

/// The place of each name in the alphabet.
std::vector<Key> nameKeys(const Trace& trace, const std::vector<ActivityIndex>& rows) {
    std::map<std::string_view, Key> places;
    for (const ActivityIndex i : rows)
        places.emplace(trace.text(trace[i].name), 0);
    Key next = 0;
    for (auto& [name, place] : places)
        place = next++;
    std::vector<Key> keys(trace.size());
    for (const ActivityIndex i : rows)
        keys[i] = places.find(trace.text(trace[i].name))->second;
    return keys;
}

std::vector<Key> keysOf(const view::ViewData& shown, const std::vector<ActivityIndex>& rows, int column) {
    if (column == ActivitiesModel::Name)
        return nameKeys(shown.trace(), rows);
    if (column == ActivitiesModel::Waited || column == ActivitiesModel::Cause)
        return waitKeys(shown, rows, column);
    std::vector<Key> keys(shown.trace().size());
    for (const ActivityIndex i : rows)
        keys[i] = keyOf(shown, i, column);
    return keys;
}

} // namespace

void sortActivities(const view::ViewData& shown, std::vector<ActivityIndex>& rows, int column,
                    bool descending) {
    const std::vector<Key> keys = keysOf(shown, rows, column);
    std::ranges::stable_sort(rows, [&keys, descending](ActivityIndex a, ActivityIndex b) {
        return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    });
}

} // namespace olab::ui
