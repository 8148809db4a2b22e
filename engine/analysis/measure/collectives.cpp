#include <olab/analysis/collectives.h>

#include <olab/analysis/communication.h>
#include <olab/analysis/waits.h>

#include "facts/sentences.h"

#include <algorithm>
#include <map>

namespace olab::analysis {
namespace {

/// The ends of one collective on different devices are this close, plus the clock error.
constexpr Ns kCloseEnds = 50'000;
/// A clock that is right shows kernels that begin together within this.
constexpr Ns kLeastError = 1'000;
constexpr std::uint64_t kFew = 5;      ///< with fewer collectives nothing is reported
constexpr double kWorthTelling = 0.01; ///< of the run
constexpr double kOneBlamed = 0.6;     ///< share of all waiting caused by one device

struct Call {
    Interval time;
    std::uint32_t name = 0; ///< the same for all collectives of one kind
    ActivityIndex row = 0;
    std::uint8_t device = 0;
};

/// All collective kernels, sorted by name and end. Each kind is classified once.
std::vector<Call> callsOf(const Trace& trace, const std::vector<bool>& isAligned) {
    constexpr std::uint32_t kNone = kNoNumber;
    std::map<std::string_view, std::uint32_t> names;
    std::vector<std::uint32_t> nameOfKind;
    bool any = false;
    for (const ActivityKind& kind : trace.kinds()) {
        const std::string_view text = trace.text(kind.name);
        const bool is = kind.cls == ActivityClass::Kernel && isCollective(text) && isAligned[kind.device];
        nameOfKind.push_back(is ? names.try_emplace(collectiveName(text), names.size()).first->second
                                : kNone);
        any = any || is;
    }
    std::vector<Call> calls;
    for (ActivityIndex row = 0; any && row < trace.size(); ++row)
        if (const std::uint32_t name = nameOfKind[trace.kindOf(row)]; name != kNone)
            calls.push_back({trace.time(row), name, row, trace.device(row)});
    std::ranges::stable_sort(calls, {}, [](const Call& c) { return std::pair(c.name, c.time.end); });
    return calls;
}

/// False for devices of recordings that could not be aligned, since they cannot be compared.
std::vector<bool> alignedDevices(const Trace& trace) {
    std::vector<bool> aligned;
    for (const DeviceRecord& device : trace.devices()) {
        const auto rank = std::ranges::find(trace.ranks(), device.rank, &RankRecord::rank);
        aligned.push_back(rank == trace.ranks().end() || rank->alignment != RankAlignment::Unaligned);
    }
    return aligned;
}

Ns errorOf(const Trace& trace) {
    Ns error = kLeastError;
    for (const RankRecord& rank : trace.ranks())
        if (rank.alignment != RankAlignment::Unaligned)
            error = std::max<Ns>(error, rank.error);
    return error;
}

/// Length of the union.
Ns unionOf(std::vector<Interval>& times) {
    std::ranges::sort(times, {}, &Interval::begin);
    Ns total = 0, reached = std::numeric_limits<Ns>::min();
    for (const Interval& time : times) {
        const Ns from = std::max(time.begin, reached);
        if (time.end > from)
            total += time.end - from, reached = time.end;
    }
    return total;
}

class Account {
public:
    Account(const Trace& trace, std::vector<Call> calls)
        : m_trace(trace)
        , m_calls(std::move(calls))
        , m_numbers(trace.devices().size(), kNone) {
        m_found.error = errorOf(trace);
        for (const Call& call : m_calls)
            m_numbers[call.device] = 0;
        for (std::size_t d = 0; d < m_numbers.size(); ++d)
            if (m_numbers[d] != kNone) {
                m_numbers[d] = m_found.devices.size();
                const auto device = static_cast<std::uint8_t>(d);
                m_found.devices.push_back({device, participantName(trace, device)});
            }
        m_waits.resize(m_found.devices.size() * m_found.devices.size());
    }
    std::size_t devices() const { return m_found.devices.size(); }

    Collectives make(const RunControl& control) {
        std::vector<Call> group;
        for (const Call& call : m_calls) {
            control.throwIfCancelled();
            if (!group.empty() && !belongs(call, group))
                close(group);
            group.push_back(call);
        }
        close(group);
        sumUp();
        return std::move(m_found);
    }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    /// All kernels of a collective begin before the first one ends, and they end together.
    bool belongs(const Call& call, const std::vector<Call>& group) const {
        const Call& first = group.front(); // the one that ends first
        return call.name == first.name && call.time.end - first.time.end <= kCloseEnds + 3 * m_found.error &&
               call.time.begin - first.time.end <= m_found.error &&
               std::ranges::find(group, call.device, &Call::device) == group.end();
    }

    void close(std::vector<Call>& group) {
        if (group.size() == 1) {
            ++m_found.alone;
            ++device(group.front()).alone;
        } else if (group.size() > 1)
            count(group);
        group.clear();
    }

    CollectiveDevice& device(const Call& call) { return m_found.devices[m_numbers[call.device]]; }

