#include "event_blocks.h"

#include "chrome_event.h"

#include <cstring>

namespace olab::json_import {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{512} << 10;

} // namespace

std::span<std::byte> PaddedText::room(std::size_t more) {
    if (m_bytes.size() < m_size + more + kPadding)
        m_bytes.resize(m_size + more + kPadding);
    return std::as_writable_bytes(std::span(m_bytes)).subspan(m_size, more);
}

void PaddedText::append(std::string_view text) {
    if (text.empty()) // which may be of nothing at all
        return;
    std::memcpy(room(text.size()).data(), text.data(), text.size());
    m_size += text.size();
}

EventBlocks::EventBlocks(Source& source, std::string_view begun, std::uint64_t offset)
    : m_source(source)
    , m_begun(begun.begin(), begun.end())
    , m_offset(offset) {}

bool EventBlocks::next(EventBlock& block) {
    block.bytes.clear();
    block.bytes.append({m_begun.data(), m_begun.size()});
    m_begun.clear();
    while (!m_ended && block.bytes.size() < kBlockBytes) {
        const std::size_t got = m_source.read(block.bytes.room(kBlockBytes - block.bytes.size()));
        block.bytes.grow(got);
        m_ended = got == 0;
    }
    const std::string_view text = block.bytes.text();
    if (!m_ended)
        if (const char* last = lastEvent(text.data(), text.data() + text.size())) {
            m_begun.assign(last, text.data() + text.size());
            block.bytes.cut(static_cast<std::size_t>(last - text.data()));
        }
    block.offset = m_offset, block.number = m_number++;
    m_offset += block.bytes.size();
    return block.bytes.size() > 0;
}

} // namespace olab::json_import
