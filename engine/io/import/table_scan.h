// Reads the rows of several tables on as many threads as worthwhile, and delivers them in order of tables and
// rows, on the calling thread: the result depends neither on the number of threads nor on the boundaries of
// stretches. Each thread opens the file separately. If part of a table is unsure (damaged pages, or pages
// that only SQLite can read), the rest is read sequentially: what is found after damage depends on where
// reading begins. Private to io.
#pragma once

#include "sqlite_rows.h"

#include <olab/io/formats.h>
#include <olab/trace/records.h>

#include <array>
#include <functional>

namespace olab::io::imports {

/// The shared part of many records: everything except times and correlation.
struct RowShape {
    std::int64_t bytes = 0;
    std::int64_t name = -1;                 ///< number of the text; -1: it is in the text
    std::int64_t owner = -1;                ///< the source's id of its process or thread; -1: none
    std::int64_t context = -1, stream = -1; ///< as in the file (FileNumbers)
    std::uint32_t device = kNoNumber, thread = kNoNumber;
    KernelGeometry geometry{};
    ActivityClass cls{};
    MemoryKind source = MemoryKind::Unknown, target = MemoryKind::Unknown;
    std::uint8_t flags = 0;
    std::uint32_t hasGeometry = 0, unused = 0;
    void setGeometry(const KernelGeometry& g) { geometry = g, hasGeometry = 1; }
    ActivityRecord record() const; ///< without data from other rows: name, process, context and stream
    /// All members, combined with the sizes in which they were written: reading two halves as one would stall
    /// until they are in the cache.
    std::array<std::uint64_t, 12> words() const {
        const auto pair = [](std::uint64_t high, std::uint32_t low) { return high << 32 | low; };
        const auto word = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
        const KernelGeometry& g = geometry;
        const std::uint32_t kinds = static_cast<std::uint32_t>(cls) |
                                    static_cast<std::uint32_t>(source) << 8 |
                                    static_cast<std::uint32_t>(target) << 16 | std::uint32_t{flags} << 24;
        return {word(bytes),
                word(name),
                word(owner),
                word(context),
                word(stream),
                pair(device, thread),
                pair(g.grid[0], g.grid[1]),
                pair(g.grid[2], g.block[0]),
                pair(g.block[1], g.block[2]),
                pair(g.registersPerThread, g.staticShared),
                pair(g.dynamicShared, kinds),
                hasGeometry};
    }
};

/// A row as read, without information from other rows.
struct ScannedRow {
    enum class Kind : std::uint8_t {
        Activity,
        EventRecord, ///< a StreamCallRecord alone
        DomainName,  ///< of NVTX: the text is the name of `domain`
        Refused      ///< refused for `why`; only the class is valid
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

/// Consecutive rows of one table.
struct ScannedRows {
    std::vector<ScannedRow> rows; ///< the first `count` count; not of those in `bulk`
    std::size_t count = 0;
    std::vector<ActivityRow> bulk; ///< of a table with activities only; their shapes are numbers of `reader`
    std::size_t reader = 0;
    std::vector<RowShape> newShapes;  ///< new shapes of `reader`, in order
    bool startsAnew = false;          ///< it has dropped earlier shapes
    bool isSure = true;               ///< the rows do not depend on where reading begins
    std::optional<std::int64_t> last; ///< number of the last row, where they have numbers
    std::string texts;
    std::uint64_t tooLong = 0;
    std::uint64_t lacking = 0; ///< rows of these that were read although a value is NULL that every row has
    std::string damage;        ///< why some may be missing; empty: complete
    std::string_view textOf(const ScannedRow& row) const {
        return std::string_view(texts).substr(row.textAt, row.textSize);
    }
    void setText(ScannedRow& row, std::string_view text);
};

struct ScannedTable {
    SqliteTable table;
    std::span<const std::string_view> columns;
    /// Fills `row`, with kind, code and why still at their defaults. False: nothing to report.
    bool (*make)(const RowCells& cells, ScannedRow& row, ScannedRows& all) = nullptr;
    ActivityClass cls{};   ///< what a row is, unless `make` says otherwise
    ClassMask touches = 0; ///< classes that are inconclusive if some rows cannot be read
    bool isBulk = false;   ///< rows that are not refused go into ScannedRows::bulk
};

/// How a file is split for threads. Other values are for tests with small files.
struct ScanSettings {
    std::uint64_t rowsOfStretch = 8192;
    std::uint64_t bytesOfStretch = 4096; ///< of the file, at least: row numbers may be far apart
    std::size_t threads = 0;             ///< 0: as many as worthwhile
};

/// `take` is called on this thread: with rows, and after them once with the problem of a table, if any.
/// @throws Error "cannot-read", or when cancelled
void scanTables(SqliteDatabase& database, const std::filesystem::path& file,
                const std::filesystem::path& shownAs, std::span<const ScannedTable> tables,
                const std::function<void(const ScannedTable&, ScannedRows&)>& take, const RunControl& control,
                const ScanSettings& settings = {});

// The importers of databases with the settings of their scan: importers use the defaults; tests use others,
// so that files with few rows are read on several threads, too.

/// As Importer::read.
RecordingData readNsys(Source& source, RecordSink& records, const RunControl& control,
                       const ScanSettings& settings);
RecordingData readNvprof(Source& source, RecordSink& records, const RunControl& control,
                         const ScanSettings& settings);
RecordingData readRocpd(Source& source, RecordSink& records, const RunControl& control,
                        const ScanSettings& settings);

} // namespace olab::io::imports
