// Lines of a text, and the fields of one: quoted ones may hold commas and doubled quotes, none holds the end
// of a line. Private to io.
#pragma once

#include <olab/io/source.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::imports {

class TextLines {
public:
    explicit TextLines(Source& source);
    /// Without its end, valid until the next call; of one that is longer than any that is read, its
    /// beginning.
    std::optional<std::string_view> next();
    /// Of the one that next() gave: its end was not read, since it is longer than any that is.
    bool wasTooLong() const { return m_wasTooLong; }
    /// ... since the text ends in it.
    bool wasCutOff() const { return m_wasCutOff; }

private:
    bool refill();
    Source& m_source;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    bool m_ended = false, m_wasTooLong = false, m_wasCutOff = false;
    std::string m_line;
};

/// Replaces `fields`. False: the last one is quoted and has no end.
bool splitFields(std::string_view line, std::vector<std::string>& fields);

} // namespace olab::imports
