// Several recordings put together into one: the ranks of a distributed program, several processes, any mix of
// formats. Each stays a group of devices of its own, with its name; what it holds is shifted in time and else
// as it was, so the numbers of its devices are those of its own file to the nanosecond.
//
// Times are aligned by wall clock where recordings know it, else, or where collectives that two recordings
// share show that their clocks disagree, by the ends of these. How, how far it may be off, and what could not
// be aligned is told in Trace::ranks() and by defects: nothing is guessed.
#pragma once

#include <olab/io/recording_file.h>

#include <string>
#include <vector>

namespace olab {

/// One of the recordings; a merged one brings its ranks along.
struct MergePart {
    std::shared_ptr<const Trace> trace; ///< not null
    std::string file;                   ///< as the person named it
    std::string title{};                ///< what the person calls it; empty: its rank or its file
    std::vector<Bookmark> bookmarks{};
    bool bookmarksPartly = false; ///< there are more of them
    std::string leftOut{};        ///< what it has and a view of several cannot: "what was planned, ..."
};
MergePart partOf(RecordingData data, std::string file);
/// The same of a trace that somebody else holds; that of `data` is not looked at.
MergePart partOf(std::shared_ptr<const Trace> trace, RecordingData data, std::string file);

/// @throws Error kind Usage for fewer than two parts, or more devices than a trace can hold; when cancelled
RecordingData mergeRecordings(std::vector<MergePart> parts, const RunControl& control = {});

} // namespace olab
