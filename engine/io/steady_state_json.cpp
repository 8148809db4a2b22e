#include "steady_state_json.h"

namespace olab::io {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson iterationJson(const analysis::JudgedIteration& iteration, const IterationWriters& write) {
    OrderedJson devices = OrderedJson::object(), verdicts = OrderedJson::array();
    for (const analysis::DeviceReport& device : iteration.devices)
        devices[device.id] = write.device(device);
    for (const analysis::Verdict& verdict : iteration.verdicts)
        verdicts.push_back(write.verdict(verdict));
    return {{"number", iteration.number},   {"begin_ns", iteration.time.begin},
            {"end_ns", iteration.time.end}, {"devices", devices},
            {"verdicts", verdicts},         {"bounds", write.bounds(iteration.bounds)}};
}

} // namespace

OrderedJson steadyStateJson(const analysis::SteadyState* found, const IterationWriters& write) {
    if (!found)
        return {};
    if (!found->missing.empty())
        return {{"found_by", "none"}, {"missing", found->missing}};
    OrderedJson json{{"found_by", analysis::iterationMarkName(found->mark)},
                     {"name", found->name},
                     {"operations", found->operations > 0 ? OrderedJson(found->operations) : OrderedJson()},
                     {"iterations", found->iterations.size()},
                     {"begin_ns", found->time.begin},
                     {"end_ns", found->time.end},
                     {"ramp_up_ns", found->rampUp},
                     {"ramp_up_iterations", found->before},
                     {"ramp_down_ns", found->rampDown},
                     {"period_ns", found->period},
                     {"jitter_ns", found->jitter},
                     {"shortest_ns", found->shortest},
                     {"longest_ns", found->longest},
                     {"text", found->text}};
    const char* const names[] = {"typical", "worst"};
    for (std::size_t i = 0; i < found->judged.size() && i < std::size(names); ++i)
        json[names[i]] = iterationJson(found->judged[i], write);
    return json;
}

} // namespace olab::io
