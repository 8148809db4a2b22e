// libcupti by dlopen, and what it says turned into an Error. Private to cupti.
#pragma once

#include "records.h"

#include <olab/cupti/host_process.h>

#include <string>

namespace olab::cupti {

// Turns a CUPTI result into an Error that says what to do.

/// `what` completes "CUPTI could not ...". @throws Error NoDevice: no-permission, no-tracing,
/// out-of-host-memory, cupti-failed
void checkCupti(CUptiResult result, const std::string& what);

// libcupti by dlopen: the functions we call, loaded once per process.

// clang-format off
#define OLAB_CUPTI_FUNCTIONS(X)                      \
    X(cuptiGetVersion)                               \
    X(cuptiGetResultString)                          \
    X(cuptiSubscribe_v2)                             \
    X(cuptiActivityRegisterCallbacks)                \
    X(cuptiActivityEnable)                           \
    X(cuptiActivityDisable)                          \
    X(cuptiActivityFlushAll)                         \
    X(cuptiActivityGetNextRecord)                    \
    X(cuptiActivityGetNumDroppedRecords)             \
    X(cuptiActivityPushExternalCorrelationId)        \
    X(cuptiActivityPopExternalCorrelationId)         \
    X(cuptiGetCallbackName)                          \
    X(cuptiEnableCallback)                           \
    X(cuptiGetGraphNodeId)                           \
    X(cuptiGetContextId)                             \
    X(cuptiGetStreamIdEx)                            \
    X(cuptiSetThreadIdType)
/// Null if the library lacks them: then more is recorded, or at a higher cost.
#define OLAB_CUPTI_OPTIONAL_FUNCTIONS(X)             \
    X(cuptiActivityEnableRuntimeApi)                 \
    X(cuptiActivityEnableDriverApi)                  \
    X(cuptiActivitySetAttribute)                     \
    X(cuptiActivityRegisterTimestampCallback)        \
    X(cuptiActivityConfigureUnifiedMemoryCounter)    \
    X(cuptiSubscribe)                                \
    X(cuptiUnsubscribe)                              \
    X(cuptiEnableDomain)                             \
    X(cuptiFinalize)
// clang-format on
struct Api {
#define OLAB_DECLARE(name) decltype(&::name) name = nullptr;
    OLAB_CUPTI_FUNCTIONS(OLAB_DECLARE)
    OLAB_CUPTI_OPTIONAL_FUNCTIONS(OLAB_DECLARE)
#undef OLAB_DECLARE
    std::string file; ///< the library that was loaded
};

/// Loads libcupti on the first call, which also decides whether to use one that the program has already
/// loaded: two in one process interfere with each other. @throws Error kind NoDevice, code no-cupti or
/// wrong-cupti
const Api& api(HostProgram host = HostProgram::Ours);
std::string resultText(CUptiResult result);

} // namespace olab::cupti
