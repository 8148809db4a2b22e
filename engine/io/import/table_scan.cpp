#include "table_scan.h"

#include "sqlite_pages.h"
#include "json/local_tables.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace olab::io::imports {
namespace {

constexpr ScannedRow kFresh;

struct Chunk {
    const ScannedTable* table = nullptr;
    const PlainTable* plain = nullptr;
    RowRange range{};
};

/// A table split into chunks of about one stretch of rows each, of which the first and the last have no end:
/// where rows are out of order, `range` lacks some. A table without readable pages is one chunk.
void addChunks(const ScannedTable& table, const PlainTable& plain, const std::optional<RowRange>& range,
               std::uint64_t bytes, const ScanSettings& settings, std::vector<Chunk>& chunks) {
    if (!range || plain.root == 0) {
        chunks.push_back({&table, &plain});
        return;
    }
    const auto first = static_cast<std::uint64_t>(range->first),
               last = static_cast<std::uint64_t>(range->last);
    const std::uint64_t span = last - first; // in a hostile file: the whole range of numbers
    const std::uint64_t chunksOfFile = 2 + bytes / settings.bytesOfStretch; // so that `step` has room
    const std::uint64_t step = std::max<std::uint64_t>(settings.rowsOfStretch, span / chunksOfFile + 1);
    RowRange next;
    for (std::uint64_t at = step; at <= span && at >= step; at += step) {
        next.last = static_cast<std::int64_t>(first + at - 1);
        chunks.push_back({&table, &plain, next});
        next.first = next.last + 1;
    }
    chunks.push_back({&table, &plain, {next.first, RowRange().last}});
}

/// A reader for one thread: reads pages of a plain file directly, and some rows with SQLite.
class ChunkReader {
public:
    using Open = std::function<SqliteDatabase&()>;
    ChunkReader(const PageFile& pages, std::size_t number, Open open)
        : m_pages(pages)
        , m_number(number)
        , m_open(std::move(open)) {}

