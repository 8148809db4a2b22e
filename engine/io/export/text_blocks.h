// Text for a file, written in blocks. Private to io.
#pragma once

#include <olab/trace/output_file.h>

#include <concepts>
#include <string>

namespace olab::io::exported {

class TextBlocks {
public:
    explicit TextBlocks(OutputFile& file)
        : m_file(file) {}
    TextBlocks& operator<<(std::string_view text) {
        m_text += text;
        return *this;
    }
    TextBlocks& operator<<(std::integral auto number) {
        m_text += std::to_string(number);
        return *this;
    }
    /// Between two records: writes a full block.
    void next() {
        if (m_text.size() >= kBlock)
            flush();
    }
    void flush() {
        m_file.write(std::string_view(m_text));
        m_text.clear();
    }

private:
    static constexpr std::size_t kBlock = std::size_t{1} << 20;
    OutputFile& m_file;
    std::string m_text;
};

} // namespace olab::io::exported
