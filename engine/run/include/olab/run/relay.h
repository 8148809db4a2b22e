// Between a parent and an engine process on another machine: `olab engine --relay`. To the parent it is a
// child like any other (protocol.h). Over there only standard input, output and error exist, so what the
// child says and the recordings that it made come back in one stream:
//   olab-stream 1 VERSION     once; what was printed before (by the shell's startup files) is skipped
//   {"event":...}             the lines of protocol.h
//   file JOB BYTES            followed by so many bytes: the recording of the job, before its "finished"
// and a blank line goes there every ten seconds. A child that hears nothing for 45 s ends: the connection is
// gone.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace olab::run {

inline constexpr std::string_view kStreamGreeting = "olab-stream 1 ";
inline constexpr std::chrono::seconds kBeat{10}, kMostSilence{45};

/// Starts `words`, which run `olab engine --stream` at `place`, and passes on what both sides say until one
/// of them ends. @returns the exit code.
int relayEngine(const std::string& place, const std::vector<std::string>& words, int jobDescriptor,
                int eventDescriptor);

} // namespace olab::run
