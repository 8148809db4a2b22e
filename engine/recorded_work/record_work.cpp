#include <olab/experiment/experiment.h>
#include <olab/recorded_work/record_work.h>

#include "work_grids.h"
#include "work_steps.h"

#include <olab/experiment/option_table.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <limits>

namespace olab::recorded_work {
namespace {

using namespace detail;

constexpr std::int64_t kGuessedRate = 20'000; // bytes per microsecond, if only the time is known
constexpr std::int64_t kTellingBytes = 64 << 10;
constexpr Ns kCopyLatency = 1'200;

experiment::HostMemory hostMemory(MemoryKind kind) {
    return kind == MemoryKind::Pageable ? experiment::HostMemory::Pageable : experiment::HostMemory::Pinned;
}

/// The most frequent of some values.
template <typename T>
class Usual {
public:
    void add(T value) { ++m_counts[value]; }
    T most(T without) const {
        const auto found = std::ranges::max_element(m_counts, {}, [](const auto& c) { return c.second; });
        return found == m_counts.end() ? without : found->first;
    }

private:
    std::map<T, std::size_t> m_counts;
};

class WorkMaker {
public:
    WorkMaker(const recording::Recording& recording, Interval window)
        : m_recording(recording)
        , m_trace(recording.trace)
        , m_rows(detail::rowsIn(recording.trace, window)) {}

    experiment::RecordedWork make() {
        detail::WorkSteps found(*m_recording.facts, m_rows, m_gaps);
        m_work.streams = found.streams();
        m_work.events = found.events();
        m_work.queued = found.queued();
        m_work.api = found.api();
        std::vector<detail::WorkStep> steps = found.steps();
        detail::GridTable grids(m_trace, *m_recording.facts, m_rows.rows, m_gaps);
        m_work.grids = grids.grids();
        m_work.ops.reserve(steps.size());
        for (detail::WorkStep& step : steps) {
            if (step.row != kNoNumber)
                describe(step.op, m_rows.rows[step.row], grids.gridOf(step.row));
            m_work.ops.push_back(step.op);
        }
        refuseTooManySteps();
        tidyPriorities();
        findUsual();
        m_work.rates = rates();
        m_work.makespan = makespan();
        m_work.title = title();
        tell();
        return std::move(m_work);
    }

private:
    void describe(experiment::RecordedOp& op, ActivityIndex row, std::uint32_t grid) {
        if (op.kind == experiment::OpKind::Kernel) {
            op.number = grid;
            return;
        }
        op.amount = m_trace.bytes(row);
        if (op.amount <= 0) {
            op.amount = std::max<std::int64_t>(1, m_trace.duration(row) / 1000 * kGuessedRate);
            ++m_gaps.unknownBytes;
        }
        if (op.kind == experiment::OpKind::CopyH2D || op.kind == experiment::OpKind::CopyD2H) {
            const MemoryKind kind =
                op.kind == experiment::OpKind::CopyH2D ? m_trace.source(row) : m_trace.target(row);
            op.memory = hostMemory(kind);
            ++(kind == MemoryKind::Unknown ? m_gaps.unknownMemory : m_gaps.knownMemory);
        }
        m_gaps.otherCopies += m_trace.cls(row) == ActivityClass::MemcpyOther ? 1 : 0;
        m_gaps.peerCopies += m_trace.cls(row) == ActivityClass::MemcpyP2P ? 1 : 0;
    }

    void refuseTooManySteps() const {
        if (m_work.ops.size() > experiment::kMostRecordedSteps)
            throw Error(ErrorKind::Usage, "too-many",
                        "With its events and waits the window has " + std::to_string(m_work.ops.size()) +
                            " steps; an experiment takes " + std::to_string(experiment::kMostRecordedSteps) +
                            " at most.",
                        "Take a shorter window.");
    }

