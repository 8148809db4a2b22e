// Reads the rows of several tables on as many threads as it is worth, and hands them on in the order of the
// tables and of their rows, on the calling thread: what comes out depends neither on the number of threads
// nor on where the stretches end that each of them reads. Each thread has the file open for itself. A table
// of which a part cannot be vouched for (pages that are damaged, or that only SQLite can read) is read from
// there on in one go: what is found behind damage depends on where reading begins. Private to io.
#pragma once

#include "sqlite_rows.h"

#include <olab/trace/records.h>

#include <array>
#include <functional>

namespace olab::imports {

/// What many rows share of their records: all but times and correlation.
struct RowShape {
    std::int64_t bytes = 0;
    std::int64_t name = -1;  ///< number of the text; -1: it is in the text
    std::int64_t owner = -1; ///< what the source names its process or thread by; -1: it does not
    std::uint32_t device = kNoNumber, context = kNoNumber, stream = kNoNumber, thread = kNoNumber;
    KernelGeometry geometry{};
    ActivityClass cls{};
    MemoryKind source = MemoryKind::Unknown, target = MemoryKind::Unknown;
    std::uint8_t flags = 0;
    std::uint32_t hasGeometry = 0, unused = 0;
    void setGeometry(const KernelGeometry& g) { geometry = g, hasGeometry = 1; }
    ActivityRecord record() const; ///< without what only other rows tell: name and process
    /// All of it, made of the members as they were written: what was written in two halves and is read in one
    /// waits until it is in the cache.
    std::array<std::uint64_t, 11> words() const {
        const auto pair = [](std::uint64_t high, std::uint32_t low) { return high << 32 | low; };
        const auto word = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
        const KernelGeometry& g = geometry;
        const std::uint32_t kinds = static_cast<std::uint32_t>(cls) |
                                    static_cast<std::uint32_t>(source) << 8 |
                                    static_cast<std::uint32_t>(target) << 16 | std::uint32_t{flags} << 24;
        return {word(bytes),
                word(name),
                word(owner),
                pair(device, context),
                pair(stream, thread),
                pair(g.grid[0], g.grid[1]),
                pair(g.grid[2], g.block[0]),
                pair(g.block[1], g.block[2]),
                pair(g.registersPerThread, g.staticShared),
                pair(g.dynamicShared, kinds),
                hasGeometry};
    }
};

/// A row as it was read, before anything of it is known that another row says.
struct ScannedRow {
    enum class Kind : std::uint8_t {
        Activity,
        EventRecord, ///< a StreamCallRecord alone
        DomainName,  ///< of NVTX: the text is the name of `domain`
        Refused      ///< `why`, and nothing else holds but the class
    } kind = Kind::Activity;
    DefectCode code = DefectCode::BadRecord;
    std::uint32_t correlation = 0;
    Ns begin = 0, end = 0;
    RowShape shape;
    std::int64_t domain = 0;
    std::int64_t recording = 0;
    std::uint32_t event = kNoNumber;
    std::uint32_t textAt = 0, textSize = 0;
    const char* why = "";
    void refuse(const char* reason, DefectCode as = DefectCode::BadRecord) {
        kind = Kind::Refused, code = as, why = reason;
    }
    ActivityRecord record() const; ///< as RowShape::record(), with times and correlation
};

/// Some rows of one table, one after the other.
struct ScannedRows {
    std::vector<ScannedRow> rows; ///< the first `count` count; not of those in `bulk`
    std::size_t count = 0;
    std::vector<ActivityRow> bulk; ///< of a table that is all activities; their shapes in numbers of `reader`
    std::size_t reader = 0;
    std::vector<RowShape> newShapes;  ///< those of `reader` that it had not had before, in their order
    bool startsAnew = false;          ///< it has forgotten those before
    bool isSure = true;               ///< wherever reading begins, these are the rows
    std::optional<std::int64_t> last; ///< number of the last row, where they have numbers
    std::string texts;
    std::uint64_t tooLong = 0;
    std::string damage; ///< why some may be missing; empty: none is
    std::string_view textOf(const ScannedRow& row) const {
        return std::string_view(texts).substr(row.textAt, row.textSize);
    }
    void setText(ScannedRow& row, std::string_view text);
};

struct ScannedTable {
    SqliteTable table;
    std::span<const std::string_view> columns;
    /// Fills `row`, of which kind, code and why are as in a fresh one. False: there is nothing to be told.
    bool (*make)(const RowCells& cells, ScannedRow& row, ScannedRows& all) = nullptr;
    ActivityClass cls{};   ///< what a row is, unless `make` says otherwise
    ClassMask touches = 0; ///< what is inconclusive when some of it cannot be read
    bool isBulk = false;   ///< what is no refused row goes into ScannedRows::bulk
};

/// How a file is cut for threads. Other numbers than these are for tests, whose files are small.
struct ScanSettings {
    std::uint64_t rowsOfStretch = 8192;
    std::uint64_t bytesOfStretch = 4096; ///< of the file, at the least: row numbers may be far apart
    std::size_t threads = 0;             ///< 0: as many as it is worth
};

/// `take` is called on this thread: with rows, and with what is wrong with a table once, behind its rows.
/// @throws Error "cannot-read", or when cancelled
void scanTables(SqliteDatabase& database, const std::filesystem::path& file,
                const std::filesystem::path& shownAs, std::span<const ScannedTable> tables,
                const std::function<void(const ScannedTable&, ScannedRows&)>& take, const RunControl& control,
                const ScanSettings& settings = {});

} // namespace olab::imports
