// Merges several recordings into one: the ranks of a distributed program, several processes, any mix of
// formats. Each stays a separate, named group of devices; its content is only shifted in time, so the numbers
// of its devices are those of its own file to the nanosecond.
//
// Times are aligned by wall clock if recordings know it. If not, or if shared collectives show that the
// clocks disagree, they are aligned by the ends of these collectives. The method, the possible error and what
// could not be aligned are in Trace::ranks() and in defects: nothing is guessed.
#pragma once

#include <olab/io/recording_file.h>

#include <string>
#include <vector>

namespace olab::recording {

/// One of the recordings; a merged one contributes its ranks.
struct MergePart {
    std::shared_ptr<const Trace> trace; ///< not null
    std::string file;                   ///< as the user named it
    std::string title{};                ///< given by the user; empty: its rank or its file
    std::vector<io::Bookmark> bookmarks{};
    bool bookmarksPartly = false; ///< there are more than these
    std::string leftOut{};        ///< what a merged recording cannot contain: "what was planned, ..."
};
MergePart partOf(io::RecordingData data, std::string file);
/// The same for a trace held elsewhere; that of `data` is ignored.
MergePart partOf(std::shared_ptr<const Trace> trace, io::RecordingData data, std::string file);

/// @throws Error kind Usage for fewer than two parts, one that is there twice (comparison/same_work.h),
/// or more devices than a trace can hold; when cancelled
io::RecordingData mergeRecordings(std::vector<MergePart> parts, const RunControl& control = {});

} // namespace olab::recording
