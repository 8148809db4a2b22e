// What general readers of JSON take for the same file, where they are installed (Debian: libsimdjson-dev,
// rapidjson-dev): each loads it and takes from every event what overlap needs (category, device, stream,
// correlation, begin, length), its times as doubles. On one thread, as they come.
#pragma once

#include <cstddef>
#include <filesystem>

namespace olab::bench {

/// `count`: of device operations.
void benchOtherReaders(const std::filesystem::path& path, std::size_t count);

} // namespace olab::bench
