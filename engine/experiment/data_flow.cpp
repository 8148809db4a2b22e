#include <olab/experiment/data_flow.h>

#include <algorithm>
#include <array>

namespace olab::experiment {
namespace {

bool readsOutput(OpKind kind) {
    return kind == OpKind::CopyD2H || kind == OpKind::PeerCopy;
}

bool reads(OpKind kind, DataBuffer buffer) {
    return buffer == DataBuffer::Output ? readsOutput(kind) : kind == OpKind::Kernel;
}

constexpr std::array kBuffers{DataBuffer::Input, DataBuffer::Scratch, DataBuffer::Output};

/// The writers of each buffer in a pipeline's current pass.
struct Pass {
    std::array<OpId, kDataBuffers> writer{kNoOp, kNoOp, kNoOp};
    std::int32_t iteration = -1;
};

/// Whether one op has ended before another may start, by the plan alone.
class PlannedOrder {
public:
    explicit PlannedOrder(const Schedule& schedule)
        : m_edges(dependencies(schedule))
        , m_first(schedule.ops.size() + 1)
        , m_seen(schedule.ops.size()) {
        for (const Edge& edge : m_edges)
            ++m_first[edge.after.value + 1];
        for (std::size_t i = 1; i < m_first.size(); ++i)
            m_first[i] += m_first[i - 1];
        std::stable_sort(m_edges.begin(), m_edges.end(),
                         [](const Edge& a, const Edge& b) { return a.after.value < b.after.value; });
    }

    /// Edges lead from earlier ops to later ones: ops before `before` need not be visited.
    bool isBefore(OpId before, OpId after) {
        ++m_round;
        m_open.assign(1, after.value);
        while (!m_open.empty()) {
            const std::uint32_t op = m_open.back();
            m_open.pop_back();
            for (std::uint32_t i = m_first[op]; i < m_first[op + 1]; ++i) {
                const std::uint32_t earlier = m_edges[i].before.value;
                if (earlier == before.value)
                    return true;
                if (earlier > before.value && m_seen[earlier] != m_round) {
                    m_seen[earlier] = m_round;
                    m_open.push_back(earlier);
                }
            }
        }
        return false;
    }

private:
    std::vector<Edge> m_edges;          ///< by `after`
    std::vector<std::uint32_t> m_first; ///< per op: the first of its edges
    std::vector<std::uint32_t> m_seen;  ///< per op: the round in which it was visited
    std::vector<std::uint32_t> m_open;
    std::uint32_t m_round = 0;
};

/// What last used each buffer, while the ops are gone through in nominal order.
class BufferUses {
public:
    struct Use { ///< the last op that changed a buffer, and its readers since
        OpId writer = kNoOp;
        std::vector<OpId> readers;
    };

    explicit BufferUses(const Schedule& schedule)
        : m_schedule(schedule)
        , m_uses((schedule.streams.size() + static_cast<std::size_t>(schedule.devices)) * kDataBuffers) {}

    /// An op of the NULL stream has memory of its own.
    bool has(const Op& op, DataBuffer buffer) const {
        return op.pipeline >= 0 || isSharedBuffer(m_schedule, buffer);
    }
    /// The ops that must have ended before `op` uses the buffer.
    std::vector<OpId> before(const Op& op, DataBuffer buffer) {
        const bool written = changes(op.kind, buffer);
        const Use& last = use(op, buffer);
        if (written && !last.readers.empty())
            return last.readers;
        if ((written || reads(op.kind, buffer)) && last.writer != kNoOp)
            return {last.writer};
        return {};
    }
    void note(const Op& op, DataBuffer buffer) {
        if (changes(op.kind, buffer))
            use(op, buffer) = {op.id, {}};
        else if (reads(op.kind, buffer))
            use(op, buffer).readers.push_back(op.id);
    }
    OpId writer(const Op& op, DataBuffer buffer) { return use(op, buffer).writer; }

private:
    Use& use(const Op& op, DataBuffer buffer) {
        const std::size_t place = isSharedBuffer(m_schedule, buffer)
                                      ? m_schedule.streams.size() + static_cast<std::size_t>(op.device)
                                      : static_cast<std::size_t>(op.pipeline);
        return m_uses[place * kDataBuffers + static_cast<std::size_t>(buffer)];
    }
    const Schedule& m_schedule;
    std::vector<Use> m_uses; ///< per pipeline, then per device, the buffers
};

/// Only buffers whose content somebody needs matter.
std::array<bool, kDataBuffers> neededBuffers(const std::vector<DataNeed>& needs) {
    std::array<bool, kDataBuffers> needed{};
    for (const DataNeed& need : needs)
        needed[static_cast<std::size_t>(need.buffer)] = true;
    return needed;
}

/// Goes through the ops in nominal order: each must be ordered after those that used its buffers before.
class RaceFinder {
public:
    explicit RaceFinder(const Schedule& schedule)
        : m_schedule(schedule)
        , m_order(schedule)
        , m_needs(dataNeeds(schedule))
        , m_matters(neededBuffers(m_needs))
        , m_uses(schedule) {}

