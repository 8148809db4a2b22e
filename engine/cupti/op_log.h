// Which op each issuing thread worked on, by the clock of CUPTI's records. The calls of an op are identified
// by their time: this takes two clock readings per op, while an external correlation id takes two calls into
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

namespace olab::cupti {

class OpLog {
public:
    /// Calls of this thread until end() belong to `op`. Any thread; ops of a thread follow one another.
    void begin(OpId op);
    void end();
    /// Between runs: no thread works on an op, and there are no queries.
    void clear();
    /// The op during which `thread` (gettid) made a call; kNoOp: none. Uses the middle of the call, so that
    /// the clocks may differ by half the duration of a call. Any thread, while others work on ops: a recorded
    /// call was made after its op had begun.
    OpId opOf(std::uint32_t thread, Interval call) const;
    static Ns now(); ///< by the clock of CUPTI's records

private:
    struct Span {
        Ns begin, end; ///< kOpen until it has ended
        OpId op;
    };
    /// Grows without moving its content: an issuing thread must not stop to copy, and others may read what it
    /// has published. Each chunk is as large as all before it.
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
        mutable std::atomic<std::size_t> m_recent{0}; ///< position of the last hit
    };
    Spans& mine();
    mutable std::mutex m_mutex;
    std::map<std::uint32_t, Spans> m_threads;
    std::uint64_t m_cleared = 0; ///< invalidates what threads remember from before
};

/// A call as CUPTI recorded it.
struct RecordedCall {
    std::uint32_t thread = 0, correlation = 0;
    Interval time;
};

/// True if the times give the right op for every tagged call, and no op for any other call.
bool timesAgree(const std::vector<RecordedCall>& calls, const std::map<std::uint32_t, OpId>& tags,
                const OpLog& log);

} // namespace olab::cupti
