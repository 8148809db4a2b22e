// Selects the API calls to record in other people's programs: of the runtime not those that only query, which
// are most of all calls and cost about a microsecond each; of the driver, which the runtime also calls, only
// those that matter. Private to cupti.
#pragma once

#include <string>
#include <string_view>

namespace olab::cupti {

/// "cudaMemcpyAsync" for "cudaMemcpyAsync_v3020".
std::string_view withoutVersion(std::string_view name);
/// "cuMemcpyHtoDAsync" for "cuMemcpyHtoDAsync_v2_ptsz".
std::string_view withoutSuffixes(std::string_view name);
/// Whether a runtime call only queries. The name is without suffixes. Polling (cudaEventQuery,
/// cudaStreamQuery) does not count as a query, because it is a way of waiting.
bool onlyAsks(std::string_view name);
/// Whether a driver call launches, copies, waits, allocates, or loads code. The name is without suffixes.
bool isDriverWork(std::string_view name);

/// Stops recording runtime calls that only query; call after enabling the kind.
/// @returns their names, with ", " between them; empty if this CUPTI records all calls or none
std::string leaveOutQuestions();

/// Whether a file is a library that launches by the driver itself at some time in a run. Then the fact that a
/// program started with the runtime alone means nothing.
bool callsDriverItself(std::string_view file);

/// Whether a file is a library whose programs CUPTI 13.0 may break when it is asked for its buffers
/// meanwhile: XLA. A loop of JAX whose body it had made a CUDA graph ended with CUDA_ERROR_LAUNCH_FAILED at
/// the graph's first launch in 24 of 31 runs on an H200 (driver 580), and in none of 8 that were not asked.
bool failsWhenAsked(std::string_view file);

/// Starts or stops recording driver calls that matter. Any thread.
/// @returns whether this CUPTI can
bool recordDriverWork(bool on);

} // namespace olab::cupti
