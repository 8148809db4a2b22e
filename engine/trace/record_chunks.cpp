// Decodes record chunks in parallel. Input is collected into a wave of stretches, each with its own builder;
// while the next wave is read, other threads decode it, and then it is appended, stretch by stretch. A file
// of less than a wave is decoded directly, at its end. Stretches are split by bytes: the result never depends
// on the number of threads.
#include <olab/trace/container.h>
#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <utility>

namespace olab {
namespace {

constexpr std::size_t kStretchBytes = std::size_t{1} << 20, kStretches = 8; // of a wave
constexpr std::size_t kMany = 10'000'000;                                   // records

using Payload = std::vector<std::byte>;

class RecordWave {
public:
    bool isFull() const { return m_used == kStretches && m_stretches[m_used - 1].bytes >= kStretchBytes; }
    void put(Payload&& chunk) {
        if (m_used == 0 || m_stretches[m_used - 1].bytes >= kStretchBytes)
            ++m_used;
        if (m_stretches.size() < m_used)
            m_stretches.emplace_back();
        RecordStretch& last = m_stretches[m_used - 1];
        last.bytes += chunk.size();
        last.chunks.push_back(std::move(chunk));
    }
    /// Directly, on this thread.
    void readInto(RecordSink& sink) const {
        for (const RecordStretch& stretch : m_stretches)
            for (const Payload& chunk : stretch.chunks)
                readRecords(chunk, sink);
    }
    void begin(std::size_t threads) {
        m_next = 0;
        while (m_helpers.size() < std::min(threads, m_used) && addHelper()) {
        }
    }
    /// Helps, then waits for the others.
    void wait() {
        decode();
        for (Helper& helper : std::exchange(m_helpers, {}))
            helper.end.get();
    }
    /// Leaves the wave empty.
    void appendTo(TraceBuilder& builder) {
        std::vector<TraceBuilder*> parts;
        for (std::size_t i = 0; i < m_used; ++i)
            parts.push_back(&m_stretches[i].records);
        builder.append(parts);
        m_used = 0;
    }

private:
    struct RecordStretch {
        std::vector<Payload> chunks;
        std::size_t bytes = 0;
        TraceBuilder records;
    };
    struct Helper {
        std::future<void> end; ///< holds its exception
        std::jthread thread;
    };
    /// False: no thread is available, and wait() does the remaining work.
    bool addHelper() {
        std::packaged_task<void()> task([this] { decode(); });
        std::future<void> end = task.get_future();
        std::jthread thread = tryStart(std::move(task));
        if (!thread.joinable())
            return false;
        m_helpers.push_back({std::move(end), std::move(thread)});
        return true;
    }
    void decode() {
        for (std::size_t i = m_next++; i < m_used; i = m_next++) {
            RecordStretch& stretch = m_stretches[i];
            stretch.bytes = 0;
            for (const Payload& chunk : std::exchange(stretch.chunks, {}))
                readRecords(chunk, stretch.records);
        }
    }
    std::vector<RecordStretch> m_stretches; ///< the first m_used are in use; the rest is kept for later
    std::size_t m_used = 0;
    std::atomic<std::size_t> m_next = 0;
    std::vector<Helper> m_helpers; ///< last: their destructors wait
};

} // namespace

struct RecordChunks::State {
    explicit State(RecordSink& sink_)
        : sink(sink_)
        , builder(sink_.builderOfStretches()) {}
    RecordSink& sink;
    TraceBuilder* const builder; ///< null: the sink takes single records
    const std::size_t threads = threadsFor(kMany);
    std::unique_ptr<RecordWave> next = std::make_unique<RecordWave>(),
                                decoding = std::make_unique<RecordWave>();
    bool isSmall = true; ///< less than a wave arrived

    void decodeNext() {
        isSmall = false;
        decoding->wait();
        next->begin(threads - 1);
        decoding->appendTo(*builder);
        std::swap(next, decoding);
    }
};

RecordChunks::RecordChunks(RecordSink& sink)
    : m_state(std::make_unique<State>(sink)) {}
RecordChunks::~RecordChunks() = default;

void RecordChunks::take(Payload&& payload) {
    if (!m_state->builder)
        return readRecords(payload, m_state->sink);
    m_state->next->put(std::move(payload));
    if (m_state->next->isFull())
        m_state->decodeNext();
}

void RecordChunks::finish() {
    if (m_state->isSmall)
        return m_state->next->readInto(m_state->sink);
    m_state->decodeNext();
    m_state->decodeNext();
    m_state->next.reset(), m_state->decoding.reset(); // their content is no longer needed
}

} // namespace olab
