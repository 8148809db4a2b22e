// The ends of .olab files: one that its writer could not write, and one that is all that is kept.
#pragma once

#include <olab/trace/container.h>

namespace olab {

/// Closes a file whose writer has gone: behind its last complete chunk `end`, which says why, and a closing
/// chunk. @returns false: it has an end, still grows, or cannot be written
bool endContainer(const std::filesystem::path& path, const RefusedRecord& end);

/// Appends to `to` the chunks of a file from this byte on, where one must begin. A chunk that is not whole is
/// the last. @throws Error what `to` throws, and if the file cannot be opened
void copyChunks(const std::filesystem::path& from, std::uint64_t begin, ContainerWriter& to);

} // namespace olab
