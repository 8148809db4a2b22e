// The list of events of a Chrome trace in pieces that begin at an event, as far as a look can tell: whoever
// has read a piece knows whether that was so, and reads on with the next one where it was not. Private to io.
#pragma once

#include <olab/io/source.h>

#include "json_tokens.h"

#include <string_view>
#include <vector>

namespace olab::json_import {

/// Bytes with room behind them that may be read.
class PaddedText {
public:
    void clear() { m_size = 0; }
    std::size_t size() const { return m_size; }
    std::string_view text() const { return {m_bytes.data(), m_size}; }
    /// Room for `more` bytes behind what there is; tell with grow() how many were filled.
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
    /// `begun`: what was read of the source already, from the first event on, which stands at `offset`.
    /// Pieces are of so many bytes at the most.
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

} // namespace olab::json_import
