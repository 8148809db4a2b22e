#include "table_scan.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace olab::imports {
namespace {

constexpr std::size_t kRowsOfChunk = 8192;
constexpr std::uint64_t kBytesOfChunk = 4096; // at the least: row numbers may be far apart

struct Chunk {
    const ScannedTable* table = nullptr;
    RowRange range{};
};

/// A table cut into pieces of about kRowsOfChunk rows.
void addChunks(const ScannedTable& table, const std::optional<RowRange>& range, std::uint64_t bytes,
               std::vector<Chunk>& chunks) {
    if (!range) {
        chunks.push_back({&table, {}});
        return;
    }
    const auto first = static_cast<std::uint64_t>(range->first),
               last = static_cast<std::uint64_t>(range->last);
    const std::uint64_t span = last - first; // of a hostile file: all there are
    const std::uint64_t step = std::max<std::uint64_t>(kRowsOfChunk, span / (bytes / kBytesOfChunk + 1) + 1);
    for (std::uint64_t at = 0; at <= span; at += step) {
        const std::uint64_t end = span - at < step ? span : at + step - 1;
        chunks.push_back(
            {&table, {static_cast<std::int64_t>(first + at), static_cast<std::int64_t>(first + end)}});
        if (end == span)
            break;
    }
}

void readChunk(SqliteDatabase& database, const Chunk& chunk, ScannedRows& into) {
    into.count = 0, into.tooLong = 0;
    into.texts.clear();
    into.damage.clear();
    SqliteRows cells(database, chunk.table->table, chunk.table->columns, chunk.range);
    while (cells.next()) {
        if (into.count == into.rows.size())
            into.rows.resize(std::max<std::size_t>(64, 2 * into.count));
        ScannedRow& row = into.rows[into.count];
        row = ScannedRow{};
        row.record.cls = chunk.table->cls;
        if (chunk.table->make(cells, row, into))
            ++into.count;
    }
    into.tooLong = cells.tooLong();
    into.damage = cells.damage();
}

/// What threads have read waits in a ring for its turn, so memory stays small however fast they are.
class Readers {
public:
    Readers(std::span<const Chunk> chunks, std::size_t threads,
            std::function<std::unique_ptr<SqliteDatabase>()> open)
        : m_chunks(chunks)
        , m_open(std::move(open))
        , m_slots(2 * threads + 2) {
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this] { work(); });
    }
    ~Readers() {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_news.notify_all();
    }
    /// Of chunk number `i`, in rising order; valid until done(i). @throws what its reader threw
    const ScannedRows& wait(std::size_t i) {
        std::unique_lock lock(m_mutex);
        m_news.wait(lock, [&] { return m_slots[i % m_slots.size()].ready == i + 1 || m_failure; });
        if (m_failure)
            std::rethrow_exception(m_failure);
        return m_slots[i % m_slots.size()].rows;
    }
    void done(std::size_t i) {
        {
            const std::lock_guard lock(m_mutex);
            m_done = i + 1;
        }
        m_news.notify_all();
    }

private:
    struct Slot {
        ScannedRows rows;
        std::size_t ready = 0; // number of the chunk and 1
    };
    void work() {
        try {
            const auto database = m_open();
            while (const auto i = next()) {
                Slot& slot = m_slots[*i % m_slots.size()];
                readChunk(*database, m_chunks[*i], slot.rows);
                {
                    const std::lock_guard lock(m_mutex);
                    slot.ready = *i + 1;
                }
                m_news.notify_all();
            }
        } catch (...) {
            {
                const std::lock_guard lock(m_mutex);
                m_failure = std::current_exception();
            }
            m_news.notify_all();
        }
    }
    std::optional<std::size_t> next() {
        std::unique_lock lock(m_mutex);
        m_news.wait(lock, [this] {
            return m_stop || m_failure || m_next == m_chunks.size() || m_next < m_done + m_slots.size();
        });
        if (m_stop || m_failure || m_next == m_chunks.size())
            return std::nullopt;
        return m_next++;
    }
    std::span<const Chunk> m_chunks;
    std::function<std::unique_ptr<SqliteDatabase>()> m_open;
    std::vector<Slot> m_slots;
    std::mutex m_mutex;
    std::condition_variable m_news;
    std::size_t m_next = 0, m_done = 0;
    bool m_stop = false;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads; // last: they use the others
};

} // namespace

void ScannedRows::setText(ScannedRow& row, std::string_view text) {
    row.textAt = static_cast<std::uint32_t>(texts.size());
    row.textSize = static_cast<std::uint32_t>(text.size());
    texts += text;
}

void scanTables(SqliteDatabase& database, const std::filesystem::path& file,
                const std::filesystem::path& shownAs, std::span<const ScannedTable> tables,
                const std::function<void(const ScannedTable&, const ScannedRows&)>& take,
                const RunControl& control) {
    std::vector<Chunk> chunks;
    for (const ScannedTable& table : tables)
        addChunks(table, rowRangeOf(database, table.table), database.bytes(), chunks);
    const auto tell = [&](std::size_t i) {
        control.throwIfCancelled();
        control.report(static_cast<double>(i) / static_cast<double>(chunks.size()), "reading the file");
    };
    const std::size_t threads = threadsFor(chunks.size() * kRowsOfChunk);
    if (threads == 1) {
        ScannedRows rows;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            tell(i);
            readChunk(database, chunks[i], rows);
            take(*chunks[i].table, rows);
        }
        return;
    }
    Readers readers(chunks, threads,
                    [&] { return std::make_unique<SqliteDatabase>(file, shownAs, control); });
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        tell(i);
        take(*chunks[i].table, readers.wait(i));
        readers.done(i);
    }
}

} // namespace olab::imports
