// Names of the merged recordings, and what a recording says of its rank and its clock.
#pragma once

#include <olab/recording/merge.h>

#include <optional>
#include <string_view>

namespace olab::recording {

/// "rank 3" if the recording or its file name says so, else the name of the program or of the file; all
/// different. For a merged recording, which names its own parts: the file name.
std::vector<std::string> rankNames(const std::vector<MergePart>& parts);

/// As the trace says; nothing if it does not.
std::optional<std::int64_t> recordedRank(const Trace& trace);
std::optional<std::int64_t> recordedRankCount(const Trace& trace);
/// "rank-70", "rank_70", "rank70", "Rank 70" somewhere in a file's name.
std::optional<std::int64_t> rankInName(std::string_view file);

inline constexpr std::string_view kBaseKey = "import.base_time_ns";
/// The wall time of time 0 in this trace; nothing if unknown.
std::optional<Ns> wallOf(const Trace& trace);

} // namespace olab::recording
