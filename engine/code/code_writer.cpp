#include "code_writer.h"

#include <algorithm>
#include <utility>

namespace olab::code {

CodeWriter::Line& CodeWriter::Line::by(Keys keys) {
    for (const std::string_view key : keys)
        if (!isMadeBy(*m_line, key))
            m_line->options.push_back(key);
    return *this;
}

CodeWriter::Line& CodeWriter::Line::runs(experiment::OpKind kind) {
    m_line->ops |= bitOf(kind);
    return *this;
}

CodeWriter::Line CodeWriter::add(std::string_view text) {
    const bool isDirective = text.starts_with('#'); // the preprocessor's, at the margin
    std::string line(isDirective ? 0 : static_cast<std::size_t>(m_depth) * 4, ' ');
    line += text;
    m_lines.push_back({std::move(line), {}, 0});
    return Line(m_lines.back());
}

void CodeWriter::blank() {
    if (!m_lines.empty() && !m_lines.back().text.empty())
        m_lines.emplace_back();
}

void CodeWriter::begin(std::string_view head, Keys keys) {
    add(head).by(keys);
    indent(1);
}

void CodeWriter::end(std::string_view close) {
    indent(-1);
    add(close);
}

void CodeWriter::beginLoop(std::string_view head, Keys keys) {
    m_loops.push_back(m_lines.size());
    begin(head, keys);
}

void CodeWriter::endLoop() {
    const std::size_t head = m_loops.back();
    m_loops.pop_back();
    indent(-1);
    const std::size_t inside = m_lines.size() - head - 1;
    if (inside == 0) {
        m_lines.pop_back();
    } else if (inside > 1) {
        m_lines[head].text += " {";
        add("}").by({});
    }
}

std::vector<CodeLine> CodeWriter::take() {
    return std::exchange(m_lines, {});
}

} // namespace olab::code
