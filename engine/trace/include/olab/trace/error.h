// The one exception of the engine: what went wrong and what to do about it. Thrown for usage errors and
// failures of the machine or the device; bad *data* is never an Error but a Defect. Caught once, in Runner
// (or in main of a program).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace olab {

/// Maps one to one to the exit codes of cli.md. 1 is not used: it means that an assertion failed, and a
/// program fault must not be mistaken for that.
enum class ErrorKind : int { Usage = 2, NoDevice = 3, DeviceFailed = 4, Cancelled = 5, Internal = 70 };

/// From a number that came from another process; Internal if it is not a kind.
constexpr ErrorKind errorKindFrom(int number) {
    for (const ErrorKind kind :
         {ErrorKind::Usage, ErrorKind::NoDevice, ErrorKind::DeviceFailed, ErrorKind::Cancelled})
        if (static_cast<int>(kind) == number)
            return kind;
    return ErrorKind::Internal;
}

class Error : public std::runtime_error {
public:
    /// `code` is a stable identifier ("bad-value", "no-driver"), `message` says what happened, `hint` what to
    /// do next.
    Error(ErrorKind kind, std::string code, const std::string& message, std::string hint = {})
        : std::runtime_error(message)
        , m_kind(kind)
        , m_code(std::move(code))
        , m_hint(std::move(hint)) {}
    ErrorKind kind() const { return m_kind; }
    int exitCode() const { return static_cast<int>(m_kind); }
    const std::string& code() const { return m_code; }
    const std::string& hint() const { return m_hint; }

private:
    ErrorKind m_kind;
    std::string m_code;
    std::string m_hint;
};

} // namespace olab
