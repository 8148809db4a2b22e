// The native file `.olab`: a header, then typed opaque chunks {marker, type, length, sequence, CRC32C of all
// that and the payload, payload}, append-only and little-endian. If a writer is killed at any moment, the
// file is readable up to its last complete chunk. Version 2 added the sequence number, which reveals swapped,
// repeated and missing chunks (checksums cannot, since each chunk is intact), a closing chunk, which reveals
// a file cut at the end of a chunk, and a checked header; version 1 is still read. This layer does not know
// the content of chunks, except record chunks (RecordWriter, readRecords). Layout: container_format.h.
#pragma once

#include <olab/trace/output_file.h>
#include <olab/trace/records.h>
#include <olab/trace/run_control.h>
#include <olab/trace/trace_builder.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace olab {

enum class ChunkType : std::uint32_t {
    Records = 0x53434552,     // "RECS": records in arrival order, see record_fields.h (private)
    Experiment = 0x52505845,  // "EXPR": JSON, owned by io
    Environment = 0x49564e45, // "ENVI": JSON, owned by io
    Report = 0x4f504552,      // "REPO": JSON, owned by io
    Bookmarks = 0x4b4d4b42,   // "BKMK": JSON, owned by io
    Label = 0x4c42414c,       // "LABL": JSON, owned by io
    RawCupti = 0x49545055,    // "UPTI": one raw CUPTI activity buffer, for fixtures
};

inline constexpr std::uint32_t kContainerVersion = 2;

class ContainerWriter {
public:
    /// Creates (or replaces) the file and writes the header; it grows from then on. @throws Error when it
    /// cannot.
    explicit ContainerWriter(const std::filesystem::path& path);
    /// Writes into `file`, which must outlive this and is committed by its owner. @throws Error
    explicit ContainerWriter(OutputFile& file);
    ~ContainerWriter();
    ContainerWriter(const ContainerWriter&) = delete;
    ContainerWriter& operator=(const ContainerWriter&) = delete;
    /// Appends one chunk and passes it to the system. @throws Error (disk full, ...); what was written before
    /// stays readable.
    void append(ChunkType type, std::span<const std::byte> payload);
    void append(ChunkType type, std::string_view payload);
    /// Writes the closing chunk. The destructor does it too, unless an exception is in flight, but cannot
    /// report a full disk. @throws Error
    void finish();
    /// A forked child shares the file's lock as long as it keeps this open: if it does not exec, close it
    /// there.
    int descriptor() const { return m_file.descriptor(); }

private:
    void write(std::uint32_t type, std::span<const std::byte> payload);
    std::unique_ptr<OutputFile> m_own; ///< if opened by this
    OutputFile& m_file;
    std::uint32_t m_sequence = 0;
    int m_exceptions = 0; ///< in flight at construction
    bool m_finished = false;
};

struct Chunk {
    ChunkType type{};
    std::vector<std::byte> payload;
};

/// How a file ends. The lock of OutputFile shows whether it is still being written; on a file system without
/// locks, an open end looks lost.
enum class FileEnd : std::uint8_t {
    Closed, ///< by its closing chunk
    Open,   ///< still being written
    Lost    ///< no closing chunk, and no writer any more
};

/// Calls `take` once for every complete chunk in file order. Damage is skipped and reported in `defects`, as
/// is a file that is still being written (a notice, OpenEnd).
/// @throws Error if the file cannot be opened, is not an .olab file, or has a newer version.
void readContainer(const std::filesystem::path& path, const std::function<void(Chunk&&)>& take,
                   std::vector<RefusedRecord>& defects, const RunControl& control = {});

/// Reads an .olab file while it grows. Not for several threads at once.
class ContainerFollower {
public:
    /// @throws Error as readContainer()
    explicit ContainerFollower(const std::filesystem::path& path);
    ~ContainerFollower();
    ContainerFollower(const ContainerFollower&) = delete;
    ContainerFollower& operator=(const ContainerFollower&) = delete;
    /// Calls `take` for the chunks completed since the last call, and does not wait for more. After any
    /// result but Open there are no more.
    FileEnd readOn(const std::function<void(Chunk&&)>& take, const RunControl& control = {});
    /// Defects of what was read so far; an open end is a notice.
    std::vector<RefusedRecord> defects() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// True if these first bytes are those of an .olab file.
bool sniffContainer(std::span<const std::byte> head);

/// CRC-32C; crc32c(b, crc32c(a)) is that of a followed by b. The second function is for machines without SSE
/// 4.2.
std::uint32_t crc32c(std::span<const std::byte> data, std::uint32_t seed = 0);
std::uint32_t crc32cPortable(std::span<const std::byte> data, std::uint32_t seed = 0);

/// Encodes records into chunks of about 64 KiB. The destructor does not flush: call flush().
class RecordWriter final : public RecordSink {
public:
    /// Checks `control` before each chunk, and reports progress as a share of `expected` records (0: not
    /// known).
    /// @throws Error (cancelled, disk full) from any add() and from flush()
    explicit RecordWriter(ContainerWriter& file, const RunControl* control = nullptr,
                          std::uint64_t expected = 0);
    ~RecordWriter() override;
    TextId intern(std::string_view text) override;
    void add(const ProcessRecord&) override;
    void add(const ClockRecord&) override;
    void add(const RankRecord&) override;
    void add(const DeviceRecord&) override;
    void add(const ContextRecord&) override;
    void add(const StreamRecord&) override;
    void add(const ActivityRecord&) override;
    void add(const CorrelationRecord&) override;
    void add(const StreamCallRecord&) override;
    void add(const SoloRecord&) override;
    void add(const WindowRecord&) override;
    void add(const EnvironmentRecord&) override;
    void add(const ProvenanceRecord&) override;
    void add(const RefusedRecord&) override;
    void flush();

private:
    template <typename Record>
    void write(const Record& record);
    template <typename Record>
    void put(const Record& record);
    void flushIfLarge();
    void look(const RunControl& control);
    struct ChunkState; ///< what later records of the same chunk refer to: strings, the previous time
    struct Texts;      ///< what was interned
    ContainerWriter& m_file;
    const RunControl* m_control;
    std::uint64_t m_expected, m_written = 0; ///< records
    double m_reported = 0;                   ///< share
    std::vector<std::byte> m_buffer;
    std::unique_ptr<Texts> m_texts;
    std::unique_ptr<ChunkState> m_chunk;
};

/// Decodes record chunks into a sink, in order. If the sink supports it, chunks are decoded in parallel, so
/// the records are guaranteed to be in the sink only after finish(). One thread at a time.
class RecordChunks {
public:
    explicit RecordChunks(RecordSink& sink);
    ~RecordChunks();
    RecordChunks(const RecordChunks&) = delete;
    RecordChunks& operator=(const RecordChunks&) = delete;
    void take(std::vector<std::byte>&& payload);
    void finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Decodes one record chunk into `sink`; bad content becomes a RefusedRecord, never an exception.
void readRecords(std::span<const std::byte> payload, RecordSink& sink);

// Repairs of .olab files: adding a missing end, and copying the complete chunks.

/// Closes the file of a dead writer: after its last complete chunk it adds `end`, which says why, and a
/// closing chunk. @returns false: it has an end, still grows, or cannot be written
bool endContainer(const std::filesystem::path& path, const RefusedRecord& end);

/// Appends the chunks of a file from this byte on to `to`; a chunk must begin there. Stops at an incomplete
/// chunk. @throws Error what `to` throws, and if the file cannot be opened
void copyChunks(const std::filesystem::path& from, std::uint64_t begin, ContainerWriter& to);

} // namespace olab
