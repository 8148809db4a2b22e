#include "race_check.h"

#include <algorithm>
#include <array>
#include <optional>

namespace olab::sim {
namespace {

/// The buffers that steps hand each other.
enum Buffer : std::uint8_t { Input, Scratch, Output, BufferCount };

std::optional<Buffer> writtenBy(OpKind kind) {
    switch (kind) {
    case OpKind::CopyH2D:
        return Input;
    case OpKind::Memset:
    case OpKind::FillKernel:
    case OpKind::FillCopy:
        return Scratch;
    case OpKind::Kernel:
        return Output;
    default:
        return std::nullopt;
    }
}

bool readsOutput(OpKind kind) {
    return kind == OpKind::CopyD2H || kind == OpKind::PeerCopy;
}

struct Access {
    Ns begin = 0, end = 0;
    std::int32_t pipeline = 0;
    friend bool operator<(const Access& a, const Access& b) { return a.begin < b.begin; }
};

/// All writes of one buffer that several pipelines share, by begin, and up to each the latest end of another
/// pipeline than the one that has the latest of all.
class SharedBuffer {
public:
    void add(const Access& access) { m_accesses.push_back(access); }

    void prepare() {
        std::sort(m_accesses.begin(), m_accesses.end());
        Latest latest;
        for (const Access& access : m_accesses) {
            latest.note(access);
            m_latest.push_back(latest);
        }
    }

    /// Whether a pipeline other than `mine` touched it between `from` and `to`.
    bool touchedByOther(std::int32_t mine, Ns from, Ns to) const {
        const auto after = std::lower_bound(m_accesses.begin(), m_accesses.end(), Access{to, to, 0});
        if (after == m_accesses.begin())
            return false;
        const Latest& latest = m_latest[static_cast<std::size_t>(after - m_accesses.begin()) - 1];
        return (latest.pipeline == mine ? latest.otherEnd : latest.end) > from;
    }

private:
    struct Latest {
        Ns end = 0, otherEnd = 0;
        std::int32_t pipeline = -1;
        void note(const Access& a) {
            if (a.pipeline == pipeline) {
                end = std::max(end, a.end);
            } else if (a.end > end) {
                otherEnd = end;
                end = a.end;
                pipeline = a.pipeline;
            } else {
                otherEnd = std::max(otherEnd, a.end);
            }
        }
    };
    std::vector<Access> m_accesses;
    std::vector<Latest> m_latest;
};

class RaceCheck {
public:
    RaceCheck(const Schedule& schedule, const Program& program)
        : m_schedule(schedule)
        , m_program(program)
        , m_shared(schedule.experiment.buffers == BufferUse::Shared ? BufferCount * program.devices : 0)
        , m_fed(schedule.streams.size()) {
        // Constant memory has a slice for each pipeline, whatever the buffers are.
        m_ownInput = schedule.experiment.h2dTarget == CopyTarget::Constant;
    }

    std::uint64_t count() {
        if (!m_shared.empty())
            gather();
        std::uint64_t wrong = 0;
        for (const Op& op : m_schedule.ops)
            wrong += meetsWrongData(op) ? 1 : 0;
        return wrong;
    }

private:
    struct Fed { ///< who wrote what, of a pipeline's present pass
        std::array<std::uint32_t, BufferCount> writer{kNone, kNone, kNone};
        std::int32_t iteration = -1;
    };

    const SimOp& timesOf(std::uint32_t op) const { return m_program.ops[op]; }
    SharedBuffer& shared(std::int32_t device, Buffer buffer) {
        return m_shared[static_cast<std::size_t>(device) * BufferCount + buffer];
    }

    /// A kernel also spoils what it has read: it marks it as used.
    void gather() {
        for (const Op& op : m_schedule.ops) {
            const auto written = writtenBy(op.kind);
            if (!written)
                continue;
            const Access access{timesOf(op.id.value).begin, timesOf(op.id.value).end, op.pipeline};
            shared(op.device, *written).add(access);
            if (op.kind != OpKind::Kernel)
                continue;
            shared(op.device, Input).add(access);
            shared(op.device, Scratch).add(access);
        }
        for (SharedBuffer& buffer : m_shared)
            buffer.prepare();
    }

    bool meetsWrongData(const Op& op) {
        const auto written = writtenBy(op.kind);
        if (!written && !readsOutput(op.kind))
            return false;
        Fed& fed = m_fed[static_cast<std::size_t>(op.pipeline)];
        if (fed.iteration != op.iteration)
            fed = {{kNone, kNone, kNone}, op.iteration};
        bool wrong = false;
        if (op.kind == OpKind::Kernel)
            wrong = isWrong(op, fed, Input) || isWrong(op, fed, Scratch);
        else if (readsOutput(op.kind))
            wrong = isWrong(op, fed, Output);
        if (written)
            fed.writer[*written] = op.id.value;
        return wrong;
    }

    bool isWrong(const Op& op, const Fed& fed, Buffer buffer) {
        if (fed.writer[buffer] == kNone)
            return false;
        const SimOp &writer = timesOf(fed.writer[buffer]), &reader = timesOf(op.id.value);
        if (writer.end > reader.begin)
            return true;
        if (m_shared.empty() || (buffer == Input && m_ownInput))
            return false;
        return shared(op.device, buffer).touchedByOther(op.pipeline, writer.begin, reader.end);
    }

    const Schedule& m_schedule;
    const Program& m_program;
    std::vector<SharedBuffer> m_shared; ///< per device; empty when every pipeline has its own
    std::vector<Fed> m_fed;             ///< per pipeline
    bool m_ownInput = false;
};

} // namespace

std::uint64_t racesIn(const Schedule& schedule, const Program& program) {
    return RaceCheck(schedule, program).count();
}

} // namespace olab::sim
