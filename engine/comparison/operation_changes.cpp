#include <olab/comparison/operation_changes.h>

#include "operation_matching.h"

#include <olab/analysis/waits.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace olab::comparison {

namespace {

/// Numbers the kinds of operations, equally in both traces.
class Labels {
public:
    std::vector<Label> ofKinds(const Trace& trace) {
        std::vector<Label> labels;
        for (const ActivityKind& kind : trace.kinds())
            labels.push_back(
                m_known.try_emplace({kind.cls, std::string(trace.text(kind.name))}, m_known.size())
                    .first->second);
        return labels;
    }

private:
    std::map<std::pair<ActivityClass, std::string>, Label> m_known;
};

/// The operations of one stream, in order.
struct Stream {
    std::vector<ActivityIndex> operations;
    std::vector<Label> labels;
};

/// The streams of a device, in the order of their first work.
using Streams = std::map<std::uint8_t, std::vector<Stream>>;

Streams streamsOf(const Trace& trace, const AlignedSpan& place, const std::vector<Label>& labelOfKind) {
    Streams streams;
    std::map<QueueId, std::pair<std::uint8_t, std::size_t>> known;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const ActivityKind& kind = trace.kind(i);
        if (!isDeviceClass(kind.cls) || (kind.flags & kFlagUnified) != 0 ||
            !place.span.contains(trace.begin(i)))
            continue;
        auto& ofDevice = streams[kind.device];
        const auto [at, isNew] = known.try_emplace(trace.queueOf(i), kind.device, ofDevice.size());
        if (isNew)
            ofDevice.emplace_back();
        Stream& stream = streams[at->second.first][at->second.second];
        stream.operations.push_back(i);
        stream.labels.push_back(labelOfKind[trace.kindOf(i)]);
    }
    return streams;
}

/// Operations without a partner in the paired stream.
struct Rest {
    std::vector<std::pair<ActivityIndex, Label>> before, after;
};

struct Pair {
    ActivityIndex before, after;
    std::optional<std::pair<ActivityIndex, ActivityIndex>> last{}; ///< previous operations of their streams
};
using Pairs = std::vector<Pair>;

void addRest(std::vector<std::pair<ActivityIndex, Label>>& rest, const Stream& stream,
             const std::vector<bool>& matched) {
    for (std::size_t i = 0; i < matched.size(); ++i)
        if (!matched[i])
            rest.emplace_back(stream.operations[i], stream.labels[i]);
}

void matchStreams(const Stream& before, const Stream& after, Pairs& pairs, Rest& rest) {
    std::vector<bool> was(before.labels.size()), is(after.labels.size());
    for (const auto& [b, a] : matchInOrder(before.labels, after.labels)) {
        pairs.push_back({before.operations[b], after.operations[a]});
        if (b > 0 && a > 0)
            pairs.back().last = {before.operations[b - 1], after.operations[a - 1]};
        was[b] = is[a] = true;
    }
    addRest(rest.before, before, was);
    addRest(rest.after, after, is);
}

/// For one device; a stream without a partner is compared with an empty one.
void matchDevice(const std::vector<Stream>& before, const std::vector<Stream>& after, Pairs& pairs,
                 Rest& rest) {
    const Stream none;
    for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i)
        matchStreams(i < before.size() ? before[i] : none, i < after.size() ? after[i] : none, pairs, rest);
}

/// In the order of time, across streams. Removes matched operations from the rest.
Pairs matchRest(Rest& rest) {
    Pairs pairs;
    const auto labelsOf = [](auto& side) {
        std::ranges::sort(side);
        std::vector<Label> labels;
        for (const auto& [operation, label] : side)
            labels.push_back(label);
        return labels;
    };
    const std::vector<Label> before = labelsOf(rest.before), after = labelsOf(rest.after);
    std::vector<bool> was(before.size()), is(after.size());
    for (const auto& [b, a] : matchInTurn(before, after)) {
        pairs.push_back({rest.before[b].first, rest.after[a].first});
        was[b] = is[a] = true;
    }
    const auto keepOpen = [](auto& side, const std::vector<bool>& matched) {
        std::size_t at = 0;
        std::erase_if(side, [&](const auto&) { return matched[at++]; });
    };
    keepOpen(rest.before, was);
    keepOpen(rest.after, is);
    return pairs;
}

struct PlacedRun {
    const Trace& trace;
    const AlignedSpan& place;
    Ns beginOf(ActivityIndex i) const { return trace.begin(i) - place.zero; }
};

Ns sizeOf(Ns change) {
    return change < 0 ? -change : change;
}

