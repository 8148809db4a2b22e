#include "event_blocks.h"

#include "chrome_event.h"

#include <algorithm>
#include <cstring>

namespace olab::io::json_import {
std::span<std::byte> PaddedText::room(std::size_t more) {
    if (m_bytes.size() < m_size + more + kPadding)
        m_bytes.resize(m_size + more + kPadding);
    return std::as_writable_bytes(std::span(m_bytes)).subspan(m_size, more);
}

void PaddedText::append(std::string_view text) {
    if (text.empty()) // which may be empty
        return;
    std::memcpy(room(text.size()).data(), text.data(), text.size());
    m_size += text.size();
}

void PaddedText::drop(std::size_t first) {
    if (first == 0)
        return;
    std::memmove(m_bytes.data(), m_bytes.data() + first, m_size - first);
    m_size -= first;
}

EventBlocks::EventBlocks(Source& source, std::string_view begun, std::uint64_t offset, std::size_t blockBytes)
    : m_source(source)
    , m_blockBytes(blockBytes)
    , m_begun(begun.begin(), begun.end())
    , m_offset(offset) {}

bool EventBlocks::next(EventBlock& block) {
    block.bytes.clear();
    const std::size_t begun = std::min(m_begun.size() - m_given, m_blockBytes);
    block.bytes.append({m_begun.data() + m_given, begun});
    m_given += begun;
    while (!m_ended && block.bytes.size() < m_blockBytes) {
        const std::size_t got = m_source.read(block.bytes.room(m_blockBytes - block.bytes.size()));
        block.bytes.grow(got);
        m_ended = got == 0;
    }
    const std::string_view text = block.bytes.text();
    if (!m_ended || m_given < m_begun.size())
        if (const char* last = lastEvent(text.data(), text.data() + text.size()))
            giveBack(block, static_cast<std::size_t>(last - text.data()));
    block.offset = m_offset, block.number = m_number++;
    m_offset += block.bytes.size();
    return block.bytes.size() > 0;
}

/// All but `size` bytes, for the next one.
void EventBlocks::giveBack(EventBlock& block, std::size_t size) {
    const std::string_view rest = block.bytes.text().substr(size);
    if (rest.size() <= m_given && m_given < m_begun.size())
        m_given -= rest.size();
    else {
        m_begun.assign(rest.begin(), rest.end());
        m_given = 0;
    }
    block.bytes.cut(size);
}

} // namespace olab::io::json_import
