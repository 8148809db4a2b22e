// Pages of NVIDIA's documentation that several causes refer to.
#pragma once

#include <string_view>

namespace olab::analysis::causes {

inline constexpr std::string_view kSyncPage = "NVIDIA, CUDA Driver API, \"API synchronization behavior\" "
                                              "(docs.nvidia.com/cuda/cuda-driver-api/api-sync-behavior.html)";
inline constexpr std::string_view kAsyncPage = "NVIDIA, CUDA Programming Guide, \"Asynchronous Execution\"";
inline constexpr std::string_view kEnvironmentPage =
    "NVIDIA, CUDA Programming Guide, \"CUDA environment variables\"";

} // namespace olab::analysis::causes
