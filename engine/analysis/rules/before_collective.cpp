#include "rules/before_collective.h"

#include "causes/longest_call.h"
#include "facts/sums.h"

#include <olab/analysis/waits.h>
#include <olab/trace/interval_set.h>
#include <olab/trace/kernel_name.h>

#include <algorithm>
#include <limits>

namespace olab::analysis {
namespace {

/// Work of one name.
struct Named {
    std::vector<Interval> times;
    Ns time = 0;                     ///< within the periods; concurrent time counts once
    ActivityIndex row = kNoActivity; ///< one of it
};

/// What a device did between the previous expensive collective and its own arrival.
struct Doing {
    std::vector<Interval> before;
    IntervalSet periods; ///< the same as a set
    Ns reached = std::numeric_limits<Ns>::min(), idle = 0;
    std::map<std::string_view, Named> work; ///< by name
    ThreadWaits gaps;                       ///< idle times, by the thread that issued the next work
};

class Before {
public:
    Before(const TraceFacts& facts, const Collectives& found)
        : m_facts(facts)
        , m_trace(facts.trace())
        , m_found(found)
        , m_late(found.devices[*found.straggler].device)
        , m_devices(m_trace.devices().size()) {
        findPeriods();
        for (std::size_t number = 0; number < facts.deviceWork().size(); ++number)
            look(facts.deviceWork().row(number));
        for (Doing& doing : m_devices)
            for (auto& [name, work] : doing.work)
                work.time = overlapLength(IntervalSet::unionOf(std::move(work.times)), doing.periods);
    }

    std::string text() const {
        const Ns idle = m_devices[m_late].idle - meanOfOthers([](const Doing& d) { return d.idle; });
        const auto [name, longer] = mostWork();
        if (std::max(idle, longer) < kWorthNaming * allWaited())
            return {};
        return idle >= longer ? idleText() : workText(name);
    }

private:
    using Calls = std::vector<std::vector<Interval>>; ///< by device, by begin
    static constexpr double kWorthNaming = 0.25;      ///< share of the others' waiting

    /// The first collective of a device has no period, because what came before is unknown.
    void findPeriods() {
        const Calls calls = collectiveCalls();
        for (const CollectiveWait& wait : m_found.worst) {
            if (wait.device != m_late)
                continue;
            addPeriod(calls, wait.latest);
            for (const ActivityIndex row : wait.waiting)
                addPeriod(calls, row);
        }
        for (Doing& doing : m_devices)
            doing.periods = IntervalSet::unionOf(doing.before);
    }
    Calls collectiveCalls() const {
        std::vector<bool> is;
        for (const ActivityKind& kind : m_trace.kinds())
            is.push_back(kind.cls == ActivityClass::Kernel && isCollective(m_trace.text(kind.name)));
        Calls calls(m_devices.size());
        for (std::size_t number = 0; number < m_facts.deviceWork().size(); ++number)
            if (const ActivityIndex row = m_facts.deviceWork().row(number); is[m_trace.kindOf(row)])
                calls[m_trace.device(row)].push_back(m_trace.time(row));
        return calls;
    }
    void addPeriod(const Calls& calls, ActivityIndex row) {
        const auto& all = calls[m_trace.device(row)];
        const Ns begin = m_trace.begin(row);
        const auto own = std::ranges::lower_bound(all, begin, {}, &Interval::begin);
        if (own != all.begin())
            m_devices[m_trace.device(row)].before.push_back({std::min((own - 1)->end, begin), begin});
    }

    /// Call in the order of begins.
    void look(ActivityIndex row) {
        Doing& doing = m_devices[m_trace.device(row)];
        const Interval time = m_trace.time(row);
        if (doing.periods.empty())
            return;
        if (doing.periods.touches(time)) {
            Named& work = doing.work[nameOf(row)];
            work.times.push_back(time);
            work.row = row;
        }
        if (doing.reached < time.begin && doing.reached != std::numeric_limits<Ns>::min())
            addIdle(doing, {doing.reached, time.begin}, row);
        doing.reached = std::max(doing.reached, time.end);
    }
    /// Idle time is assigned to the thread that issued the next work, because it could have done so earlier.
    void addIdle(Doing& doing, Interval gap, ActivityIndex ended) {
        if (!doing.periods.touches(gap))
            return;
        doing.idle += doing.periods.measure(gap);
        if (const ActivityIndex call = m_facts.apiOf(ended); call != kNoActivity)
            doing.gaps[m_trace.queueOf(call)].push_back(gap);
    }

