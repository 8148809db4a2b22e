#include "plan_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace olab::experiment {
namespace detail {
namespace {

bool isDeviceWork(OpKind kind) {
    const auto cls = classOf(kind);
    return cls && isDeviceClass(*cls);
}

/// Which stream each operation goes to. With fewer streams than recorded, some share one; with more, the
/// passes of a stream are distributed over several: a pass ends before the copy that brings new input.
class StreamMap {
public:
    StreamMap(std::int32_t recorded, std::int32_t wanted)
        : m_recorded(recorded)
        , m_wanted(wanted)
        , m_passes(static_cast<std::size_t>(recorded)) {}

    std::int32_t streamOf(const RecordedOp& op) {
        const std::int32_t first = op.stream % m_wanted;
        if (m_wanted <= m_recorded)
            return first;
        Pass& pass = m_passes[static_cast<std::size_t>(op.stream)];
        const bool brings = op.kind == OpKind::CopyH2D || (op.kind == OpKind::Memset && pass.wentOut);
        if (brings && pass.worked) {
            ++pass.number;
            pass.worked = pass.wentOut = false;
        }
        pass.worked = pass.worked || op.kind == OpKind::Kernel || op.kind == OpKind::CopyD2H;
        pass.wentOut = pass.wentOut || op.kind == OpKind::CopyD2H;
        return op.stream + pass.number % partsOf(op.stream) * m_recorded;
    }
    /// All streams with work of a recorded one.
    std::vector<std::int32_t> allOf(std::int32_t stream) const {
        if (m_wanted <= m_recorded)
            return {stream % m_wanted};
        std::vector<std::int32_t> all;
        for (std::int32_t i = 0; i < partsOf(stream); ++i)
            all.push_back(stream + i * m_recorded);
        return all;
    }
    std::int32_t passOf(const RecordedOp& op) const {
        return m_passes[static_cast<std::size_t>(op.stream)].number;
    }

private:
    struct Pass {
        std::int32_t number = 0;
        bool worked = false, wentOut = false;
    };
    std::int32_t partsOf(std::int32_t stream) const {
        return (m_wanted - stream + m_recorded - 1) / m_recorded;
    }
    std::int32_t m_recorded, m_wanted;
    std::vector<Pass> m_passes; ///< per recorded stream
};

class WorkPlanner {
public:
    explicit WorkPlanner(const Experiment& e)
        : m_e(e)
        , m_work(*e.work)
        , m_map(std::max<std::int32_t>(static_cast<std::int32_t>(m_work.streams.size()), 1), e.streams)
        , m_recorded(m_work.events)
        , m_busy(static_cast<std::size_t>(e.streams))
        , m_awaited(static_cast<std::size_t>(e.streams), kNoNumber)
        , m_waited(static_cast<std::size_t>(e.streams)) {}

    Schedule make() {
        planStreams();
        planWindow();
        planWarmup();
        planBuffers();
        planGate();
        planRest();
        return std::move(m_schedule);
    }

    std::int64_t count() {
        planWindow();
        return static_cast<std::int64_t>(m_schedule.ops.size());
    }

private:
    void planStreams() {
        for (std::int32_t i = 0; i < m_e.streams; ++i)
            m_schedule.streams.push_back(planned(i));
    }
    /// As recorded; a kind other than the most frequent one applies to all but the NULL stream.
    PlannedStream planned(std::int32_t i) const {
        const auto recorded = static_cast<std::int32_t>(m_work.streams.size());
        const RecordedStream& like = m_work.streams[static_cast<std::size_t>(i % recorded)];
        PlannedStream out{like.kind, 0, like.priorityRank};
        const bool isNull = like.kind == PlannedStreamKind::Legacy;
        if (m_e.streamKind != m_work.streamKind) {
            if (m_e.streamKind == PlannedStreamKind::Legacy)
                out.kind = i == 0 ? PlannedStreamKind::Legacy : PlannedStreamKind::Blocking;
            else if (!isNull || m_work.streamKind == PlannedStreamKind::Legacy)
                out.kind = m_e.streamKind;
        } else if (isNull && i >= recorded) {
            out.kind = PlannedStreamKind::NonBlocking; // there is one NULL stream
        }
        return out;
    }

