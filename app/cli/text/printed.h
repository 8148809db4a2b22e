// Text for a terminal, made of two kinds of parts that the compiler tells apart: literals of this program,
// which go in as they are, and every other text, which may come from a file and is shown as text
// (visible_text.h): on one line, and without anything that a terminal would obey. There is no third way in
// but ours(), for pages of help.
#pragma once

#include <olab/trace/visible_text.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace olab::cli {

/// What stands in the source.
class Literal {
public:
    consteval Literal(const char* text) // NOLINT(google-explicit-constructor)
        : m_text(text) {}
    std::string_view text() const { return m_text; }

private:
    std::string_view m_text;
};

template <typename T>
concept TextValue = std::same_as<std::remove_cvref_t<T>, std::string> ||
    std::same_as<std::remove_cvref_t<T>, std::string_view>;

class Printed {
public:
    Printed() = default;
    Printed(Literal literal) // NOLINT(google-explicit-constructor)
        : m_text(literal.text()) {}
    template <TextValue T>
    Printed(const T& value) // NOLINT(google-explicit-constructor)
        : m_text(visibleText(value)) {}

    /// Lines that were made from literals and numbers alone.
    static Printed ours(std::string lines) {
        Printed made;
        made.m_text = std::move(lines);
        return made;
    }

    Printed& operator<<(const Printed& more) {
        m_text += more.m_text;
        return *this;
    }
    Printed& operator<<(Literal literal) {
        m_text += literal.text();
        return *this;
    }
    template <TextValue T>
    Printed& operator<<(const T& value) {
        m_text += visibleText(value);
        return *this;
    }
    template <std::integral T>
    Printed& operator<<(T number) {
        m_text += std::to_string(number);
        return *this;
    }
    const std::string& text() const { return m_text; }
    bool empty() const { return m_text.empty(); }

private:
    std::string m_text;
};

} // namespace olab::cli