    bool finds() {
        for (const Op& op : m_schedule.ops)
            for (const DataBuffer buffer : kBuffers)
                if (m_matters[static_cast<std::size_t>(buffer)] && !isOrdered(op, buffer))
                    return true;
        return false;
    }

private:
    bool isOrdered(const Op& op, DataBuffer buffer) {
        if (!m_uses.has(op, buffer))
            return true;
        const bool ordered = (!reads(op.kind, buffer) || meetsItsOwn(op, buffer)) &&
                             std::ranges::all_of(m_uses.before(op, buffer), [&](OpId earlier) {
                                 return m_order.isBefore(earlier, op.id);
                             });
        m_uses.note(op, buffer);
        return ordered;
    }

    /// No op wrote between the one it needs and itself. Needs are in op order.
    bool meetsItsOwn(const Op& op, DataBuffer buffer) {
        while (m_at < m_needs.size() && m_needs[m_at].reader.value < op.id.value)
            ++m_at;
        for (std::size_t i = m_at; i < m_needs.size() && m_needs[i].reader == op.id; ++i)
            if (m_needs[i].buffer == buffer && m_needs[i].writer != m_uses.writer(op, buffer))
                return false;
        return true;
    }

    const Schedule& m_schedule;
    PlannedOrder m_order;
    std::vector<DataNeed> m_needs;
    std::size_t m_at = 0;
    std::array<bool, kDataBuffers> m_matters;
    BufferUses m_uses;
};

} // namespace

std::optional<DataBuffer> writtenBy(OpKind kind) {
    switch (kind) {
    case OpKind::CopyH2D:
        return DataBuffer::Input;
    case OpKind::Memset:
    case OpKind::FillKernel:
    case OpKind::FillCopy:
        return DataBuffer::Scratch;
    case OpKind::Kernel:
        return DataBuffer::Output;
    default:
        return std::nullopt;
    }
}

bool changes(OpKind kind, DataBuffer buffer) {
    return kind == OpKind::Kernel || writtenBy(kind) == buffer;
}

std::vector<DataNeed> dataNeeds(const Schedule& schedule) {
    std::vector<DataNeed> needs;
    if (!schedule.checksData)
        return needs;
    std::vector<Pass> passes(schedule.streams.size());
    for (const Op& op : schedule.ops) {
        const auto written = writtenBy(op.kind);
        if (!written && !readsOutput(op.kind))
            continue;
        Pass& pass = passes[static_cast<std::size_t>(op.pipeline)];
        if (pass.iteration != op.iteration)
            pass = {{kNoOp, kNoOp, kNoOp}, op.iteration};
        for (const DataBuffer buffer : kBuffers)
            if (const OpId writer = pass.writer[static_cast<std::size_t>(buffer)];
                reads(op.kind, buffer) && writer != kNoOp)
                needs.push_back({writer, op.id, buffer});
        if (written)
            pass.writer[static_cast<std::size_t>(*written)] = op.id;
    }
    return needs;
}

std::vector<DataOrder> dataOrder(const Schedule& schedule) {
    const auto matters = neededBuffers(dataNeeds(schedule));
    BufferUses uses(schedule);
    std::vector<DataOrder> order;
    for (const Op& op : schedule.ops)
        for (const DataBuffer buffer : kBuffers) {
            if (!matters[static_cast<std::size_t>(buffer)] || !uses.has(op, buffer))
                continue;
            for (const OpId before : uses.before(op, buffer))
                order.push_back({before, op.id});
            uses.note(op, buffer);
        }
    return order;
}

bool isSharedBuffer(const Schedule& schedule, DataBuffer buffer) {
    constexpr std::array kRoles{BufferRole::Input, BufferRole::Scratch, BufferRole::Output};
    return schedule.buffers.isShared(kRoles[static_cast<std::size_t>(buffer)]);
}

bool mayRace(const Schedule& schedule) {
    return schedule.checksData && RaceFinder(schedule).finds();
}

} // namespace olab::experiment
