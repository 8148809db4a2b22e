// A file opened for somebody who waits at a terminal.
#pragma once

#include <olab/recording/recording.h>

#include <filesystem>
#include <memory>

namespace olab::cli {

/// With its account and its repeating iteration, up to kAccountUpTo operations.
std::shared_ptr<recording::Recording> openJudged(const std::filesystem::path& file,
                                                 const RunControl& control);

} // namespace olab::cli
