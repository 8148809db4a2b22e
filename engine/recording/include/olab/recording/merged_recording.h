// Merges several recordings into one (io/merge.h) and analyses it: from files, or those that are open. Any
// thread.
#pragma once

#include <olab/recording/recording.h>

#include <span>

namespace olab::recording {

/// Reads all of them, in any formats, and merges them; the result has no file. @throws Error as
/// readRecording() and mergeRecordings()
io::RecordingData readMerged(std::span<const std::filesystem::path> files, const RunControl& control = {});
/// For people: "rank 0, rank 1 and 6 more".
std::string mergedTitle(const Trace& merged);
RecordingPtr openMerged(std::span<const std::filesystem::path> files, const RunControl& control = {});
/// For recordings in memory, which are not changed. @throws Error as mergeRecordings()
RecordingPtr mergeOf(std::span<const RecordingPtr> recordings, const RunControl& control = {});

} // namespace olab::recording
