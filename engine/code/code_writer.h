// Collects the lines of a program, indents them, and adds braces to the blocks that need them. Private to the
// module.
#pragma once

#include <olab/code/cuda_code.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace olab::code {

using Keys = std::initializer_list<std::string_view>;

constexpr std::uint32_t bitOf(experiment::OpKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
}

class CodeWriter {
public:
    /// The line just written; valid until the next one.
    class Line {
    public:
        explicit Line(CodeLine& line)
            : m_line(&line) {}
        Line& by(Keys keys);                 ///< the options that it comes from
        Line& runs(experiment::OpKind kind); ///< an op that it executes

    private:
        CodeLine* m_line;
    };
    Line add(std::string_view text);
    void blank();
    /// A function or struct: its head, then `close` ("}", "};"). Its lines between begin and end are
    /// indented.
    void begin(std::string_view head, Keys keys = {});
    void end(std::string_view close = "}");
    /// A loop or condition: without braces around one line, removed around none.
    void beginLoop(std::string_view head, Keys keys = {});
    void endLoop();
    std::vector<CodeLine> take();

private:
    void indent(int by) { m_depth += by; }
    std::vector<CodeLine> m_lines;
    std::vector<std::size_t> m_loops; ///< positions of the heads of open loops
    int m_depth = 0;
};

} // namespace olab::code
