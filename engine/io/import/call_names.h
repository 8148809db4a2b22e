// Names of CUDA calls by CUPTI's number: nvprof stores only the number. Private to io.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace olab::io::imports {

/// "cudaMemcpyAsync"; "runtime API 9999" for an unknown one.
std::string callName(bool isDriver, std::int64_t number);

} // namespace olab::io::imports