    void count(std::vector<Call>& group) {
        ++m_found.shared;
        m_spreads.push_back(group.back().time.end - group.front().time.end);
        const Ns firstEnd = group.front().time.end;
        std::ranges::sort(group, {}, [](const Call& c) { return std::pair(c.time.begin, c.device); });
        const Call& latest = group.back();
        const Ns arrived = std::min(latest.time.begin, firstEnd);
        for (const Call& call : group)
            ++device(call).count;
        if (arrived - group[group.size() - 2].time.begin <= m_found.error)
            ++m_found.together;
        else
            ++device(latest).last;
        CollectiveWait wait{
            latest.row, latest.device, {}, std::max<Ns>(0, arrived - group.front().time.begin)};
        for (const Call& call : group)
            if (call.row != latest.row) {
                wait.waiting.push_back(call.row);
                if (arrived > call.time.begin)
                    m_waits[m_numbers[call.device] * devices() + m_numbers[latest.device]].push_back(
                        {call.time.begin, arrived});
            }
        keep(std::move(wait));
    }

    /// Keeps the worst ones, in a heap with the least of them on top.
    void keep(CollectiveWait wait) {
        const auto more = [](const CollectiveWait& a, const CollectiveWait& b) {
            return a.waited != b.waited ? a.waited > b.waited : a.latest < b.latest;
        };
        auto& worst = m_found.worst;
        if (worst.size() == kMaxWorstCollectives && !more(wait, worst.front()))
            return;
        worst.push_back(std::move(wait));
        std::ranges::push_heap(worst, more);
        if (worst.size() > kMaxWorstCollectives) {
            std::ranges::pop_heap(worst, more);
            worst.pop_back();
        }
    }

    void sumUp() {
        const std::size_t n = devices();
        for (std::size_t waiting = 0; waiting < n; ++waiting) {
            std::vector<Interval> all;
            for (std::size_t late = 0; late < n; ++late) {
                std::vector<Interval>& times = m_waits[waiting * n + late];
                all.insert(all.end(), times.begin(), times.end());
                m_found.devices[late].waitedFor += unionOf(times) / static_cast<Ns>(n - 1);
            }
            m_found.devices[waiting].waited = unionOf(all);
            m_found.waited += m_found.devices[waiting].waited / static_cast<Ns>(n);
        }
        std::ranges::sort(m_spreads);
        m_found.spread = m_spreads.empty() ? 0 : m_spreads[m_spreads.size() / 2];
        std::ranges::sort(m_found.worst, [](const CollectiveWait& a, const CollectiveWait& b) {
            return a.waited != b.waited ? a.waited > b.waited : a.latest < b.latest;
        });
        m_found.span = m_trace.deviceSpan().length();
        blame();
        m_found.text = text();
    }

    void blame() {
        const auto& devices = m_found.devices;
        const auto most = std::ranges::max_element(devices, {}, &CollectiveDevice::waitedFor);
        double all = 0;
        for (const CollectiveDevice& device : devices)
            all += static_cast<double>(device.waitedFor);
        const bool isMuch =
            static_cast<double>(most->waitedFor) >= kWorthTelling * static_cast<double>(m_found.span);
        if (isMuch && most->last >= kFew && static_cast<double>(most->waitedFor) >= kOneBlamed * all)
            m_found.straggler = static_cast<std::size_t>(most - devices.begin());
    }

    std::string text() const {
        if (m_found.shared == 0)
            return "No collective of these devices ended on two of them at the same time: who waited for "
                   "whom "
                   "is not known.";
        const std::string of = " of " + timeText(m_found.span);
        if (m_found.straggler) {
            const CollectiveDevice& late = m_found.devices[*m_found.straggler];
            const auto longest = std::ranges::max_element(m_found.devices, {}, &CollectiveDevice::waited);
            return late.name + " arrives last at " + percentText(m_found.lastShare(*m_found.straggler)) +
                   " of " + std::to_string(late.count) + " collectives; the others wait " +
                   timeText(late.waitedFor) + of + " for it" +
                   (devices() > 2 ? " on average, " + longest->name + " longest." : ".");
        }
        if (static_cast<double>(m_found.waited) < kWorthTelling * static_cast<double>(m_found.span))
            return "In " + std::to_string(m_found.shared) + " collectives the devices wait " +
                   timeText(m_found.waited) + of + " for each other on average: they come together.";
        return "In " + std::to_string(m_found.shared) + " collectives the devices wait " +
               timeText(m_found.waited) + of +
               " for each other on average; no one of them is late again and again.";
    }

    const Trace& m_trace;
    std::vector<Call> m_calls;
    std::vector<std::size_t> m_numbers;         ///< by device: index into m_found.devices
    std::vector<std::vector<Interval>> m_waits; ///< who waited, for whom
    std::vector<Ns> m_spreads;
    Collectives m_found;
};

} // namespace

bool isCollective(std::string_view kernelName) {
    return isCommunicationKernel(kernelName) &&
           communicationKindOf(kernelName) != CommunicationKind::SendRecv;
}

std::string_view collectiveName(std::string_view kernelName) {
    return kernelName.substr(0, kernelName.find_first_of("(<"));
}

std::shared_ptr<const Collectives> collectivesOf(const Trace& trace, const RunControl& control) {
    constexpr Ns kMostTime = Ns{1} << 61; // leaves room for sums of waits
    if (trace.devices().size() < 2 || trace.span().begin < -kMostTime || trace.span().length() > kMostTime)
        return nullptr;
    Account account(trace, callsOf(trace, alignedDevices(trace)));
    if (account.devices() < 2)
        return nullptr;
    return std::make_shared<const Collectives>(account.make(control));
}

} // namespace olab::analysis
