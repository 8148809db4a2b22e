// Splits the list of events of a Chrome trace into pieces at likely event boundaries: reading a piece shows
// whether the guess was right; if not, the next piece is joined. Private to io.
#pragma once

#include <olab/io/source.h>

#include "json_tokens.h"

#include <string_view>
#include <vector>

namespace olab::io::json_import {

/// Bytes followed by readable padding.
class PaddedText {
public:
    void clear() { m_size = 0; }
    std::size_t size() const { return m_size; }
    std::string_view text() const { return {m_bytes.data(), m_size}; }
    /// Room for `more` bytes at the end; report with grow() how many were filled.
    std::span<std::byte> room(std::size_t more);
    void grow(std::size_t by) { m_size += by; }
    void cut(std::size_t size) { m_size = size; }
    void append(std::string_view text);
    /// Without its first bytes.
    void drop(std::size_t first);

private:
    std::vector<char> m_bytes;
    std::size_t m_size = 0;
};

struct EventBlock {
    PaddedText bytes;
    std::uint64_t offset = 0; ///< of its first byte in the file
    std::size_t number = 0;
};

class EventBlocks {
public:
    /// `begun`: text already read from the source, from the first event on, which is at `offset`. The maximum
    /// size of a piece in bytes.
    EventBlocks(Source& source, std::string_view begun, std::uint64_t offset, std::size_t blockBytes);
    /// The next one; false: there is none. One thread at a time. @throws Error as Source::read()
    bool next(EventBlock& block);

private:
    void giveBack(EventBlock& block, std::size_t size);
    Source& m_source;
    const std::size_t m_blockBytes;
    std::vector<char> m_begun;
    std::size_t m_given = 0; ///< of it
    std::uint64_t m_offset;
    std::size_t m_number = 0;
    bool m_ended = false;
};

} // namespace olab::io::json_import
