#include "op_log.h"

#include <olab/trace/error.h>
#include <olab/trace/index_search.h>

#include <ctime>
#include <limits>
#include <unistd.h>

namespace olab::cupti {
namespace {

constexpr Ns kOpen = std::numeric_limits<Ns>::max();

} // namespace

// On Linux.
Ns OpLog::now() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return Ns{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

OpLog::Span& OpLog::Spans::grown(std::size_t i) {
    const auto chunk = static_cast<std::size_t>(std::bit_width(i / kFirst));
    if (chunk >= kChunks)
        throw Error(ErrorKind::Internal, "too-many-ops",
                    "A thread has issued more operations than can be told apart.",
                    "Make the experiment shorter.");
    if (!m_chunks[chunk]) // its pages are touched only when needed
        m_chunks[chunk] = std::make_unique_for_overwrite<Span[]>(chunk == 0 ? kFirst : kFirst << (chunk - 1));
    return at(i);
}

void OpLog::Spans::begin(OpId op) {
    const std::size_t i = m_size.load(std::memory_order_relaxed);
    Span& span = grown(i);
    span.op = op;
    span.end = kOpen;
    span.begin = now(); // as late as possible
    m_size.store(i + 1, std::memory_order_release);
}

void OpLog::Spans::end() {
    const Ns time = now();
    Span& last = at(m_size.load(std::memory_order_relaxed) - 1);
    std::atomic_ref<Ns>(last.end).store(time, std::memory_order_release);
}

/// Whether `i` is the last of `size` that had begun by `time`.
bool OpLog::Spans::isLastBefore(std::size_t i, Ns time, std::size_t size) const {
    return i < size && at(i).begin <= time && (i + 1 == size || at(i + 1).begin > time);
}

std::size_t OpLog::Spans::lastBefore(Ns time, std::size_t size) const {
    return firstNotBefore(0, size, [&](std::size_t i) { return at(i).begin <= time; }) - 1;
}

/// A thread's calls mostly arrive in order: the one after the last is checked first.
const OpLog::Span* OpLog::Spans::of(Ns time) const {
    const std::size_t size = m_size.load(std::memory_order_acquire);
    if (size == 0 || time < at(0).begin)
        return nullptr;
    std::size_t i = m_recent.load(std::memory_order_relaxed);
    if (!isLastBefore(i, time, size) && !isLastBefore(++i, time, size))
        i = lastBefore(time, size);
    m_recent.store(i, std::memory_order_relaxed);
    if (std::atomic_ref<Ns>(at(i).end).load(std::memory_order_acquire) < time)
        return nullptr;
    return &at(i);
}

OpLog::Spans& OpLog::mine() {
    struct Known {
        const OpLog* log = nullptr;
        std::uint64_t cleared = 0;
        Spans* spans = nullptr;
    };
    thread_local Known known;
    if (known.log == this && known.cleared == m_cleared)
        return *known.spans;
    const std::lock_guard lock(m_mutex);
    known = {this, m_cleared, &m_threads[static_cast<std::uint32_t>(::gettid())]};
    return *known.spans;
}

void OpLog::begin(OpId op) {
    mine().begin(op);
}

void OpLog::end() {
    mine().end();
}

void OpLog::clear() {
    const std::lock_guard lock(m_mutex);
    m_threads.clear();
    ++m_cleared;
}

OpId OpLog::opOf(std::uint32_t thread, Interval call) const {
    const std::lock_guard lock(m_mutex);
    const auto spans = m_threads.find(thread);
    if (spans == m_threads.end())
        return kNoOp;
    const Span* const span = spans->second.of(call.begin + call.length() / 2);
    return span ? span->op : kNoOp;
}

bool timesAgree(const std::vector<RecordedCall>& calls, const std::map<std::uint32_t, OpId>& tags,
                const OpLog& log) {
    std::size_t found = 0;
    for (const RecordedCall& call : calls) {
        const auto tag = tags.find(call.correlation);
        const OpId op = log.opOf(call.thread, call.time);
        if (op != (tag == tags.end() ? kNoOp : tag->second))
            return false;
        found += tag == tags.end() ? 0 : 1;
    }
    return found > 0 && found >= tags.size();
}

} // namespace olab::cupti
