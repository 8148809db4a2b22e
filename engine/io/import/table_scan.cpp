#include "table_scan.h"

#include "local_tables.h"
#include "sqlite_pages.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace olab::imports {
namespace {

constexpr std::size_t kRowsOfChunk = 8192;
constexpr ScannedRow kFresh;
constexpr std::uint64_t kBytesOfChunk = 4096; // at the least: row numbers may be far apart

struct Chunk {
    const ScannedTable* table = nullptr;
    const PlainTable* plain = nullptr;
    RowRange range{};
};

/// A table cut into pieces of about kRowsOfChunk rows.
void addChunks(const ScannedTable& table, const PlainTable& plain, const std::optional<RowRange>& range,
               std::uint64_t bytes, std::vector<Chunk>& chunks) {
    if (!range) {
        chunks.push_back({&table, &plain, {}});
        return;
    }
    const auto first = static_cast<std::uint64_t>(range->first),
               last = static_cast<std::uint64_t>(range->last);
    const std::uint64_t span = last - first; // of a hostile file: all there are
    const std::uint64_t step = std::max<std::uint64_t>(kRowsOfChunk, span / (bytes / kBytesOfChunk + 1) + 1);
    for (std::uint64_t at = 0; at <= span; at += step) {
        const std::uint64_t end = span - at < step ? span : at + step - 1;
        chunks.push_back({&table,
                          &plain,
                          {static_cast<std::int64_t>(first + at), static_cast<std::int64_t>(first + end)}});
        if (end == span)
            break;
    }
}

/// One thread's way to read: the pages of a plain file itself, whatever else by SQLite.
class ChunkReader {
public:
    using Open = std::function<SqliteDatabase&()>;
    ChunkReader(const PageFile& pages, std::size_t number, Open open)
        : m_pages(pages)
        , m_number(number)
        , m_open(std::move(open)) {}

    void read(const Chunk& chunk, ScannedRows& into) {
        into.reader = m_number;
        into.newShapes.clear();
        into.startsAnew = false;
        if (m_shapes.size() > kMostShapes)
            forgetShapes(into);
        if (readPages(chunk, into))
            return;
        if (!into.newShapes.empty()) // of rows that may be none
            forgetShapes(into);
        clear(into);
        SqliteRows rows(m_open(), chunk.table->table, chunk.table->columns, chunk.range);
        while (rows.next())
            take(*chunk.table, rows.cells(), into);
        into.tooLong = rows.tooLong();
        into.damage = rows.damage();
    }

private:
    static constexpr std::uint32_t kMostShapes = 1 << 16;
    static void clear(ScannedRows& into) {
        into.count = 0, into.tooLong = 0;
        into.texts.clear(), into.bulk.clear(), into.damage.clear();
    }
    /// False: that takes SQLite.
    bool readPages(const Chunk& chunk, ScannedRows& into) {
        clear(into);
        if (chunk.plain->root == 0)
            return false;
        m_pages.start(*chunk.plain, chunk.range);
        while (m_pages.next()) {
            take(*chunk.table, m_pages.cells(), into);
            if (m_pages.cells().wasUnsure())
                return false;
        }
        return !m_pages.failed();
    }
    void take(const ScannedTable& table, const RowCells& cells, ScannedRows& into) {
        if (into.count == into.rows.size())
            into.rows.resize(std::max<std::size_t>(64, 2 * into.count));
        ScannedRow& row = into.rows[into.count];
        row = kFresh;
        row.shape.cls = table.cls;
        if (!table.make(cells, row, into))
            return;
        if (table.isBulk && row.kind == ScannedRow::Kind::Activity)
            into.bulk.push_back({row.begin, row.end, numberOf(row.shape, into.newShapes), row.correlation});
        else
            ++into.count;
    }
    std::uint32_t numberOf(const RowShape& shape, std::vector<RowShape>& newShapes) {
        const std::uint32_t known = m_shapes.size(), number = m_shapes.idOf(shape);
        if (number == known)
            newShapes.push_back(shape);
        return number;
    }
    void forgetShapes(ScannedRows& into) {
        m_shapes = {};
        into.newShapes.clear();
        into.startsAnew = true;
    }

    PageRows m_pages;
    const std::size_t m_number;
    Open m_open;
    json_import::ValueTable<RowShape> m_shapes;
};

/// What threads have read waits in a ring for its turn, so memory stays small however fast they are.
class Readers {
public:
    Readers(std::span<const Chunk> chunks, std::size_t threads, const PageFile& pages,
            std::function<std::unique_ptr<SqliteDatabase>()> open)
        : m_chunks(chunks)
        , m_pages(pages)
        , m_open(std::move(open))
        , m_slots(2 * threads + 2) {
        for (std::size_t i = 0; i < threads; ++i)
            m_threads.emplace_back([this, i] { work(i); });
    }
    ~Readers() {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_news.notify_all();
    }
    /// Of chunk number `i`, in rising order; valid until done(i). @throws what its reader threw
    ScannedRows& wait(std::size_t i) {
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
    void work(std::size_t number) {
        try {
            std::unique_ptr<SqliteDatabase> database; // mostly nobody needs it
            ChunkReader reader(m_pages, number, [&]() -> SqliteDatabase& {
                if (!database)
                    database = m_open();
                return *database;
            });
            while (const auto i = next()) {
                Slot& slot = m_slots[*i % m_slots.size()];
                reader.read(m_chunks[*i], slot.rows);
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
    const PageFile& m_pages;
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

ActivityRecord RowShape::record() const {
    ActivityRecord r;
    r.cls = cls, r.bytes = bytes;
    r.device = device, r.context = context, r.stream = stream, r.thread = thread;
    r.source = source, r.target = target, r.flags = flags;
    if (hasGeometry != 0)
        r.geometry = geometry;
    return r;
}

ActivityRecord ScannedRow::record() const {
    ActivityRecord r = shape.record();
    r.begin = begin, r.end = end, r.correlation = correlation;
    return r;
}

void scanTables(SqliteDatabase& database, const std::filesystem::path& file,
                const std::filesystem::path& shownAs, std::span<const ScannedTable> tables,
                const std::function<void(const ScannedTable&, ScannedRows&)>& take,
                const RunControl& control) {
    const PageFile pages(file, database);
    std::deque<PlainTable> plain;
    std::vector<Chunk> chunks;
    for (const ScannedTable& table : tables) {
        plain.push_back(pages.isOpen() ? PlainTable(table.table, table.columns) : PlainTable());
        addChunks(table, plain.back(), rowRangeOf(database, table.table), database.bytes(), chunks);
    }
    const auto tell = [&](std::size_t i) {
        control.throwIfCancelled();
        control.report(static_cast<double>(i) / static_cast<double>(chunks.size()), "reading the file");
    };
    const std::size_t threads = threadsFor(chunks.size() * kRowsOfChunk);
    if (threads == 1) {
        ChunkReader reader(pages, 0, [&]() -> SqliteDatabase& { return database; });
        ScannedRows rows;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            tell(i);
            reader.read(chunks[i], rows);
            take(*chunks[i].table, rows);
        }
        return;
    }
    Readers readers(chunks, threads, pages,
                    [&] { return std::make_unique<SqliteDatabase>(file, shownAs, control); });
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        tell(i);
        take(*chunks[i].table, readers.wait(i));
        readers.done(i);
    }
}

} // namespace olab::imports
