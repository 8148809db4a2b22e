// A Kineto trace as large as one likes: two GPUs with eight streams each, every operation with its API call
// and the flow between them, laid out as PyTorch writes it. The same bytes for the same count.
#pragma once

#include <cstddef>
#include <filesystem>

namespace olab::bench {

/// `count` device operations: four events and about 976 bytes each.
void writeKinetoFile(const std::filesystem::path& path, std::size_t count);

} // namespace olab::bench
