// Which API calls of other people's programs are recorded: not those of the runtime that only ask, which are
// most of all calls and cost the program about a microsecond each; and of the driver, which the runtime calls
// too, only those that matter. Private to cupti.
#pragma once

#include <string>
#include <string_view>

namespace olab::cupti {

/// "cudaMemcpyAsync" for "cudaMemcpyAsync_v3020".
std::string_view withoutVersion(std::string_view name);
/// "cuMemcpyHtoDAsync" for "cuMemcpyHtoDAsync_v2_ptsz".
std::string_view withoutSuffixes(std::string_view name);
/// Whether a runtime call only asks. The name is without suffixes. Polling (cudaEventQuery, cudaStreamQuery)
/// is no question: it is how a program waits.
bool onlyAsks(std::string_view name);
/// Whether a driver call launches, copies, waits, allocates, or loads code. The name is without suffixes.
bool isDriverWork(std::string_view name);

/// Runtime calls that only ask are not recorded from now on; after the kind was enabled.
/// @returns their names, with ", " between them; empty if this CUPTI records all calls or none
std::string leaveOutQuestions();

/// Whether a file is a library that launches by the driver itself, sooner or later in a run: then that a
/// program began by the runtime alone says nothing.
bool callsDriverItself(std::string_view file);

/// Whether a file is a library whose programs CUPTI 13.0 may break when it is asked for its buffers
/// meanwhile: XLA. A loop of JAX whose body it had made a CUDA graph ended with CUDA_ERROR_LAUNCH_FAILED at
/// the graph's first launch in 24 of 31 runs on an H200 (driver 580), and in none of 8 that were not asked.
bool failsWhenAsked(std::string_view file);

/// Driver calls that matter are recorded from now on, or no longer. Any thread.
/// @returns whether this CUPTI can
bool recordDriverWork(bool on);

} // namespace olab::cupti