    void planWindow() {
        const auto last = std::find_if(m_work.ops.rbegin(), m_work.ops.rend(), [&](const RecordedOp& op) {
            return isDeviceWork(op.kind) && isLeftIn(m_e, op.kind);
        });
        m_behindLast = static_cast<std::size_t>(m_work.ops.rend() - last);
        for (std::size_t i = 0; i < m_work.ops.size(); ++i)
            if (isLeftIn(m_e, m_work.ops[i].kind))
                step(m_work.ops[i], i < m_behindLast);
        if (m_schedule.ops.empty() || m_schedule.ops.back().kind != OpKind::HostSync ||
            m_schedule.ops.back().stream != kAllStreams)
            sync(kAllStreams, SyncMode::Device);
        m_schedule.units = {{0, static_cast<std::uint32_t>(m_schedule.ops.size()), 0, kNoOp}};
        m_schedule.events = m_events;
    }

    void step(const RecordedOp& op, bool moreToCome) {
        switch (op.kind) {
        case OpKind::EventRecord:
            m_recorded[op.number] = record(m_map.allOf(op.stream));
            return;
        case OpKind::EventWait:
            return wait(op);
        case OpKind::HostSync:
            return hostSync(op, moreToCome);
        case OpKind::HostWork:
            if (moreToCome)
                push({.kind = op.kind, .bytes = op.amount});
            return;
        default:
            return work(op);
        }
    }

    void work(const RecordedOp& recorded) {
        const std::int32_t stream = m_map.streamOf(recorded);
        waitBehindHost(stream);
        Op op{.kind = recorded.kind,
              .memory = memoryOf(recorded),
              .pipeline = stream,
              .iteration = m_map.passOf(recorded),
              .bytes = recorded.kind == OpKind::Kernel ? 0 : recorded.amount,
              .stream = stream};
        op.pipeline = ownerOf(op);
        op.solo = soloOf(op, recorded.number);
        m_busy[static_cast<std::size_t>(stream)] = true;
        push(op);
        if (m_e.syncEvery == SyncEvery::Op && isDeviceWork(op.kind))
            sync(m_e.sync == SyncMode::Device ? kAllStreams : stream, m_e.sync);
    }

    HostMemory memoryOf(const RecordedOp& op) const {
        if (op.kind == OpKind::CopyH2D)
            return m_e.h2dMemory == m_work.source ? op.memory : m_e.h2dMemory;
        if (op.kind == OpKind::CopyD2H)
            return m_e.d2hMemory == m_work.target ? op.memory : m_e.d2hMemory;
        return {};
    }

    /// A stream that copies from several kinds of memory has buffers of each: its own, which have its number,
    /// and those of further kinds.
    std::int32_t ownerOf(const Op& op) {
        if (op.kind != OpKind::CopyH2D && op.kind != OpKind::CopyD2H)
            return op.stream;
        auto& kinds = m_memory[{op.stream, op.kind}];
        auto found = std::ranges::find(kinds, op.memory);
        if (found == kinds.end())
            found = kinds.insert(kinds.end(), op.memory);
        return op.stream + static_cast<std::int32_t>(found - kinds.begin()) * m_e.streams;
    }

    // --- events

    std::uint32_t newEvent() { return m_events++; }

    /// What is in these streams so far; nothing for empty ones.
    std::vector<std::pair<std::int32_t, std::uint32_t>> record(const std::vector<std::int32_t>& streams) {
        std::vector<std::pair<std::int32_t, std::uint32_t>> made;
        for (const std::int32_t stream : streams)
            if (m_busy[static_cast<std::size_t>(stream)]) {
                made.emplace_back(stream, newEvent());
                push({.kind = OpKind::EventRecord,
                      .pipeline = stream,
                      .stream = stream,
                      .event = made.back().second});
            }
        return made;
    }

    void wait(const RecordedOp& op) {
        for (const std::int32_t waiting : m_map.allOf(op.stream))
            for (const auto& [stream, event] : m_recorded[op.number])
                if (stream != waiting || m_e.streams >= static_cast<int>(m_work.streams.size())) {
                    pushWait(waiting, event);
                    m_busy[static_cast<std::size_t>(waiting)] = true;
                }
    }

