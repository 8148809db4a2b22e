// Forms about shares of activities, their order, and what a probe measured.
#include "assertion_values.h"

#include <olab/experiment/backend.h>
#include <olab/trace/value_text.h>

#include <charconv>
#include <cmath>

namespace olab::assertion {
namespace {

ActivityClass onlyClass(const Query& query) {
    if (query.arguments.size() != 1)
        refuseAssertion(query.expression, "a class is needed, and nothing else");
    return classArgument(query.arguments.front(), query.expression);
}

/// Divided as a double, like a parsed limit: 9 of 10 equals 0.9.
Found share(std::uint64_t part, std::uint64_t all) {
    const double value = static_cast<double>(part) / static_cast<double>(all);
    return {
        value, shortText(value, 4) + " (" + std::to_string(part) + " of " + std::to_string(all) + ")", {}};
}

} // namespace

/// Lowest of the devices where the class occurs.
Found findConcurrent(const Query& query) {
    const ActivityClass cls = onlyClass(query);
    const analysis::Report& report = query.judged.report;
    if (std::string reason = comparison::lossReason(report); !reason.empty())
        return cannotJudge(std::move(reason));
    Found least = cannotJudge("no device did any " + std::string(className(cls)));
    for (const analysis::DeviceReport& device : report.devices) {
        const auto at = device.classes.find(cls);
        if (at == device.classes.end() || at->second.busy <= 0)
            continue;
        const double value =
            static_cast<double>(at->second.concurrent) / static_cast<double>(at->second.busy);
        if (!least.reason.empty() || value < least.value)
            least = {value, shortText(value, 4) + " on device " + device.id, {}};
    }
    return least;
}

Found findOnEngine(const Query& query) {
    if (query.arguments.size() != 2)
        refuseAssertion(query.expression, "a class and an engine are needed");
    const ActivityClass cls = classArgument(query.arguments[0], query.expression);
    const EngineKind engine = engineArgument(query.arguments[1], query.expression);
    if (std::string reason = noActivitiesReason(query.judged); !reason.empty())
        return cannotJudge(std::move(reason));
    const Trace& trace = query.judged.facts->trace();
    std::uint64_t there = 0, all = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls) {
            if (trace.channelOf(i) == kNoChannel)
                return cannotJudge("the recording does not say on which channel each of them ran");
            ++all;
            there += trace.engine(i) == engine ? 1 : 0;
        }
    return all == 0 ? cannotJudge("there is no such record") : share(there, all);
}

Found findReturnedEarly(const Query& query) {
    const ActivityClass cls = onlyClass(query);
    if (std::string reason = noActivitiesReason(query.judged); !reason.empty())
        return cannotJudge(std::move(reason));
    const analysis::Facts& facts = *query.judged.facts;
    const Trace& trace = facts.trace();
    std::uint64_t early = 0, all = 0, withCall = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls) {
            ++all;
            if (const ActivityIndex call = facts.apiOf(i); call != kNoActivity) {
                ++withCall;
                early += trace.end(call) < trace.end(i) ? 1 : 0;
            }
        }
    if (std::string reason = callsReason(withCall, all); !reason.empty())
        return cannotJudge(std::move(reason));
    return share(early, all);
}

/// Correlations grow with each call, so they give the order of issue within a stream.
Found findInversions(const Query& query) {
    if (!query.arguments.empty())
        refuseAssertion(query.expression, "inversions() takes nothing");
    if (std::string reason = noActivitiesReason(query.judged); !reason.empty())
        return cannotJudge(std::move(reason));
    const Trace& trace = query.judged.facts->trace();
    std::uint64_t inverted = 0, pairs = 0;
    std::vector<ActivityIndex> last(trace.queues().size(), kNoActivity);
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (!isDeviceClass(trace.cls(i)))
            continue;
        ActivityIndex& before = last[trace.queueOf(i).value];
        if (before != kNoActivity) {
            ++pairs;
            inverted +=
                trace.correlation(i) < trace.correlation(before) || trace.time(i).begin < trace.end(before)
                    ? 1
                    : 0;
        }
        before = i;
    }
    if (pairs == 0)
        return cannotJudge("no stream did two things");
    return {static_cast<long double>(inverted),
            std::to_string(inverted) + " of " + std::to_string(pairs) + " neighbours",
            {}};
}

std::map<std::string, double, std::less<>> numbersOf(const Trace& trace) {
    std::map<std::string, double, std::less<>> numbers;
    for (const auto& [key, text] : trace.environment()) {
        if (!key.starts_with(experiment::kNumberKey))
            continue;
        const char *at = text.data(), *const end = text.data() + text.size();
        for (const char* suffix : {"", ".min", ".max"}) {
            double value = 0;
            const auto read = std::from_chars(at, end, value);
            if (read.ec != std::errc() || !std::isfinite(value))
                break;
            numbers[key.substr(experiment::kNumberKey.size()) + suffix] = value;
            at = read.ptr == end ? end : read.ptr + 1;
        }
    }
    return numbers;
}

Found findNumber(const Query& query) {
    if (query.arguments.size() != 1 || query.arguments.front().empty())
        refuseAssertion(query.expression, "the name of a number is needed, and nothing else");
    if (!query.judged.facts)
        return cannotJudge("only the report is at hand");
    const auto numbers = numbersOf(query.judged.facts->trace());
    const auto at = numbers.find(query.arguments.front());
    if (at == numbers.end())
        return cannotJudge("no probe measured such a number");
    return {static_cast<long double>(at->second), shortText(at->second, 5), {}};
}

} // namespace olab::assertion