    /// If not sure: do not use the content of `into`, and call restart() before the next use.
    void read(const Chunk& chunk, ScannedRows& into) {
        start(into);
        into.isSure = readPages(chunk, into) || (isInOrder(chunk) && readRows(chunk, into));
    }
    /// The rest of a table from a chunk on, passed to `take` in stretches of rows. Problems are then in
    /// `into`.
    template <typename Take>
    void readRest(const Chunk& chunk, std::optional<std::int64_t> before, std::uint64_t most,
                  ScannedRows& into, Take take) {
        // If the last row is known, reading begins there: the path to the next one may be damaged.
        const RowRange range{before.value_or(chunk.range.first), RowRange().last};
        SqliteRows rows(m_open(), chunk.table->table, chunk.table->columns, range);
        bool more = rows.next();
        if (more && before && rows.row() == *before)
            more = rows.next();
        while (more) {
            start(into);
            for (std::uint64_t i = 0; i < most && more; ++i, more = rows.next())
                add(*chunk.table, rows.cells(), into);
            take(into);
        }
        clear(into);
        into.tooLong = rows.tooLong(), into.damage = rows.damage();
    }
    /// The shapes it named so far were not used.
    void restart() {
        m_shapes = {};
        m_startsAnew = true;
    }

private:
    static constexpr std::uint32_t kMostShapes = 1 << 16;
    void start(ScannedRows& into) {
        if (m_shapes.size() > kMostShapes)
            restart();
        into.reader = m_number;
        into.newShapes.clear();
        into.startsAnew = std::exchange(m_startsAnew, false);
        into.isSure = true;
        clear(into);
    }
    static void clear(ScannedRows& into) {
        into.count = 0, into.tooLong = 0, into.lacking = 0;
        into.last.reset();
        into.texts.clear(), into.bulk.clear(), into.damage.clear();
    }
    /// False: SQLite is needed.
    bool readPages(const Chunk& chunk, ScannedRows& into) {
        if (chunk.plain->root == 0)
            return false;
        m_pages.start(*chunk.plain, chunk.range);
        while (m_pages.next()) {
            into.last = m_pages.row();
            add(*chunk.table, m_pages.cells(), into);
        }
        return !m_pages.failed();
    }
    bool isInOrder(const Chunk& chunk) { return chunk.plain->root != 0 && m_pages.areInOrder(); }
    /// False: there was a problem.
    bool readRows(const Chunk& chunk, ScannedRows& into) {
        if (!into.newShapes.empty()) { // of rows that may be invalid
            restart();
            start(into);
        }
        clear(into);
        SqliteRows rows(m_open(), chunk.table->table, chunk.table->columns, chunk.range);
        while (rows.next()) {
            into.last = rows.row();
            add(*chunk.table, rows.cells(), into);
        }
        into.tooLong = rows.tooLong();
        return rows.damage().empty();
    }
    void add(const ScannedTable& table, const RowCells& cells, ScannedRows& into) {
        if (into.count == into.rows.size())
            into.rows.resize(std::max<std::size_t>(64, 2 * into.count));
        ScannedRow& row = into.rows[into.count];
        row = kFresh;
        row.shape.cls = table.cls;
        const bool isRow = table.make(cells, row, into);
        if (cells.takeOdd() && row.kind != ScannedRow::Kind::Refused)
            row.refuse("values that are not valid numbers");
        else if (!isRow)
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

    PageRows m_pages;
    const std::size_t m_number;
    Open m_open;
    json_import::ValueTable<RowShape> m_shapes;
    bool m_startsAnew = false;
};

/// Chunks that threads have read wait in a ring for their turn, so memory stays small however fast the
/// threads are.
class Readers {
public:
    Readers(std::span<const Chunk> chunks, std::size_t threads, const PageFile& pages,
            std::function<std::unique_ptr<SqliteDatabase>()> open)
        : m_chunks(chunks)
        , m_pages(pages)
        , m_open(std::move(open))
        , m_slots(2 * threads + 2)
        , m_restarts(threads) {
        for (std::size_t i = 0; i < threads; ++i) {
            std::jthread thread = tryStart([this, i] { work(i); });
            if (!thread.joinable())
                break;
            m_threads.push_back(std::move(thread));
        }
    }
    /// False: no thread was available, and nothing is read.
    bool isReading() const { return !m_threads.empty(); }
    ~Readers() {
        {
            const std::lock_guard lock(m_mutex);
            m_stop = true;
        }
        m_news.notify_all();
    }
    /// The content of chunk `i`, in rising order; valid until done(i). @throws what its reader threw
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

