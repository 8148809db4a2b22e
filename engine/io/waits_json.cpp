#include "waits_json.h"

namespace olab::io {
namespace {

using Json = nlohmann::ordered_json;

Json namedJson(const Trace& trace, ActivityIndex activity) {
    return activity == kNoActivity
               ? Json()
               : Json{{"activity", activity}, {"name", trace.text(trace.nameOf(activity))}};
}

Json waitJson(const analysis::CostlyWait& costly, const Trace& trace) {
    const analysis::ExplainedWait& wait = costly.wait;
    Json ranges = Json::array();
    for (const ActivityIndex range : costly.ranges)
        ranges.push_back(trace.text(trace.nameOf(range)));
    return {{"activity", wait.op},
            {"name", trace.text(trace.nameOf(wait.op))},
            {"begin_ns", costly.own.begin},
            {"own_ns", costly.own.length()},
            {"waited_ns", wait.held},
            {"cause", analysis::waitCauseId(wait.cause)},
            {"blocker", wait.blocker == kNoActivity ? Json() : Json(wait.blocker)},
            {"rests_on", analysis::restsOnName(wait.rests)},
            {"call", namedJson(trace, costly.call)},
            {"ranges", std::move(ranges)}};
}

} // namespace

nlohmann::ordered_json waitsJson(const analysis::TraceFacts& facts,
                                 const std::shared_ptr<const analysis::Ledger>& account) {
    Json json = Json::array();
    for (const analysis::CostlyWait& costly : analysis::costliestWaits(facts, account))
        json.push_back(waitJson(costly, facts.trace()));
    return json;
}

} // namespace olab::io
