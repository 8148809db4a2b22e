// Which op each issuing thread was at, by the clock of CUPTI's records. An op's calls are found again by when
// they were made: two looks at the clock for each op, where an external correlation id takes two calls into
// CUPTI and a record for each call. Private to cupti.
#pragma once

#include <olab/trace/interval_set.h>
#include <olab/trace/records.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace olab {

class OpLog {
public:
    /// What this thread does until end() belongs to `op`. Any thread; ops of a thread follow one another.
    void begin(OpId op);
    void end();
    /// Between runs: no thread is at an op, and nobody asks.
    void clear();
    /// The op during which `thread` (gettid) made a call; kNoOp: none. By the middle of the call, so that two
    /// clocks may differ by half of what a call takes. Any thread, while others are at their ops: a call that
    /// was recorded was made after its op had begun.
    OpId opOf(std::uint32_t thread, Interval call) const;

private:
    struct Span {
        Ns begin, end; ///< kOpen until it has ended
        OpId op;
    };
    /// Grows without moving what is there: a thread that issues must not stop to copy, and another may read
    /// what it has published. Each chunk is as large as all before it.
    class Spans {
    public:
        void begin(OpId op);
        void end();
        const Span* of(Ns time) const;

    private:
        static constexpr std::size_t kFirst = 8192, kChunks = 32;
        Span& at(std::size_t i) const {
            const auto chunk = static_cast<std::size_t>(std::bit_width(i / kFirst));
            return m_chunks[chunk][chunk == 0 ? i : i - (kFirst << (chunk - 1))];
        }
        Span& grown(std::size_t i);
        bool isLastBefore(std::size_t i, Ns time, std::size_t size) const;
        std::size_t lastBefore(Ns time, std::size_t size) const;
        std::array<std::unique_ptr<Span[]>, kChunks> m_chunks;
        std::atomic<std::size_t> m_size{0};           ///< spans that others may read
        mutable std::atomic<std::size_t> m_recent{0}; ///< where somebody was found last
    };
    Spans& mine();
    mutable std::mutex m_mutex;
    std::map<std::uint32_t, Spans> m_threads;
    std::uint64_t m_cleared = 0; ///< what threads remember from before is gone
};

/// A call as CUPTI recorded it.
struct RecordedCall {
    std::uint32_t thread = 0, correlation = 0;
    Interval time;
};

/// True when the times tell of every tagged call whose it was, and of no other call that it was an op's.
bool timesAgree(const std::vector<RecordedCall>& calls, const std::map<std::uint32_t, OpId>& tags,
                const OpLog& log);

} // namespace olab
