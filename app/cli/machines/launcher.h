// --launcher: a command of ours run by the batch system of a cluster, or by a user's own command. No
// scheduler of our own.
#pragma once

#include "arguments.h"

#include <array>

namespace olab::cli {

inline constexpr OptionSpec kLauncherOption{"--launcher", "", "slurm or CMD",
                                            "run it on a node of a cluster: slurm, or your own command, in "
                                            "which {} (outside of quotes) is what to run"},
    kPartitionOption{"--partition", "", "NAME", "with --launcher slurm: the partition"},
    kAccountOption{"--account", "", "NAME", "... the account"},
    kGpusOption{"--gpus", "", "N", "... how many GPUs (or TYPE:N)"};
inline constexpr std::array<std::string_view, 4> kLauncherOptions{"--launcher", "--partition", "--account",
                                                                  "--gpus"};

/// --partition, --account and --gpus as Slurm's commands take them. @throws Error for one without
/// --launcher slurm
std::vector<std::string> slurmOptions(const Arguments& arguments);
/// A program of Slurm. @throws Error (no-slurm)
std::string slurmProgram(const char* name);
/// CMD with `words` in the place of {}, or behind it, for `sh -c`. @throws Error where a shell would read
/// them as part of a text in quotes
std::string launchedBy(const std::string& command, const std::vector<std::string>& words);

/// Runs `olab COMMAND` with the same arguments on a node, waits for it, and looks for the file it was to
/// write
/// (-o). @returns its exit code. @throws Error
int runLaunched(const char* command, const Arguments& arguments);

} // namespace olab::cli
