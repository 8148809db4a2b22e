#include "measure/host_facts.h"

#include "facts/looks.h"
#include "measure/measure.h"

#include <numeric>

namespace olab::analysis {
namespace {

/// Total length of a union of intervals that arrive sorted by begin.
class UnionSum {
public:
    void add(Interval time) {
        if (time.end <= time.begin)
            return;
        m_first = m_any ? m_first : time.begin;
        m_total += std::max<Ns>(time.end - std::max(time.begin, m_any ? m_until : time.begin), 0);
        m_until = m_any ? std::max(m_until, time.end) : time.end;
        m_any = true;
    }
    Ns total() const { return m_total; }
    Ns span() const { return m_any ? m_until - m_first : 0; }

private:
    Ns m_first = 0, m_until = 0, m_total = 0;
    bool m_any = false;
};

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Properties of a call's name, determined once per name.
struct Call {
    bool issues = true;        ///< neither waits nor queries
    std::vector<Ns> durations; ///< of those with this name
    void read(std::string_view name) { issues = !has(name, "Synchronize") && !has(name, "Query"); }
};

void addNumbers(const Trace& trace, std::vector<Call>& calls, HostNumbers& numbers) {
    for (std::uint32_t id = 0; id < calls.size(); ++id) {
        std::vector<Ns>& durations = calls[id].durations;
        if (durations.empty())
            continue;
        HostNumbers::Api& api = numbers.api[id == 0 ? "(unnamed)" : std::string(trace.text(StringId{id}))];
        const Ns total = std::accumulate(durations.begin(), durations.end(), Ns{0});
        api = {durations.size(), medianOf(durations), *std::ranges::max_element(durations), total};
    }
}

} // namespace

HostFacts hostFacts(const Facts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    HostFacts host;
    if (facts.deviceWork().size() == trace.size())
        return host;
    std::vector<Call> calls(trace.texts()); // by name
    UnionSum callbacks, issuing;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        lookAtCancel(i, control);
        const ActivityClass cls = trace.cls(i);
        if (cls == ActivityClass::HostFn)
            callbacks.add(trace.time(i));
        else if (cls == ActivityClass::Api) {
            Call& call = calls[trace.nameOf(i).value];
            if (call.durations.empty())
                call.read(trace.text(trace.nameOf(i)));
            call.durations.push_back(trace.duration(i));
            if (call.issues)
                issuing.add(trace.time(i));
        }
    }
    host.numbers.hostFnCount = facts.count(ActivityClass::HostFn);
    host.numbers.hostFnBusy = callbacks.total();
    host.issuing = issuing.total(), host.issuingSpan = issuing.span();
    addNumbers(trace, calls, host.numbers);
    return host;
}

} // namespace olab::analysis