OperationFate fateOf(const OperationChange& change, Ns longest, Ns span) {
    const auto isMore = [](Ns difference, double share, Ns whole) {
        return sizeOf(difference) > kSameNs &&
               static_cast<double>(sizeOf(difference)) > share * static_cast<double>(whole);
    };
    if (isMore(change.longer, kSameDuration, longest))
        return change.longer > 0 ? OperationFate::Longer : OperationFate::Shorter;
    return change.otherStream || isMore(change.later, kSamePlace, span) ? OperationFate::Moved
                                                                        : OperationFate::Same;
}

/// Between two operations of a stream; 0 if they overlap.
Ns idleBetween(const Trace& trace, ActivityIndex last, ActivityIndex next) {
    return std::max<Ns>(0, trace.begin(next) - trace.time(last).end);
}

OperationChange changeOf(const PlacedRun& before, const PlacedRun& after, const Pair& pair,
                         bool otherStream) {
    const ActivityIndex was = pair.before, is = pair.after;
    OperationChange change;
    change.before = was;
    change.after = is;
    if (pair.last)
        change.idleLonger = idleBetween(after.trace, pair.last->second, is) -
                            idleBetween(before.trace, pair.last->first, was);
    const Ns took = before.trace.duration(was), takes = after.trace.duration(is);
    change.longer = takes - took;
    change.later = after.beginOf(is) - before.beginOf(was);
    change.otherStream = otherStream;
    change.fate = fateOf(change, std::max(took, takes),
                         std::max(before.place.span.length(), after.place.span.length()));
    return change;
}

void sortByTime(std::vector<OperationChange>& all, const PlacedRun& before, const PlacedRun& after) {
    const auto keyOf = [&](const OperationChange& change) {
        return std::tuple(change.before ? before.beginOf(*change.before) : after.beginOf(*change.after),
                          change.before.value_or(kNoActivity), change.after.value_or(kNoActivity));
    };
    std::ranges::sort(all, {}, keyOf);
}

Pairs matchAll(const PlacedRun& before, const PlacedRun& after, Rest& rest) {
    Labels labels;
    const std::vector<Label> ofBefore = labels.ofKinds(before.trace), ofAfter = labels.ofKinds(after.trace);
    Streams was = streamsOf(before.trace, before.place, ofBefore),
            is = streamsOf(after.trace, after.place, ofAfter);
    for (const auto& [device, streams] : is)
        was[device]; // each device of both
    Pairs pairs;
    for (const auto& [device, streams] : was)
        matchDevice(streams, is[device], pairs, rest);
    return pairs;
}

} // namespace

AlignedSpan alignedAtFirstWork(const Trace& trace) {
    const Interval device = trace.deviceSpan();
    return device.length() > 0 ? AlignedSpan{device.begin, device}
                               : AlignedSpan{trace.span().begin, trace.span()};
}

AlignedSpan alignedAtMoment(const Trace& trace, Ns moment) {
    return {moment, alignedAtFirstWork(trace).span};
}

OperationChanges operationChanges(const Trace& before, const AlignedSpan& placeBefore, const Trace& after,
                                  const AlignedSpan& placeAfter) {
    const PlacedRun was{before, placeBefore}, is{after, placeAfter};
    Rest rest;
    OperationChanges changes;
    for (const Pair& pair : matchAll(was, is, rest))
        changes.all.push_back(changeOf(was, is, pair, false));
    for (const Pair& pair : matchRest(rest))
        changes.all.push_back(changeOf(was, is, pair, true));
    for (const auto& [operation, label] : rest.before)
        changes.all.push_back({OperationFate::Gone, operation, {}, -before.duration(operation)});
    for (const auto& [operation, label] : rest.after)
        changes.all.push_back({OperationFate::New, {}, operation, after.duration(operation)});
    sortByTime(changes.all, was, is);
    for (const OperationChange& change : changes.all) {
        OperationChanges::Sum& sum = changes.sums[static_cast<std::size_t>(change.fate)];
        ++sum.count;
        sum.longer += change.longer;
    }
    return changes;
}

std::string operationChangesText(const OperationChanges& changes) {
    if (changes.all.empty())
        return "Neither did any device work here.";
    std::string text;
    const auto say = [&](OperationFate fate, const char* word, bool withTime) {
        const OperationChanges::Sum& sum = changes.of(fate);
        if (sum.count == 0)
            return;
        text += (text.empty() ? "" : ", ") + std::to_string(sum.count) + " " + word;
        if (withTime)
            text += std::string(" (") + (sum.longer < 0 ? "-" : "+") +
                    analysis::timeText(sizeOf(sum.longer)) + ")";
    };
    say(OperationFate::Longer, "longer", true);
    say(OperationFate::Shorter, "shorter", true);
    say(OperationFate::Moved, "moved", false);
    say(OperationFate::Gone, "gone", true);
    say(OperationFate::New, "new", true);
    if (text.empty())
        return "No operation differs.";
    const std::uint64_t same = changes.of(OperationFate::Same).count;
    return "Operations: " + text + "; " + std::to_string(same) + " the same.";
}

} // namespace olab::comparison