    std::string_view nameOf(ActivityIndex row) const {
        return m_trace.cls(row) == ActivityClass::Kernel ? m_trace.text(m_trace.nameOf(row))
                                                         : classLabel(m_trace.cls(row));
    }
    template <class Number>
    Ns meanOfOthers(Number number) const {
        Ns sum = 0, count = 0;
        for (std::size_t d = 0; d < m_devices.size(); ++d)
            if (d != m_late && !m_devices[d].before.empty())
                sum += number(m_devices[d]), ++count;
        return count > 0 ? sum / count : 0;
    }
    Ns workOfOthers(std::string_view name) const {
        return meanOfOthers([&](const Doing& doing) {
            const auto found = doing.work.find(name);
            return found == doing.work.end() ? 0 : found->second.time;
        });
    }
    /// The work it did longest, compared with the others.
    std::pair<std::string_view, Ns> mostWork() const {
        std::pair<std::string_view, Ns> most{{}, 0};
        for (const auto& [name, work] : m_devices[m_late].work)
            if (const Ns longer = work.time - workOfOthers(name); longer > most.second)
                most = {name, longer};
        return most;
    }
    double allWaited() const {
        double waited = 0;
        for (const CollectiveWait& wait : m_found.worst)
            if (wait.device == m_late)
                waited += static_cast<double>(wait.waited);
        return waited;
    }

    std::string start() const {
        const std::size_t count = m_devices[m_late].before.size();
        return " Before " + (count == 1 ? std::string("the one") : "the " + std::to_string(count)) +
               " that cost most ";
    }
    std::string workText(std::string_view name) const {
        const Named& own = m_devices[m_late].work.at(name);
        const bool isKernel = m_trace.cls(own.row) == ActivityClass::Kernel;
        return start() +
               (isKernel ? "it computed longer: kernel " + kernelName(name)
                         : "it copied longer: " + std::string(name)) +
               " took it " + timeText(own.time) + ", the others " + timeText(workOfOthers(name)) +
               " on average.";
    }
    std::string idleText() const {
        const Doing& late = m_devices[m_late];
        return start() + "its GPU was idle for " + timeText(late.idle) + ", those of the others for " +
               timeText(meanOfOthers([](const Doing& d) { return d.idle; })) + hostText();
    }
    std::string hostText() const {
        const ThreadWaits idle = idleByThread();
        if (idle.empty())
            return "; what its host did then is not recorded.";
        const LongestCall call = longestCall(m_facts, idle), range = longestRange(m_facts, idle);
        const LongestCall& named = call.isMost() || range.name.empty() ? call : range;
        if (named.name.empty())
            return "; its thread was in no call and no named range then.";
        return "; its thread was longest in " + named.name + ": " + timeText(named.time) + " of that.";
    }
    ThreadWaits idleByThread() const {
        ThreadWaits idle;
        const Doing& late = m_devices[m_late];
        for (const auto& [thread, gaps] : late.gaps) {
            const IntervalSet within = late.periods.intersected(IntervalSet::unionOf(gaps));
            for (std::size_t i = 0; i < within.size(); ++i)
                idle[thread].push_back(within.intervals()[i]);
        }
        return idle;
    }

    const TraceFacts& m_facts;
    const Trace& m_trace;
    const Collectives& m_found;
    std::uint8_t m_late;
    std::vector<Doing> m_devices; ///< by number
};

} // namespace

std::string beforeItCame(const TraceFacts& facts, const Collectives& found) {
    if (facts.trace().span().length() > kMostOfDevices)
        return {};
    return Before(facts, found).text();
}

} // namespace olab::analysis
