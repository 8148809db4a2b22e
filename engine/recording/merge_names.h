// Names of the merged recordings.
#pragma once

#include <olab/recording/merge.h>

namespace olab::recording {

/// "rank 3" if the recording or its file name says so, else the name of the program or of the file; all
/// different. For a merged recording, which names its own parts: the file name.
std::vector<std::string> rankNames(const std::vector<MergePart>& parts);

} // namespace olab::recording
