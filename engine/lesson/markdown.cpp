// The part of Markdown that lessons need, parsed into styled characters: unsupported markup stays plain text.
#include <olab/lesson/lesson_file.h>

#include <algorithm>
#include <array>

namespace olab::lesson {
namespace {

std::string_view trimmedLine(std::string_view line) {
    const auto first = line.find_first_not_of(" \t\r");
    return first == line.npos ? std::string_view()
                              : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Delimiters and the style of the text between them; longer delimiters first.
struct Mark {
    std::string_view mark;
    SpanStyle style;
};
constexpr std::array kMarks{Mark{"`", SpanStyle::Code}, Mark{"**", SpanStyle::Strong},
                            Mark{"*", SpanStyle::Emphasis}};

/// Limit of the search for a closing delimiter: a file full of delimiters costs no more than any other.
constexpr std::size_t kReach = 1'000;

/// The text of `[words](address)`, and its total length; 0: not a link.
std::pair<std::string_view, std::size_t> linkAt(std::string_view text) {
    text = text.substr(0, kReach);
    const auto close = text.find(']');
    if (!text.starts_with('[') || close == text.npos || text.substr(close + 1, 1) != "(")
        return {};
    const auto end = text.find(')', close);
    return end == text.npos ? std::pair<std::string_view, std::size_t>{}
                            : std::pair{text.substr(1, close - 1), end + 1};
}

class Spans {
public:
    explicit Spans(std::string_view text) {
        while (!text.empty())
            text.remove_prefix(take(text));
        flush();
    }
    std::vector<TextSpan> spans;

private:
    std::size_t take(std::string_view text) {
        for (const auto& [mark, style] : kMarks)
            if (const std::size_t length = marked(text, mark, style); length > 0)
                return length;
        if (const auto [words, length] = linkAt(text); length > 0) {
            m_plain += words;
            return length;
        }
        m_plain += text.front();
        return 1;
    }
    std::size_t marked(std::string_view text, std::string_view mark, SpanStyle style) {
        if (!text.starts_with(mark) || text.size() <= 2 * mark.size() || text[mark.size()] == ' ')
            return 0;
        const auto end = text.substr(0, kReach).find(mark, mark.size() + 1);
        if (end == text.npos || text[end - 1] == ' ')
            return 0;
        flush();
        spans.push_back({style, std::string(text.substr(mark.size(), end - mark.size()))});
        return end + mark.size();
    }
    void flush() {
        if (!m_plain.empty())
            spans.push_back({SpanStyle::Plain, std::move(m_plain)});
        m_plain.clear();
    }
    std::string m_plain;
};

/// The length of the item marker of this kind at the start of the line; 0: not an item.
std::size_t itemMark(std::string_view line, BlockKind kind) {
    if (kind == BlockKind::Item)
        return line.starts_with("- ") || line.starts_with("* ") ? 2 : 0;
    const auto digits = line.find_first_not_of("0123456789");
    return digits != line.npos && digits > 0 && digits < 4 && line.substr(digits, 2) == ". " ? digits + 2 : 0;
}

class Blocks {
public:
    void take(std::string_view raw) {
        const std::string_view line = trimmedLine(raw);
        if (line.starts_with("```"))
            return fence();
        if (m_inCode)
            return addCode(raw);
        if (line.empty())
            return end();
        if (line.starts_with("##"))
            return whole(BlockKind::Heading, trimmedLine(line.substr(line.find_first_not_of('#') == line.npos
                                                                         ? line.size()
                                                                         : line.find_first_not_of('#'))));
        for (const BlockKind kind : {BlockKind::Item, BlockKind::Numbered})
            if (const std::size_t mark = itemMark(line, kind); mark > 0) {
                end();
                m_kind = kind;
                m_text = line.substr(mark);
                return;
            }
        m_text += (m_text.empty() ? "" : " ") + std::string(line);
    }
    LessonText finish() {
        end();
        return std::move(m_blocks);
    }

private:
    void fence() {
        end();
        m_inCode = !m_inCode;
        m_kind = m_inCode ? BlockKind::Code : BlockKind::Paragraph;
    }
    void addCode(std::string_view line) { m_text += (m_text.empty() ? "" : "\n") + std::string(line); }
    void whole(BlockKind kind, std::string_view text) {
        end();
        m_kind = kind;
        m_text = text;
        end();
    }
    void end() {
        if (!m_text.empty() && m_kind == BlockKind::Code)
            m_blocks.push_back({m_kind, {{SpanStyle::Plain, std::move(m_text)}}});
        else if (!m_text.empty())
            m_blocks.push_back({m_kind, Spans(m_text).spans});
        m_text.clear();
        m_kind = BlockKind::Paragraph;
    }
    LessonText m_blocks;
    BlockKind m_kind = BlockKind::Paragraph;
    std::string m_text;
    bool m_inCode = false;
};

} // namespace

LessonText lessonText(std::string_view markdown) {
    Blocks blocks;
    while (!markdown.empty()) {
        const auto end = std::min(markdown.find('\n'), markdown.size());
        blocks.take(markdown.substr(0, end));
        markdown.remove_prefix(std::min(end + 1, markdown.size()));
    }
    return blocks.finish();
}

std::string plainWords(const LessonText& text) {
    std::string words;
    for (const TextBlock& block : text) {
        if (block.kind == BlockKind::Excerpt)
            continue;
        words += words.empty() ? "" : " ";
        const std::size_t first = block.kind == BlockKind::Figure ? 1 : 0; // not the picture itself
        for (std::size_t i = first; i < block.spans.size(); ++i)
            words += (i > first && first > 0 ? " " : "") + block.spans[i].text;
    }
    return words;
}

} // namespace olab::lesson
