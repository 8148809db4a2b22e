// Names of CUDA calls by the number that CUPTI gives them: nvprof writes down only that. Private to io.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace olab::imports {

/// "cudaMemcpyAsync"; "runtime API 9999" for one that is not known.
std::string callName(bool isDriver, std::int64_t number);

} // namespace olab::imports
