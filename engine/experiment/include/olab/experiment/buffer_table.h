// The memory that a schedule works on, one row per buffer: a backend allocates what the rows say and needs no
// options. Sizes in bytes; devices 0-based among those used.
#pragma once

#include <olab/experiment/option_choices.h>
#include <olab/trace/types.h>

#include <array>
#include <cstdint>
#include <vector>

namespace olab::experiment {

/// What a buffer is for. A pipeline has at most one of each of the first six, a device one of each of the
/// others.
enum class BufferRole : std::uint8_t {
    Source,     ///< host: read by H2D copies, or by kernels in place
    Input,      ///< H2D's target
    Scratch,    ///< memset's target
    Output,     ///< D2H's source
    Target,     ///< host: written by D2H copies, or by kernels in place
    Peer,       ///< on the next device: target of peer copies
    Zeros,      ///< source of memset.method=copy
    NullScratch ///< target of memsets on the NULL stream
};
inline constexpr std::size_t kBufferRoles = 8;

/// Constant: a slice of the one `__constant__` array of its device, which takes no memory.
enum class BufferPlace : std::uint8_t { Device, Constant, Host };

struct Buffer {
    std::int64_t bytes = 0;
    std::int64_t offset = 0;   ///< Constant: where in the array
    std::int32_t device = 0;   ///< that has the memory; for host memory the device of its pipeline
    std::int32_t pipeline = 0; ///< its owner; the first of those that share it
    BufferRole role{};
    BufferPlace place{};
    HostMemory memory{};   ///< Host: how it was allocated
    bool portable = false; ///< Host: page-locked for all devices
    bool shared = false;   ///< used by all pipelines of its device
    friend bool operator==(const Buffer&, const Buffer&) = default;
};

class BufferTable {
public:
    const std::vector<Buffer>& rows() const { return m_rows; }
    /// The row of a pipeline's buffer (of a device's, for Zeros and NullScratch); kNoNumber: it has none.
    std::uint32_t find(std::int32_t owner, BufferRole role) const {
        const auto at = static_cast<std::size_t>(owner);
        return at < m_of.size() ? m_of[at][static_cast<std::size_t>(role)] : kNoNumber;
    }
    /// All streams of a device use the same buffer for that role.
    bool isShared(BufferRole role) const {
        const std::uint32_t row = find(0, role);
        return row != kNoNumber && m_rows[row].shared;
    }
    bool sharesAny() const;
    /// The total of all rows in such a place.
    std::int64_t bytesIn(BufferPlace place) const;

    void add(const Buffer& buffer, std::int32_t owner);
    /// `owner` uses a row that belongs to another one.
    void share(std::uint32_t row, std::int32_t owner);
    friend bool operator==(const BufferTable&, const BufferTable&) = default;

private:
    using Rows = std::array<std::uint32_t, kBufferRoles>;
    std::vector<Buffer> m_rows;
    std::vector<Rows> m_of; ///< per pipeline; the roles of a device per device
};

} // namespace olab::experiment
