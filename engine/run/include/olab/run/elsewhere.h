// Another machine, reached with the user's own OpenSSH: no daemon, no password kept, ~/.ssh/config obeyed.
// One connection stays open for as long as the object lives; all that is run there goes through it, so a
// question (a password, an unknown host key) is asked once. What runs there ends when the connection does.
#pragma once

#include <olab/trace/run_control.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace olab::run {

/// What must be there: the program, of this version, or nothing but a shell.
enum class Need : std::uint8_t { Olab, Shell };

class Elsewhere {
public:
    /// Connects. Where `mayAsk` and there is a terminal, ssh may ask on it; else it fails instead.
    /// @throws Error bad-host, no-ssh, no-connection, no-olab-there, other-version; Cancelled
    Elsewhere(std::string host, Need need, bool mayAsk, const RunControl& control);
    ~Elsewhere(); ///< disconnects
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

    const std::string& host() const;
    const std::string& system() const; ///< "Linux x86_64", as `uname -sm` says there
    /// A folder there that goes with the connection; empty with Need::Shell.
    const std::string& folder() const;

    /// The words of a local command that runs `olab ARGUMENTS` there. `environment`: "NAME=value".
    std::vector<std::string> olab(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& environment = {}) const;
    /// The same of a script for `sh -c`, which finds `arguments` in "$1", "$2", ...
    std::vector<std::string> script(std::string_view text, const std::vector<std::string>& arguments) const;
    /// Runs a local command with standard output and error in `output` (at most 64 KiB), and the file
    /// `input`, if one is named, behind standard input. @returns the exit code (128 and the signal's number
    /// where it died)
    int run(const std::vector<std::string>& words, std::string& output, const std::filesystem::path& input,
            const RunControl& control) const;
    /// Brings a file of there; it is here when it is complete. @throws Error
    void fetch(const std::string& there, const std::filesystem::path& here, const RunControl& control) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Names for which the user's ~/.ssh/config has an entry, without patterns; empty if it has none.
std::vector<std::string> knownHosts(const std::filesystem::path& home);

/// The key of the environment that names the machine on which a run was made, if it was another one.
inline constexpr std::string_view kHostKey = "host";

/// Where `olab setup-host` puts the program, below the home folder there.
inline constexpr std::string_view kFolderThere = ".local/share/overlap-lab";

} // namespace olab::run