    /// The shapes of this reader were not used: it starts over as soon as possible.
    void restart(std::size_t reader) { m_restarts[reader] = true; }

private:
    struct Slot {
        ScannedRows rows;
        std::size_t ready = 0; // number of the chunk plus 1
    };
    void work(std::size_t number) {
        try {
            std::unique_ptr<SqliteDatabase> database; // rarely needed
            ChunkReader reader(m_pages, number, [&]() -> SqliteDatabase& {
                if (!database)
                    database = m_open();
                return *database;
            });
            while (const auto i = next()) {
                Slot& slot = m_slots[*i % m_slots.size()];
                if (m_restarts[number].exchange(false))
                    reader.restart();
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
    std::vector<std::atomic<bool>> m_restarts; ///< by reader
    std::mutex m_mutex;
    std::condition_variable m_news;
    std::size_t m_next = 0, m_done = 0;
    bool m_stop = false;
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads; // last: they use the others
};

/// Uses the chunks in order, and reads on by itself if readers are not sure of their result.
class Scan {
public:
    using Take = std::function<void(const ScannedTable&, ScannedRows&)>;
    Scan(std::span<const Chunk> chunks, std::uint64_t rowsOfStretch, ChunkReader own, const Take& take,
         std::size_t others)
        : m_chunks(chunks)
        , m_rowsOfStretch(rowsOfStretch)
        , m_take(take)
        , m_own(std::move(own))
        , m_isLost(others) {}

    /// Chunk `i`, read here. In rising order, each once.
    void read(std::size_t i) {
        begin(i);
        if (!m_isRead)
            readHere(m_chunks[i]);
        end(i);
    }
    /// The same, read by others.
    void use(std::size_t i, ScannedRows& rows, Readers& readers) {
        begin(i);
        if (m_isRead || !rows.isSure)
            lose(rows, readers);
        if (!m_isRead && !rows.isSure)
            readRest(m_chunks[i]);
        else if (!m_isRead && isKnown(rows))
            hand(m_chunks[i], rows);
        else if (!m_isRead)
            readHere(m_chunks[i]);
        end(i);
    }

private:
    bool isFirst(std::size_t i) const { return i == 0 || m_chunks[i - 1].table != m_chunks[i].table; }
    void begin(std::size_t i) {
        if (!isFirst(i))
            return;
        m_isRead = false;
        m_last.reset();
        m_wrong = {};
    }
    /// A problem of a table is reported once, not once per stretch.
    void end(std::size_t i) {
        const bool isLast = i + 1 == m_chunks.size() || isFirst(i + 1);
        if (isLast && (m_wrong.tooLong > 0 || !m_wrong.damage.empty()))
            m_take(*m_chunks[i].table, m_wrong);
    }
    void hand(const Chunk& chunk, ScannedRows& rows) {
        m_last = rows.last ? rows.last : m_last;
        m_wrong.tooLong += std::exchange(rows.tooLong, 0);
        m_take(*chunk.table, rows);
    }
    void readHere(const Chunk& chunk) {
        m_own.read(chunk, m_rows);
        if (m_rows.isSure)
            return hand(chunk, m_rows);
        m_own.restart();
        readRest(chunk);
    }
    void readRest(const Chunk& chunk) {
        m_own.readRest(chunk, m_last, m_rowsOfStretch, m_rows,
                       [&](ScannedRows& rows) { m_take(*chunk.table, rows); });
        m_wrong.tooLong += m_rows.tooLong;
        m_wrong.damage = m_rows.damage;
        m_isRead = true;
    }
    /// The shapes of these rows are not used; rows with the same shapes cannot be used either until their
    /// reader starts over.
    void lose(const ScannedRows& rows, Readers& readers) {
        if (rows.newShapes.empty() && !rows.startsAnew)
            return;
        m_isLost[rows.reader] = true;
        readers.restart(rows.reader);
    }
    bool isKnown(const ScannedRows& rows) {
        if (rows.startsAnew)
            m_isLost[rows.reader] = false;
        return !m_isLost[rows.reader];
    }

    std::span<const Chunk> m_chunks;
    const std::uint64_t m_rowsOfStretch;
    const Take& m_take;
    ChunkReader m_own;
    ScannedRows m_rows;
    std::vector<bool> m_isLost; ///< by reader
    // The current table:
    bool m_isRead = false; ///< to its end
    std::optional<std::int64_t> m_last;
    ScannedRows m_wrong; ///< without rows
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
    r.device = device, r.thread = thread;
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
                const std::function<void(const ScannedTable&, ScannedRows&)>& take, const RunControl& control,
                const ScanSettings& settings) {
    const PageFile pages(file, database);
    std::deque<PlainTable> plain;
    std::vector<Chunk> chunks;
    for (const ScannedTable& table : tables) {
        plain.push_back(pages.isOpen() ? PlainTable(table.table, table.columns) : PlainTable());
        addChunks(table, plain.back(), rowRangeOf(database, table.table), database.bytes(), settings, chunks);
    }
    const auto tell = [&](std::size_t i) {
        control.throwIfCancelled();
        control.report(static_cast<double>(i) / static_cast<double>(chunks.size()), "reading the file");
    };
    const std::size_t threads =
        settings.threads > 0 ? settings.threads : threadsFor(chunks.size() * settings.rowsOfStretch);
    const std::size_t others = threads == 1 ? 0 : threads;
    Scan scan(chunks, settings.rowsOfStretch,
              ChunkReader(pages, others, [&]() -> SqliteDatabase& { return database; }), take, others);
    Readers readers(chunks, others, pages,
                    [&] { return std::make_unique<SqliteDatabase>(file, shownAs, control); });
    if (!readers.isReading()) {
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            tell(i);
            scan.read(i);
        }
        return;
    }
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        tell(i);
        scan.use(i, readers.wait(i), readers);
        readers.done(i);
    }
}

} // namespace olab::io::imports
