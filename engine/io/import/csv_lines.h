// Lines of a text, and fields of a line: quoted fields may contain commas and doubled quotes, but no line
// ends. Private to io.
#pragma once

#include <olab/io/source.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::io::imports {

class TextLines {
public:
    explicit TextLines(Source& source);
    /// Without line end, valid until the next call; for a line over the maximum length only its beginning.
    std::optional<std::string_view> next();
    /// The line from next() exceeds the maximum length: its end was not read.
    bool wasTooLong() const { return m_wasTooLong; }
    /// ... because the text ends in it.
    bool wasCutOff() const { return m_wasCutOff; }

private:
    bool refill();
    Source& m_source;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    bool m_ended = false, m_wasTooLong = false, m_wasCutOff = false;
    std::string m_line;
};

/// Replaces `fields`. False: the last one has an unterminated quote.
bool splitFields(std::string_view line, std::vector<std::string>& fields);

} // namespace olab::io::imports
