// Another client of CUPTI in the process, such as torch.profiler. If several record, CUPTI gives all records
// to one of them: we step back when another one begins, and notice when it has ended. Its calls are seen
// because they pass through us. Private to cupti.
#pragma once

#include "records.h"

#include <functional>
#include <string>

namespace olab::cupti {

/// Makes calls of other clients pass through us; once per process, repeated calls are harmless. Loads CUPTI
/// without calling it. @returns false: they cannot be seen
bool watchOtherClient() noexcept;

/// Called on the program's threads, within a call of the other client.
struct OtherClientTold {
    std::function<void(const std::string& name)> begins; ///< before CUPTI knows of it
    /// The function that CUPTI calls for buffers instead of the other client's.
    CUpti_BuffersCallbackRequestFunc requested = nullptr;
    CUpti_BuffersCallbackCompleteFunc completed = nullptr;
};
/// Starts following, permanently. `told` is never destroyed.
void followOtherClient(const OtherClientTold& told);

/// Notes a client that subscribed before its calls could be seen. `mayRecord`: assume so until it is seen to
/// end.
void noteEarlierClient(const std::string& name, bool mayRecord);
/// Whether a client records now, or made a call a moment ago.
bool otherClientRecords() noexcept;
/// Whether CUPTI may call a client back, recording or not: then CUPTI must not be finalized.
bool otherClientIsThere() noexcept;
/// "torch.profiler (libtorch_cpu.so)"; empty: no client.
std::string otherClientName();

/// The other client's functions for buffers; null: none.
CUpti_BuffersCallbackRequestFunc otherRequested() noexcept;
CUpti_BuffersCallbackCompleteFunc otherCompleted() noexcept;
/// The clock that it gave CUPTI for all records; null: none.
CUpti_TimestampCallbackFunc otherClock() noexcept;

} // namespace olab::cupti
