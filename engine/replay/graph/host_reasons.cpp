#include "graph/host_reasons.h"

#include "graph/usual_times.h"

#include "graph/captured_calls.h"

#include <olab/analysis/communication.h>
#include <olab/analysis/framework.h>
#include <olab/analysis/named_ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace olab::replay {
namespace {

using analysis::LossCause;

constexpr std::size_t kManyCopies = 32;
constexpr std::int64_t kPinnedValue = 4 << 10; ///< bytes

bool hasAny(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool allocates(std::string_view call) {
    constexpr std::string_view kAllocating[] = {"Malloc", "MemAlloc", "HostAlloc",
                                                "Free",   "Register", "Unregister"};
    return hasAny(call, kAllocating);
}

} // namespace

HostReasons::HostReasons(const analysis::Facts& facts, bool isForeign)
    : m_facts(facts)
    , m_isForeign(isForeign) {
    if (!isForeign)
        return;
    const analysis::Framework framework = analysis::frameworkOf(facts.trace());
    m_isPython = framework != analysis::Framework::None;
    m_stretches.resize(facts.trace().queues().size());
    findLoaders();
    readRanges();
    if (framework == analysis::Framework::OtherPython) // PyTorch waits inside calls
        followWork();
    findLaunches();
    m_makesGraph = callsThatMakeGraphs(facts.trace());
    for (std::size_t q = 0; q < facts.trace().queues().size(); ++q)
        if (facts.trace().queues()[q].kind == Queue::Kind::HostThread)
            findSmallCopies(QueueId{static_cast<std::uint16_t>(q)});
}

/// Finds threads of a framework that only pin memory and query whether it may be reused, like that of
/// PyTorch's DataLoader. Such a thread waits for the workers, and the issuing threads wait for it.
void HostReasons::findLoaders() {
    constexpr std::string_view kCalls[] = {"HostAlloc",  "HostRegister", "HostUnregister",
                                           "EventQuery", "cudaFreeHost", "PointerGetAttributes"};
    const Trace& trace = m_facts.trace();
    m_loads.resize(trace.queues().size(), 0);
    const auto communicates = [&](const ActivityKind& kind) {
        return analysis::isCommunicationKernel(trace.text(kind.name));
    };
    if (!m_isPython || std::ranges::any_of(trace.kinds(), communicates)) // NCCL has polling threads too
        return;
    for (std::uint16_t q = 0; q < trace.queues().size(); ++q) {
        if (trace.queues()[q].kind != Queue::Kind::HostThread)
            continue;
        const auto calls = m_facts.ofThread(QueueId{q});
        m_loads[q] = !calls.empty() && std::ranges::all_of(calls, [&](ActivityIndex call) {
            return hasAny(trace.text(trace.nameOf(call)), kCalls);
        });
    }
}

HostReasons::Doing HostReasons::doingOf(std::string_view range) {
    constexpr std::string_view kLoading[] = {"DataLoader", "dataloader", "data_loader"};
    constexpr std::string_view kReading[] = {"aten::item", "aten::_local_scalar_dense", "aten::nonzero",
                                             "aten::is_nonzero", "np.asarray(jax.Array)"};
    constexpr std::string_view kWaiting[] = {"block_until_ready"};
    constexpr std::string_view kAllocating[] = {"aten::pin_memory"};
    constexpr std::string_view kOperators[] = {"aten::", "autograd::", "torch::", "Optimizer.", "Backward"};
    if (hasAny(range, kLoading))
        return Doing::Loading;
    if (hasAny(range, kReading))
        return Doing::ReadingBack;
    if (hasAny(range, kWaiting))
        return Doing::Waiting;
    if (hasAny(range, kAllocating))
        return Doing::Allocating;
    return hasAny(range, kOperators) ? Doing::Operator : Doing::Nothing;
}

/// Of nested ranges the innermost meaningful one counts. Operators do not, because everything consists of
/// them.
void HostReasons::readRanges() {
    const Trace& trace = m_facts.trace();
    if (m_facts.count(ActivityClass::Nvtx) == 0)
        return;
    std::vector<std::uint8_t> isRead(trace.texts(), 0);
    std::vector<Doing> doing(trace.texts(), Doing::Nothing);
    const auto takesTime = [&](ActivityIndex row) { return trace.duration(row) > 0; };
    for (const auto& [thread, rows] : analysis::rangesByThread(trace, takesTime)) {
        for (const ActivityIndex row : rows)
            if (const StringId name = trace.nameOf(row); !std::exchange(isRead[name.value], 1))
                doing[name.value] = doingOf(trace.text(name));
        std::vector<std::pair<Ns, Doing>> open; // end, and the activity until then
        auto& stretches = m_stretches[thread.value];
        const auto closeUntil = [&](Ns time) {
            while (!open.empty() && open.back().first <= time) {
                const Ns end = open.back().first;
                open.pop_back();
                stretches.push_back({end, open.empty() ? Doing::Nothing : open.back().second});
            }
        };
        for (const ActivityIndex row : rows) {
            const Interval time = trace.time(row);
            closeUntil(time.begin);
            const Doing own = doing[trace.nameOf(row).value];
            const Doing outer = open.empty() ? Doing::Nothing : open.back().second;
            const bool inherits =
                own == Doing::Nothing || (own == Doing::Operator && outer != Doing::Nothing);
            open.emplace_back(time.end, inherits ? outer : own);
            stretches.push_back({time.begin, open.back().second});
        }
        closeUntil(std::numeric_limits<Ns>::max());
    }
}

/// For a runtime that waits without a call, such as JAX: a thread of its own fetches the data, and this
/// thread continues when they have arrived. Null: it does not wait for any.
const HostReasons::Brought* HostReasons::awaitedCopy(QueueId thread, Interval pause) const {
    const auto ended = [](const Brought& copy) { return copy.end; };
    auto at = std::ranges::upper_bound(m_brought, pause.begin, {}, ended);
    for (; at != m_brought.end() && at->end <= pause.end; ++at)
        if (at->by != thread)
            return &*at;
    return nullptr;
}

/// Everything issued before ended within the pause, and the thread continued after that sooner than the work
/// had taken. Null: it did not wait for that.
const HostReasons::Ended* HostReasons::awaitedWork(Interval pause) const {
    const auto after = std::ranges::upper_bound(m_ended, pause.begin, {}, &Ended::issued);
    if (after == m_ended.begin())
        return nullptr;
    const Ended& last = *(after - 1);
    const bool waits =
        last.end > pause.begin && last.end <= pause.end && pause.end - last.end < last.end - pause.begin;
    return waits ? &last : nullptr;
}

std::optional<HostReasons::Waited> HostReasons::waitedIn(QueueId thread, Interval pause,
                                                         LossCause cause) const {
    if (cause != LossCause::HostSync && cause != LossCause::Readback)
        return std::nullopt;
    Waited waited;
    if (const Brought* const copy = awaitedCopy(thread, pause))
        waited.work = copy->row, waited.own = {copy->end, pause.end};
    else if (const Ended* const work = awaitedWork(pause))
        waited.work = work->row, waited.own = {work->end, pause.end};
    else
        return std::nullopt;
    waited.ofOwn = ofPause(thread, waited.own);
    return waited;
}

void HostReasons::followWork() {
    const Trace& trace = m_facts.trace();
    for (std::size_t n = 0; n < m_facts.deviceWork().size(); ++n) {
        const ActivityIndex row = m_facts.deviceWork().row(n), call = m_facts.apiOf(row);
        if (call == kNoActivity)
            continue;
        m_ended.push_back({trace.begin(call), trace.end(row), row});
        if (trace.cls(row) == ActivityClass::MemcpyD2H)
            m_brought.push_back({trace.end(row), row, trace.queueOf(call), isValue(row)});
    }
    std::ranges::sort(m_brought, {}, &Brought::end);
    std::ranges::stable_sort(m_ended, {}, &Ended::issued);
    for (std::size_t n = 1; n < m_ended.size(); ++n)
        if (m_ended[n].end < m_ended[n - 1].end)
            m_ended[n].end = m_ended[n - 1].end, m_ended[n].row = m_ended[n - 1].row;
}

LossCause HostReasons::ofPause(QueueId thread, Interval pause, Ns own) const {
    if (own <= usual::kPause)
        return LossCause::LaunchBound;
    if (!m_isForeign)
        return LossCause::HostLate;
    std::array<Ns, 6> times{};
    const auto& stretches = m_stretches[thread.value];
    auto at = std::ranges::upper_bound(stretches, pause.begin, {}, &Stretch::begin);
    Ns from = pause.begin;
    for (Doing doing = at == stretches.begin() ? Doing::Nothing : (at - 1)->doing; from < pause.end; ++at) {
        const Ns until = at == stretches.end() ? pause.end : std::min(at->begin, pause.end);
        times[static_cast<std::size_t>(doing)] += until - from;
        from = until;
        if (at == stretches.end())
            break;
        doing = at->doing;
    }
    const auto most = static_cast<Doing>(std::ranges::max_element(times) - times.begin());
    switch (most) {
    case Doing::Loading:
        return LossCause::DataLoading;
    case Doing::ReadingBack:
        return LossCause::Readback;
    case Doing::Waiting:
        return LossCause::HostSync;
    case Doing::Allocating:
        return LossCause::Allocation;
    case Doing::Operator: // a long one computes on the host
        return own <= usual::kDispatch ? LossCause::LaunchBound : LossCause::HostLate;
    case Doing::Nothing:
        break;
    }
    if (!m_isPython)
        return LossCause::HostLate;
    if (m_loads[thread.value] != 0)
        return LossCause::DataLoading;
    if (const Brought* const copy = awaitedCopy(thread, pause))
        return copy->isValue ? LossCause::Readback : LossCause::HostSync;
    if (awaitedWork(pause))
        return LossCause::HostSync;
    return own <= usual::kWakeUp ? LossCause::LaunchBound : LossCause::Python;
}

LossCause HostReasons::ofCall(ActivityIndex call) const {
    if (!m_isForeign)
        return LossCause::HostLate;
    const Trace& trace = m_facts.trace();
    if (makesGraph(call))
        return LossCause::GraphRebuilt;
    if (allocates(trace.text(trace.nameOf(call))))
        return LossCause::Allocation;
    return trace.duration(call) <= usual::kPause ? LossCause::LaunchBound : LossCause::HostLate;
}

/// Frameworks fetch values to pinned memory too; a program that pins its own memory copies more at once.
bool HostReasons::isValue(ActivityIndex work) const {
    const Trace& trace = m_facts.trace();
    if (!m_isForeign || trace.cls(work) != ActivityClass::MemcpyD2H)
        return false;
    return trace.bytes(work) <= (m_facts.work(work).isPageable() ? kSmallCopy : kPinnedValue);
}

LossCause HostReasons::ofAwaited(ActivityIndex work, LossCause ofCall, bool isForValue) const {
    const Trace& trace = m_facts.trace();
    if (m_isForeign && isOfSmallCopies(work))
        return LossCause::SmallCopies;
    if (isForValue && isValue(work))
        return LossCause::Readback;
    // .cpu() and .to() of pageable memory wait for their copy in a call of their own; for pinned memory they
    // need not
    const bool isOfFramework = m_isPython && ofCall == LossCause::HostSync &&
                               isDeviceClass(trace.cls(work)) && m_facts.work(work).isPageable();
    return isOfFramework ? LossCause::Pageable : ofCall;
}

LossCause HostReasons::ofBarrier(ActivityIndex call) const {
    const Trace& trace = m_facts.trace();
    return m_isForeign && allocates(trace.text(trace.nameOf(call))) ? LossCause::Allocation
                                                                    : LossCause::DeviceBarrier;
}

/// Marks everything between the first and the last of the calls, without the work of the first.
void HostReasons::markSmall(const std::vector<ActivityIndex>& calls) {
    if (calls.size() < kManyCopies)
        return;
    m_small.resize(m_facts.trace().size(), 0);
    for (const ActivityIndex call : std::span(calls).subspan(1)) {
        m_small[call] = 1;
        for (const ActivityIndex work : m_facts.issuedBy(call))
            m_small[work] = 1;
    }
}

void HostReasons::findLaunches() {
    const Trace& trace = m_facts.trace();
    for (std::size_t n = 0; n < m_facts.deviceWork().size(); ++n) {
        const ActivityIndex row = m_facts.deviceWork().row(n), call = m_facts.apiOf(row);
        if (call != kNoActivity && trace.cls(row) == ActivityClass::Kernel)
            m_launches.push_back(trace.begin(call));
    }
    std::ranges::sort(m_launches);
}

/// By any thread: one thread may fetch the values of kernels launched by another.
bool HostReasons::launchesBetween(ActivityIndex before, ActivityIndex call) const {
    const Trace& trace = m_facts.trace();
    const auto next = std::ranges::upper_bound(m_launches, trace.begin(before));
    return next != m_launches.end() && *next < trace.begin(call);
}

void HostReasons::findSmallCopies(QueueId thread) {
    const Trace& trace = m_facts.trace();
    std::vector<ActivityIndex> run;
    ActivityClass direction{};
    for (const ActivityIndex call : m_facts.ofThread(thread)) {
        const auto work = m_facts.issuedBy(call);
        if (work.empty())
            continue;
        const ActivityIndex copy = work.front();
        const bool isSmall =
            work.size() == 1 && isCopyClass(trace.cls(copy)) && trace.bytes(copy) <= kSmallCopy;
        if (!run.empty() && (!isSmall || trace.cls(copy) != direction || launchesBetween(run.back(), call))) {
            markSmall(run);
            run.clear();
        }
        if (isSmall) {
            direction = trace.cls(copy);
            run.push_back(call);
        }
    }
    markSmall(run);
}

} // namespace olab::replay
