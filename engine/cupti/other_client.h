// Another client of CUPTI in the process, such as torch.profiler. Where several would record, CUPTI gives all
// records to one of them: we step back when another one begins, and know when it has ended. Its calls are
// seen because they pass through us. Private to cupti.
#pragma once

#include "records.h"

#include <functional>
#include <string>

namespace olab::cupti {

/// Sees to it that calls of others pass through us; once per process, any number of times. Loads CUPTI, and
/// calls nothing of it. @returns false: they cannot be seen
bool watchOtherClient() noexcept;

/// Those are called on the program's threads, within a call of the other client.
struct OtherClientTold {
    std::function<void(const std::string& name)> begins; ///< before CUPTI knows of it
    /// What CUPTI shall call for buffers instead of the other client's functions.
    CUpti_BuffersCallbackRequestFunc requested = nullptr;
    CUpti_BuffersCallbackCompleteFunc completed = nullptr;
};
/// From now on; never again. `told` is never destroyed.
void followOtherClient(const OtherClientTold& told);

/// One subscribed before its calls could be seen. `mayRecord`: until it is seen to end.
void noteEarlierClient(const std::string& name, bool mayRecord);
/// Whether one records now, or made a call a moment ago.
bool otherClientRecords() noexcept;
/// Whether one may be called back by CUPTI, recording or not: then CUPTI must not be finalized.
bool otherClientIsThere() noexcept;
/// "torch.profiler (libtorch_cpu.so)"; empty: there was none.
std::string otherClientName();

/// The other client's functions for buffers; null: none.
CUpti_BuffersCallbackRequestFunc otherRequested() noexcept;
CUpti_BuffersCallbackCompleteFunc otherCompleted() noexcept;
/// The clock that it gave CUPTI for all records; null: none.
CUpti_TimestampCallbackFunc otherClock() noexcept;

} // namespace olab::cupti