    void pushWait(std::int32_t stream, std::uint32_t event) {
        push({.kind = OpKind::EventWait, .pipeline = stream, .stream = stream, .event = event});
    }

    // --- waits of the host

    void hostSync(const RecordedOp& op, bool moreToCome) {
        const bool all = op.sync == SyncMode::Device;
        if (m_e.syncEvery == SyncEvery::End) {
            if (moreToCome)
                orderByEvents(all ? everyStream() : m_map.allOf(op.stream));
            return;
        }
        const SyncMode mode = m_e.sync == m_work.sync ? op.sync : m_e.sync;
        if (mode == SyncMode::Device)
            return sync(kAllStreams, mode);
        for (const std::int32_t stream : all ? everyStream() : m_map.allOf(op.stream))
            sync(stream, mode);
    }

    std::vector<std::int32_t> everyStream() const {
        std::vector<std::int32_t> all(static_cast<std::size_t>(m_e.streams));
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<std::int32_t>(i);
        return all;
    }

    /// Replaces a host wait: later work is ordered after the same work, by events.
    void orderByEvents(const std::vector<std::int32_t>& streams) {
        for (const auto& [stream, event] : record(streams))
            m_awaited[static_cast<std::size_t>(stream)] = event;
    }

    void waitBehindHost(std::int32_t stream) {
        auto& waited = m_waited[static_cast<std::size_t>(stream)];
        for (std::size_t other = 0; other < m_awaited.size(); ++other) {
            const std::uint32_t event = m_awaited[other];
            if (event == kNoNumber || static_cast<std::int32_t>(other) == stream)
                continue;
            const auto [seen, fresh] = waited.try_emplace(other, event);
            if (!fresh && seen->second == event)
                continue;
            seen->second = event;
            pushWait(stream, event);
        }
    }

    void sync(std::int32_t stream, SyncMode mode) {
        push({.kind = OpKind::HostSync, .sync = mode, .pipeline = std::max(stream, 0), .stream = stream});
        m_schedule.waitsByEvent = m_schedule.waitsByEvent || waitsByEvent(mode);
    }

    void push(Op op) {
        op.id = OpId{static_cast<std::uint32_t>(m_schedule.ops.size())};
        if (const auto cls = classOf(op.kind))
            ++m_schedule.expected[static_cast<std::size_t>(*cls)];
        m_schedule.ops.push_back(op);
    }

    std::uint32_t soloOf(const Op& op, std::uint32_t grid) {
        if (!isDeviceWork(op.kind))
            return kNoNumber;
        const SoloOp solo{op.kind, op.bytes, op.memory, op.kind == OpKind::Kernel ? grid : kNoNumber};
        const auto next = static_cast<std::uint32_t>(m_schedule.solos.size());
        const auto [at, fresh] = m_solos.try_emplace({solo.kind, solo.bytes, solo.memory, solo.grid}, next);
        if (fresh) {
            m_schedule.solos.push_back(solo);
            m_firstOfSolo.push_back(op);
        }
        return at->second;
    }

    // --- outside the window

    /// Each distinct operation once: code is loaded, memory touched.
    void planWarmup() {
        if (m_e.warmup == 0)
            return;
        for (std::uint32_t i = 0; i < m_firstOfSolo.size(); ++i) {
            Op op = m_firstOfSolo[i];
            op.id = kNoOp;
            op.solo = i;
            m_schedule.warmup.push_back(op);
        }
    }

    void planBuffers() {
        std::map<std::pair<std::int32_t, BufferRole>, Buffer> rows;
        for (const Op& op : m_schedule.ops)
            addBuffers(op, rows);
        for (const auto& [key, row] : rows)
            m_schedule.buffers.add(row, key.first);
        m_schedule.deviceBytes = m_schedule.buffers.bytesIn(BufferPlace::Device);
        m_schedule.hostBytes = m_schedule.buffers.bytesIn(BufferPlace::Host);
    }

