// Which recordings look like ranks of one distributed run: an offer to merge them can be made, never more.
// Any thread.
#pragma once

#include <olab/recording/recording.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace olab::recording {

/// What a recording tells of the run it belongs to.
struct RankSigns {
    std::string name;                        ///< of its file, without the folder
    std::string format;                      ///< without its packing
    std::optional<std::int64_t> rank, ranks; ///< its rank and the size of the run, if the trace says so
    std::optional<Interval> wall{};          ///< in ns since 1970; nothing if unknown
    std::optional<Ns> switchedOn{}; ///< by olab trace, first: several processes begin at one instant (--on)
    std::string program{};          ///< of olab trace --children, whose files are app.olab, app.1234.olab
};
RankSigns rankSigns(const Recording& recording);

/// Groups of two or more, each as positions in `all` by rank: the same format, and each has another rank (the
/// trace or the file name says it), or the names differ in one number, or olab trace recorded them together
/// (from one instant, or as processes of one program; in the order that they are given). Their times overlap;
/// without a known wall time only those count whose rank is known.
std::vector<std::vector<std::size_t>> likelyRanks(const std::vector<RankSigns>& all);

} // namespace olab::recording
