// Forms that look at each activity.
#include "assertion_values.h"

#include <olab/experiment/option_table.h>

#include <algorithm>
#include <map>

namespace olab {
namespace {

constexpr std::string_view kNoFacts = "the activities are not at hand, only their report";

} // namespace

std::string noActivitiesReason(const Judged& judged) {
    return judged.facts ? lossReason(judged.report) : std::string(kNoFacts);
}

Found findWaited(const Query& query) {
    if (query.arguments.empty() || query.arguments.size() > 2)
        refuseAssertion(query.expression, "a class is needed, and perhaps a size");
    const ActivityClass cls = classArgument(query.arguments.front(), query.expression);
    const std::int64_t most = query.arguments.size() == 2 ? bytesFromText("the size", query.arguments[1])
                                                          : std::numeric_limits<std::int64_t>::max();
    if (std::string reason = noActivitiesReason(query.judged); !reason.empty())
        return cannotJudge(std::move(reason));
    const Facts& facts = *query.judged.facts;
    const Trace& trace = facts.trace();
    std::optional<Ns> longest;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls && trace[i].bytes <= most)
            if (const ActivityIndex call = facts.apiOf(i); call != kNoActivity)
                longest = std::max(longest.value_or(0), trace.time(i).begin - trace.time(call).end);
    if (!longest)
        return cannotJudge("no call is known that issued such an activity");
    return {static_cast<long double>(*longest), std::to_string(*longest) + " ns", {}};
}

/// Streams are numbered in the order in which they were made.
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

} // namespace olab
