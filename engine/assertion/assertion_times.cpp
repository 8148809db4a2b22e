// Forms that examine each activity.
#include "assertion_values.h"

#include <olab/experiment/option_table.h>

#include <algorithm>
#include <map>

namespace olab::assertion {
namespace {

constexpr std::string_view kNoFacts = "the activities are not at hand, only their report";

} // namespace

std::string noActivitiesReason(const Judged& judged) {
    return judged.facts ? comparison::lossReason(judged.report) : std::string(kNoFacts);
}

std::string callsReason(std::uint64_t withCall, std::uint64_t all) {
    if (withCall == 0)
        return "no call is known that issued such an activity";
    return withCall == all ? std::string()
                           : "the call is known of " + std::to_string(withCall) + " of " +
                                 std::to_string(all) + " such activities only";
}

Found findWaited(const Query& query) {
    if (query.arguments.empty() || query.arguments.size() > 2)
        refuseAssertion(query.expression, "a class is needed, and perhaps a size");
    const ActivityClass cls = classArgument(query.arguments.front(), query.expression);
    const std::int64_t most = query.arguments.size() == 2
                                  ? experiment::bytesFromText("the size", query.arguments[1])
                                  : std::numeric_limits<std::int64_t>::max();
    if (std::string reason = noActivitiesReason(query.judged); !reason.empty())
        return cannotJudge(std::move(reason));
    const analysis::Facts& facts = *query.judged.facts;
    const Trace& trace = facts.trace();
    std::uint64_t withCall = 0, all = 0;
    Ns longest = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls && trace.bytes(i) <= most) {
            ++all;
            if (const ActivityIndex call = facts.apiOf(i); call != kNoActivity) {
                ++withCall;
                longest = std::max(longest, trace.begin(i) - trace.end(call));
            }
        }
    if (std::string reason = callsReason(withCall, all); !reason.empty())
        return cannotJudge(std::move(reason));
    return {static_cast<long double>(longest), std::to_string(longest) + " ns", {}};
}

/// Streams are numbered in order of creation.
Found findFirstDone(const Query& query) {
    if (query.arguments.size() != 1)
        refuseAssertion(query.expression, "a class is needed, and nothing else");
    const ActivityClass cls = classArgument(query.arguments.front(), query.expression);
    if (std::string reason = noActivitiesReason(query.judged); !reason.empty())
        return cannotJudge(std::move(reason));
    const Trace& trace = query.judged.facts->trace();
    std::map<std::uint32_t, Ns> ends; // by the number of the stream
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls) {
            Ns& end = ends[trace.queue(trace[i].queue).number];
            end = std::max(end, trace.time(i).end);
        }
    if (ends.size() < 2)
        return cannotJudge("fewer than two streams ran " + std::string(className(cls)));
    const auto first = std::ranges::min_element(ends, {}, [](const auto& entry) { return entry.second; });
    const auto number = std::distance(ends.begin(), first);
    return {static_cast<long double>(number), std::to_string(number), {}};
}

} // namespace olab::assertion
