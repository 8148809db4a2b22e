// Tracks the chunks of a file: finds duplicate, misplaced and missing ones.
#pragma once

#include "container_format.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

namespace olab::container_detail {

class SequenceCheck {
public:
    /// False if it was seen before.
    bool take(std::uint32_t number) {
        if (number < m_front || !m_ahead.insert(number).second) {
            ++m_repeated;
            return false;
        }
        if (number < m_next)
            ++m_moved;
        m_next = std::max(m_next, std::uint64_t{number} + 1);
        while (!m_ahead.empty() && *m_ahead.begin() == m_front) {
            m_ahead.erase(m_ahead.begin());
            ++m_front;
        }
        return true;
    }
    std::uint64_t repeated() const { return m_repeated; }
    std::uint64_t moved() const { return m_moved; }
    /// Missing numbers below the highest seen.
    std::uint64_t missing() const { return m_next - m_front - m_ahead.size(); }

private:
    std::uint64_t m_front = 0;       // all below it were seen
    std::uint64_t m_next = 0;        // one more than the highest seen
    std::set<std::uint32_t> m_ahead; // seen numbers at or above m_front: few unless chunks are missing
    std::uint64_t m_repeated = 0, m_moved = 0;
};

/// Reads the chunks of an .olab file, also while it grows.
class RegularFile {
public:
    explicit RegularFile(const std::filesystem::path& path)
        : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    ~RegularFile() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;
    bool isOpen() const { return m_descriptor >= 0; }
    /// Does nothing unless it is a regular file.
    std::optional<std::uint64_t> size() const;
    bool readAt(std::uint64_t at, std::span<std::byte> into) const;
    /// Whether its writer is still alive: the writer holds its lock (OutputFile).
    bool isBeingWritten() const;

private:
    int m_descriptor;
};

using TakeChunk = std::function<void(Chunk&&)>;

/// Nothing if there is no complete header with a marker and a valid length at this place.
std::optional<ChunkHeader> headerAt(const RegularFile& file, std::uint64_t at, std::uint64_t size,
                                    std::uint32_t version);

class ContainerReader {
public:
    /// @throws Error
    ContainerReader(const std::filesystem::path& path, const RunControl& control);
    /// Delivers what has arrived since the last call.
    FileEnd readOn(const TakeChunk& take, const RunControl& control);
    /// Defects of the file, as far as it was read.
    void tell(std::vector<RefusedRecord>& defects) const;

private:
    void checkHeader(const std::filesystem::path& path);
    std::uint32_t guessVersion();
    std::size_t chunkHeader() const { return chunkHeaderSize(m_version); }
    std::optional<ChunkHeader> headerAt(std::uint64_t at);
    bool fits(std::uint64_t at, const ChunkHeader& h) const {
        return h.length <= m_size - at - chunkHeader();
    }
    bool isBoundary(std::uint64_t at) { return at == m_size || headerAt(at).has_value(); }
    bool readChunk(std::uint64_t at, const ChunkHeader& h, std::vector<std::byte>& payload);
    void deliver(const ChunkHeader& h, Chunk& chunk, const TakeChunk& take);
    bool isStillToCome(std::uint64_t at, const std::optional<ChunkHeader>& h);
    std::uint64_t afterDamage(std::uint64_t at, const std::optional<ChunkHeader>& h);
    std::uint64_t findMarker(std::uint64_t from);
    void noteDamage(std::uint64_t at);
    void tellOrder(std::vector<RefusedRecord>& defects) const;
    void tellEnd(std::vector<RefusedRecord>& defects) const;

    const RunControl* m_control; ///< of the current call
    RegularFile m_file;
    std::uint64_t m_size = 0;
    std::uint64_t m_at = kHeaderSize; ///< everything before was delivered
    std::uint32_t m_version = kContainerVersion;
    SequenceCheck m_sequence;
    std::uint64_t m_damaged = 0, m_firstDamage = 0, m_reread = 0, m_unknown = 0;
    std::uint64_t m_truncatedAt = 0; // 0: not truncated
    bool m_headerDamaged = false, m_ended = false, m_gaveUp = false;
    bool m_open = false; ///< it was being written at the last check
};

} // namespace olab::container_detail