    using Rows = std::map<std::pair<std::int32_t, BufferRole>, Buffer>;
    static void need(Rows& rows, std::int32_t owner, BufferRole role, BufferPlace place, const Op& op) {
        Buffer& row = rows[{owner, role}];
        row.bytes = std::max(row.bytes, op.bytes);
        row.pipeline = op.stream;
        row.role = role;
        row.place = place;
        row.memory = place == BufferPlace::Host ? op.memory : HostMemory{};
    }
    static void addBuffers(const Op& op, Rows& rows) {
        using enum BufferRole;
        switch (op.kind) {
        case OpKind::CopyH2D:
            need(rows, op.pipeline, Source, BufferPlace::Host, op);
            return need(rows, op.pipeline, Input, BufferPlace::Device, op);
        case OpKind::CopyD2H:
            need(rows, op.pipeline, Target, BufferPlace::Host, op);
            return need(rows, op.pipeline, Output, BufferPlace::Device, op);
        case OpKind::FillCopy:
            need(rows, op.device, Zeros, BufferPlace::Device, op);
            [[fallthrough]];
        case OpKind::Memset:
            return need(rows, op.pipeline, Scratch, BufferPlace::Device, op);
        default:
            return;
        }
    }

    void planGate() {
        m_schedule.useGate = m_e.gate;
        const auto waits = std::ranges::find(m_schedule.ops, OpKind::HostSync, &Op::kind);
        const bool early = std::any_of(waits, m_schedule.ops.end(),
                                       [](const Op& op) { return op.kind != OpKind::HostSync; });
        if (!m_e.gate || !early)
            return;
        m_schedule.useGate = false;
        m_schedule.gateOffReason = "the host waits for the device while it issues";
    }

    void planRest() {
        const bool byEvent = m_schedule.waitsByEvent;
        planSettings(m_e, m_schedule);
        m_schedule.waitsByEvent = byEvent;
        m_schedule.checksData = false;
        m_schedule.grids = m_work.grids;
        m_schedule.kernel.launched = m_schedule.expected[static_cast<std::size_t>(ActivityClass::Kernel)] > 0;
        m_schedule.kernel.kind = m_e.kernelKind;
        m_schedule.kernel.threads = 256;
        for (const PlannedGrid& grid : m_work.grids)
            m_schedule.kernel.duration = std::max(m_schedule.kernel.duration, grid.duration);
        if (m_e.simDevice == Experiment{}.simDevice) // another choice implies its own rates
            m_schedule.simulator.rates = m_work.rates;
    }

    const Experiment& m_e;
    const RecordedWork& m_work;
    StreamMap m_map;
    Schedule m_schedule;
    std::vector<std::vector<std::pair<std::int32_t, std::uint32_t>>>
        m_recorded;                       ///< per recorded event: the streams and their events
    std::vector<bool> m_busy;             ///< per stream: something is in it
    std::vector<std::uint32_t> m_awaited; ///< per stream: the event that replaces the host's last wait for it
    std::vector<std::map<std::size_t, std::uint32_t>> m_waited; ///< per stream: those it already awaits
    std::map<std::pair<std::int32_t, OpKind>, std::vector<HostMemory>> m_memory;
    std::map<std::tuple<OpKind, std::int64_t, HostMemory, std::uint32_t>, std::uint32_t> m_solos;
    std::vector<Op> m_firstOfSolo;
    std::uint32_t m_events = 0;
    std::size_t m_behindLast = 0;
};

} // namespace

bool isLeftIn(const Experiment& e, OpKind kind) {
    switch (kind) {
    case OpKind::CopyH2D:
        return e.h2d;
    case OpKind::Memset:
        return e.memset;
    case OpKind::Kernel:
        return e.kernel;
    case OpKind::CopyD2H:
        return e.d2h;
    case OpKind::HostFn:
        return e.callback;
    default:
        return true;
    }
}

Schedule planWork(const Experiment& experiment) {
    return WorkPlanner(experiment).make();
}

std::int64_t plannedWorkOps(const Experiment& experiment) {
    return WorkPlanner(experiment).count();
}

} // namespace detail

const PlannedGrid* gridOf(const Schedule& schedule, const Op& op) {
    if (op.kind != OpKind::Kernel || op.solo == kNoNumber)
        return nullptr;
    const std::uint32_t grid = schedule.solos[op.solo].grid;
    return grid == kNoNumber ? nullptr : &schedule.grids[grid];
}

} // namespace olab::experiment