    /// Turns CUDA's priority numbers into ranks; none if all are equal.
    void tidyPriorities() {
        auto& streams = m_work.streams;
        std::int32_t highest = std::numeric_limits<std::int32_t>::max(), lowest = 0;
        for (const experiment::RecordedStream& s : streams)
            highest = std::min(highest, static_cast<std::int32_t>(s.priorityRank));
        for (const experiment::RecordedStream& s : streams)
            lowest = std::max(lowest, static_cast<std::int32_t>(s.priorityRank) - highest);
        for (experiment::RecordedStream& s : streams) {
            const std::int32_t rank = static_cast<std::int32_t>(s.priorityRank) - highest;
            s.priorityRank = lowest == 0 || s.kind == experiment::PlannedStreamKind::Legacy
                                 ? kNoNumber
                                 : static_cast<std::uint32_t>(rank);
        }
    }

    void findUsual() {
        Usual<experiment::HostMemory> source, target;
        Usual<experiment::SyncMode> sync;
        Usual<experiment::PlannedStreamKind> kinds;
        for (const experiment::RecordedOp& op : m_work.ops) {
            if (op.kind == experiment::OpKind::CopyH2D)
                source.add(op.memory);
            else if (op.kind == experiment::OpKind::CopyD2H)
                target.add(op.memory);
            else if (op.kind == experiment::OpKind::HostSync)
                sync.add(op.sync);
        }
        for (const experiment::RecordedStream& s : m_work.streams)
            if (s.kind != experiment::PlannedStreamKind::Legacy || m_work.streams.size() == 1)
                kinds.add(s.kind);
        m_work.source = source.most(experiment::HostMemory::Pinned);
        m_work.target = target.most(experiment::HostMemory::Pinned);
        m_work.sync = sync.most(experiment::SyncMode::Device);
        m_work.streamKind = kinds.most(experiment::PlannedStreamKind::NonBlocking);
        const auto isWait = [](const experiment::RecordedOp& op) {
            return op.kind == experiment::OpKind::HostSync;
        };
        const auto isWork = [](const experiment::RecordedOp& op) {
            return experiment::classOf(op.kind).has_value();
        };
        const auto wait = std::ranges::find_if(m_work.ops, isWait);
        m_work.waits = std::any_of(wait, m_work.ops.end(), isWork);
    }

    // --- the speed of its machine

    std::int64_t rateOf(ActivityClass cls, MemoryKind host) const {
        std::vector<std::int64_t> rates;
        for (const ActivityIndex row : m_rows.rows) {
            const Ns time = m_trace.duration(row) - kCopyLatency;
            if (m_trace.cls(row) != cls || m_trace.bytes(row) < kTellingBytes || time <= 0)
                continue;
            const MemoryKind kind =
                cls == ActivityClass::MemcpyH2D ? m_trace.source(row) : m_trace.target(row);
            const bool pageable = kind == MemoryKind::Pageable;
            if (host == MemoryKind::Unknown || pageable == (host == MemoryKind::Pageable))
                rates.push_back(static_cast<std::int64_t>(static_cast<double>(m_trace.bytes(row)) * 1000 /
                                                          static_cast<double>(time)));
        }
        if (rates.empty())
            return 0;
        const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
        std::nth_element(rates.begin(), middle, rates.end());
        return *middle;
    }

    experiment::HostRates rates() const {
        using enum ActivityClass;
        return {rateOf(MemcpyH2D, MemoryKind::Pinned),  rateOf(MemcpyH2D, MemoryKind::Pageable),
                rateOf(MemcpyD2H, MemoryKind::Pinned),  rateOf(MemcpyD2H, MemoryKind::Pageable),
                rateOf(MemcpyD2D, MemoryKind::Unknown), rateOf(Memset, MemoryKind::Unknown)};
    }

    Ns makespan() const {
        Ns end = 0;
        for (const ActivityIndex row : m_rows.rows)
            end = std::max(end, m_trace.end(row));
        return end - m_trace.begin(m_rows.rows.front());
    }

