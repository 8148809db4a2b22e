#include "race_check.h"

#include <olab/experiment/data_flow.h>

#include <algorithm>

namespace olab::sim {
namespace {

struct Access {
    Ns begin = 0, end = 0;
    std::int32_t pipeline = 0;
    friend bool operator<(const Access& a, const Access& b) { return a.begin < b.begin; }
};

/// All writes to one shared buffer, by begin, and for each prefix the latest end of any pipeline, and of any
/// other pipeline than that.
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

    /// Whether a pipeline other than `mine` accessed it between `from` and `to`.
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
    RaceCheck(const experiment::Schedule& schedule, const Program& program)
        : m_schedule(schedule)
        , m_program(program)
        , m_shared(schedule.buffers.sharesAny() ? experiment::kDataBuffers * program.devices : 0) {}

    /// Counts ops, however many of their needs were not met.
    std::uint64_t count() {
        if (!m_shared.empty())
            gather();
        std::uint64_t wrong = 0;
        OpId last = kNoOp;
        for (const experiment::DataNeed& need : experiment::dataNeeds(m_schedule))
            if (need.reader != last && isWrong(need)) {
                last = need.reader;
                ++wrong;
            }
        return wrong;
    }

private:
    const SimOp& timesOf(OpId op) const { return m_program.ops[op.value]; }
    SharedBuffer& shared(std::int32_t device, experiment::DataBuffer buffer) {
        return m_shared[static_cast<std::size_t>(device) * experiment::kDataBuffers +
                        static_cast<std::size_t>(buffer)];
    }

    void gather() {
        for (const experiment::Op& op : m_schedule.ops)
            for (const experiment::DataBuffer buffer :
                 {experiment::DataBuffer::Input, experiment::DataBuffer::Scratch,
                  experiment::DataBuffer::Output})
                if (experiment::changes(op.kind, buffer))
                    shared(op.device, buffer).add({timesOf(op.id).begin, timesOf(op.id).end, op.pipeline});
        for (SharedBuffer& buffer : m_shared)
            buffer.prepare();
    }

    bool isWrong(const experiment::DataNeed& need) {
        const SimOp &writer = timesOf(need.writer), &reader = timesOf(need.reader);
        if (writer.end > reader.begin)
            return true;
        const experiment::Op& op = m_schedule.ops[need.reader.value];
        return experiment::isSharedBuffer(m_schedule, need.buffer) &&
               shared(op.device, need.buffer).touchedByOther(op.pipeline, writer.begin, reader.end);
    }

    const experiment::Schedule& m_schedule;
    const Program& m_program;
    std::vector<SharedBuffer> m_shared; ///< per device; empty when every pipeline has its own
};

} // namespace

std::uint64_t racesIn(const experiment::Schedule& schedule, const Program& program) {
    return RaceCheck(schedule, program).count();
}

} // namespace olab::sim
