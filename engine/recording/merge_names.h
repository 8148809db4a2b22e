// What the recordings that are put together are called.
#pragma once

#include <olab/recording/merge.h>

namespace olab {

/// "rank 3" where the recording or its file's name says so, else the name of the program or of the file; no
/// two alike. Of a merged recording, which has names for each of its own: that of the file.
std::vector<std::string> rankNames(const std::vector<MergePart>& parts);

} // namespace olab