    std::string title() const {
        const Interval all = m_trace.deviceSpan();
        const Ns begin = m_trace.begin(m_rows.rows.front()) - all.begin;
        if (makespan() >= all.length())
            return m_recording.title;
        const auto ms = [](Ns t) { return fixedText(static_cast<double>(t) / 1e6, 3); };
        return m_recording.title + ", " + ms(begin) + " to " + ms(begin + makespan()) + " ms";
    }

    // --- the assumptions

    void say(const char* what, std::size_t count, const char* assumed) {
        if (count > 0)
            m_work.assumed.push_back(std::string(what) + ": " + std::to_string(count) + ". " + assumed);
    }

    void tell() {
        const detail::WorkGaps& g = m_gaps;
        say("Copies that name no host memory", g.unknownMemory,
            "They are taken as pinned; h2d.memory and d2h.memory change it.");
        say("Streams that name no kind", g.unknownStreams,
            "They are taken as non-blocking; stream.kind changes it.");
        say("Operations without an API call", g.withoutCall,
            "They are taken as issued in time, unless the device stood still for longer than 0.1 ms: there "
            "the "
            "host is taken to have waited.");
        if (!m_trace.recordsStreamCalls() && !g.events)
            m_work.assumed.emplace_back(
                "Events are not recorded: the order of each stream is kept, and what "
                "the host waited for; where one stream waited for another is not known.");
        say("Waits of the host that do not say for which stream", g.waitsForWhom,
            "They are taken as waits for all of them.");
        say("Kernels without a grid", g.unknownGrids, "They are taken as 64 blocks of 256 threads.");
        say("Kernels of too many kinds to tell all apart", g.grouped,
            "Those that are alike are played with their mean duration.");
        say("Copies and memsets without a size", g.unknownBytes, "It is taken from their duration.");
        say("Copies that name no direction", g.otherCopies, "They are played as copies on the device.");
        say("Copies between devices", g.peerCopies, "They are played as copies on one.");
        say("Streams added for what ran at the same time in one stream (a graph's nodes)", g.apart,
            "The order of the times is kept.");
        say("Host functions of which no call is recorded", g.looseFunctions,
            "Each is taken to follow what ended last before it.");
        say("Streams that share one with another", g.mergedStreams, "128 are possible.");
        say("Operations of other devices, left out", m_rows.elsewhere,
            "The device with most work is played.");
        say("Migrations of managed memory, left out", m_rows.migrations,
            "They come and go with the kernels.");
        if (g.threads > 1)
            say("Host threads that issued it", g.threads, "One does now, in the order of their calls.");
        if (m_work.grids.size() > 0)
            m_work.assumed.emplace_back("What bounds the kernels is not recorded: taken as compute "
                                        "(kernel.kind=memory changes it).");
    }

    const recording::Recording& m_recording;
    const Trace& m_trace;
    detail::WorkRows m_rows;
    detail::WorkGaps m_gaps;
    experiment::RecordedWork m_work;
};

/// The settings of the recorded run, where they still apply.
void takeSettings(const experiment::Experiment& made, experiment::Experiment& like) {
    constexpr std::array<std::string_view, 5> kOthers{"kernel.kind", "device", "seed", "sim.device",
                                                      "sim.submission"};
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (!row.environment.name.empty() || std::ranges::count(kOthers, row.key) > 0)
            row.set(like, row.get(made));
}

} // namespace

experiment::HeldExperiment experimentLike(const recording::Recording& recording, Interval window) {
    experiment::HeldExperiment experiment = experiment::experimentOf(WorkMaker(recording, window).make());
    if (recording.experiment)
        takeSettings(*recording.experiment, experiment);
    return experiment;
}

experiment::HeldExperiment experimentLike(const recording::Recording& recording) {
    constexpr Interval kAll{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    return experimentLike(recording, kAll);
}

} // namespace olab::recorded_work
