#include "op_log.h"

#include <algorithm>
#include <ctime>
#include <unistd.h>

namespace olab {
namespace {

/// As CUPTI stamps its records on Linux.
Ns now() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return Ns{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

} // namespace

void OpLog::Spans::push(Ns begin, OpId op) {
    if (m_size % kChunk == 0)
        m_chunks.push_back(std::make_unique<Span[]>(kChunk));
    at(m_size++) = {begin, begin, op};
}

const OpLog::Span* OpLog::Spans::of(Ns time) const {
    std::size_t low = 0, high = m_size; // the first that begins after it
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (at(middle).begin <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || at(low - 1).end < time)
        return nullptr;
    return &at(low - 1);
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
    Spans& spans = mine();
    spans.push(0, op);
    spans.back().begin = spans.back().end = now(); // as late as can be
}

void OpLog::end() {
    const Ns time = now();
    mine().back().end = time;
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

} // namespace olab
