// Several recordings as one (io/merge.h), judged: from files, or those that are open. Any thread.
#pragma once

#include <olab/recording/recording.h>

#include <span>

namespace olab {

/// Reads all of them, any formats, and puts them together; its file is none of theirs. @throws Error as
/// readRecording() and mergeRecordings()
RecordingData readMerged(std::span<const std::filesystem::path> files, const RunControl& control = {});
/// What a person reads of it: "rank 0, rank 1 and 6 more".
std::string mergedTitle(const Trace& merged);
RecordingPtr openMerged(std::span<const std::filesystem::path> files, const RunControl& control = {});
/// Of recordings that are in memory; they stay as they are. @throws Error as mergeRecordings()
RecordingPtr mergeOf(std::span<const RecordingPtr> recordings, const RunControl& control = {});

} // namespace olab
