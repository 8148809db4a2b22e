// Reading a large Kineto trace, step by step, beside the floor: reading its bytes alone.
#pragma once

#include <cstddef>
#include <filesystem>

namespace olab::bench {

/// `count`: of its device operations.
void benchKinetoFile(const std::filesystem::path& path, std::size_t count);

} // namespace olab::bench
