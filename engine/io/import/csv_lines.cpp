#include "csv_lines.h"

#include <algorithm>
#include <cstring>

namespace olab::io::imports {
namespace {

constexpr std::size_t kBlock = 256 << 10, kLongestLine = 256 << 10;
constexpr std::size_t kMostFields = 256;

} // namespace

TextLines::TextLines(Source& source)
    : m_source(source)
    , m_buffer(kBlock) {}

bool TextLines::refill() {
    if (m_ended)
        return false;
    m_at = 0;
    m_end = m_source.read(std::as_writable_bytes(std::span(m_buffer)));
    m_ended = m_end == 0;
    return !m_ended;
}

std::optional<std::string_view> TextLines::next() {
    m_line.clear();
    bool any = false, isWhole = false;
    m_wasTooLong = false;
    while (m_at < m_end || refill()) {
        any = true;
        const char* from = m_buffer.data() + m_at;
        const auto* newline = static_cast<const char*>(std::memchr(from, '\n', m_end - m_at));
        const std::size_t size = newline ? static_cast<std::size_t>(newline - from) : m_end - m_at;
        const std::size_t room = kLongestLine - m_line.size();
        m_line.append(from, std::min(size, room));
        m_wasTooLong = m_wasTooLong || size > room;
        m_at += size + (newline ? 1 : 0);
        isWhole = newline != nullptr;
        if (isWhole)
            break;
    }
    m_wasCutOff = any && !isWhole;
    if (!any)
        return std::nullopt;
    std::string_view line = m_line;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

bool splitFields(std::string_view line, std::vector<std::string>& fields) {
    fields.assign(1, {});
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            fields.back() += '"', ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted && fields.size() < kMostFields)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return !quoted;
}

} // namespace olab::io::imports
