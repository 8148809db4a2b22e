#include "race_check.h"

#include <olab/experiment/data_flow.h>

#include <algorithm>
#include <vector>

namespace olab::sim {
namespace {

struct Access {
    Ns begin = 0, end = 0;
    std::int64_t pass = 0; ///< of all pipelines
    friend bool operator<(const Access& a, const Access& b) { return a.begin < b.begin; }
};

/// All writes to one buffer, by begin, and for each prefix the latest end of any pass, and of any other pass
/// than that.
class WrittenBuffer {
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

    /// Whether a pass other than `mine` accessed it between `from` and `to`.
    bool touchedByOther(std::int64_t mine, Ns from, Ns to) const {
        const auto after = std::lower_bound(m_accesses.begin(), m_accesses.end(), Access{to, to, 0});
        if (after == m_accesses.begin())
            return false;
        const Latest& latest = m_latest[static_cast<std::size_t>(after - m_accesses.begin()) - 1];
        return (latest.pass == mine ? latest.otherEnd : latest.end) > from;
    }

private:
    struct Latest {
        Ns end = 0, otherEnd = 0;
        std::int64_t pass = -1;
        void note(const Access& a) {
            if (a.pass == pass) {
                end = std::max(end, a.end);
            } else if (a.end > end) {
                otherEnd = end;
                end = a.end;
                pass = a.pass;
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
        , m_buffers((schedule.streams.size() + program.devices) * experiment::kDataBuffers) {}

    /// Counts ops, however many of their needs were not met.
    std::uint64_t count() {
        const std::vector<experiment::DataNeed> needs = experiment::dataNeeds(m_schedule);
        if (!needs.empty())
            gather();
        std::uint64_t wrong = 0;
        OpId last = kNoOp;
        for (const experiment::DataNeed& need : needs)
            if (need.reader != last && isWrong(need)) {
                last = need.reader;
                ++wrong;
            }
        return wrong;
    }

private:
    const SimOp& timesOf(OpId op) const { return m_program.ops[op.value]; }
    /// Its pipeline's, or that of its device.
    WrittenBuffer& bufferOf(const experiment::Op& op, experiment::DataBuffer buffer) {
        const std::size_t owner = experiment::isSharedBuffer(m_schedule, buffer)
                                      ? m_schedule.streams.size() + static_cast<std::size_t>(op.device)
                                      : static_cast<std::size_t>(op.pipeline);
        return m_buffers[owner * experiment::kDataBuffers + static_cast<std::size_t>(buffer)];
    }
    std::int64_t passOf(const experiment::Op& op) const {
        return static_cast<std::int64_t>(m_schedule.streams.size()) * op.iteration + op.pipeline;
    }

    void gather() {
        for (const experiment::Op& op : m_schedule.ops)
            for (const experiment::DataBuffer buffer :
                 {experiment::DataBuffer::Input, experiment::DataBuffer::Scratch,
                  experiment::DataBuffer::Output})
                if (experiment::changes(op.kind, buffer))
                    bufferOf(op, buffer).add({timesOf(op.id).begin, timesOf(op.id).end, passOf(op)});
        for (WrittenBuffer& buffer : m_buffers)
            buffer.prepare();
    }

    bool isWrong(const experiment::DataNeed& need) {
        const SimOp &writer = timesOf(need.writer), &reader = timesOf(need.reader);
        if (writer.end > reader.begin)
            return true;
        const experiment::Op& op = m_schedule.ops[need.reader.value];
        return bufferOf(op, need.buffer).touchedByOther(passOf(op), writer.begin, reader.end);
    }

    const experiment::Schedule& m_schedule;
    const Program& m_program;
    std::vector<WrittenBuffer> m_buffers; ///< per pipeline, then per device
};

} // namespace

std::uint64_t racesIn(const experiment::Schedule& schedule, const Program& program) {
    return RaceCheck(schedule, program).count();
}

} // namespace olab::sim
