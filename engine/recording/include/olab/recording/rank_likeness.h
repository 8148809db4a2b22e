// Finds recordings that look like ranks of one distributed run, in order to offer merging them. Any thread.
#pragma once

#include <olab/recording/recording.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace olab::recording {

/// What a recording says about its run.
struct RankSigns {
    std::string name;                        ///< of its file, without the folder
    std::string format;                      ///< without compression
    std::optional<std::int64_t> rank, ranks; ///< its rank and the size of the run, if the trace says so
    std::optional<Interval> wall{};          ///< in ns since 1970; nothing if unknown
    /// When olab trace first switched recording on: with --on several processes begin at one instant.
    std::optional<Ns> switchedOn{};
    std::string program{}; ///< of olab trace --children, whose files are app.olab, app.1234.olab
};
RankSigns rankSigns(const Recording& recording);

/// Groups of two or more, each as indices of `all`, by rank: the same format, and either different ranks
/// (according to the trace or the file name), or names that differ in one number, or recorded together by
/// olab trace (from one instant, or as processes of one program; in the given order). Their times overlap;
/// without a known wall time, only recordings with a known rank count.
std::vector<std::vector<std::size_t>> likelyRanks(const std::vector<RankSigns>& all);

} // namespace olab::recording
