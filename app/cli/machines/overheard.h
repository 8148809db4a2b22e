// What is said on standard error by a program that we run, passed on at once, but for one kind of line that
// is for us.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace olab::cli {

/// As long as it lives, standard error of this process and of the programs that it starts goes through it.
class Overheard {
public:
    /// Lines that begin with `sign` are kept, not passed on.
    explicit Overheard(std::string sign);
    ~Overheard(); ///< waits until all has been passed on
    Overheard(const Overheard&) = delete;
    Overheard& operator=(const Overheard&) = delete;
    /// What follows the sign in the last such line, once nobody writes there any more.
    std::optional<std::string> end();

private:
    void listen(int from);
    void pass(std::string& pending, bool last);
    std::string m_sign;
    std::optional<std::string> m_kept;
    int m_errors = -1; ///< the real one
    std::jthread m_thread;
};

} // namespace olab::cli
