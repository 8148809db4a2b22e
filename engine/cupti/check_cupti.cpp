#include "check_cupti.h"

#include "api.h"

#include <olab/trace/error.h>

namespace olab::cupti {
namespace {

struct Advice {
    CUptiResult result;
    const char* code;
    const char* hint;
};

constexpr Advice kAdvice[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "no-permission",
     "The driver's option NVreg_RestrictProfilingToAdminUsers, which is meant for counters, refuses tracing "
     "too: "
     "an administrator can set it to 0, or give the program CAP_SYS_ADMIN. trace=off runs without CUPTI."},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "no-permission",
     "Profiling must be allowed for this virtual GPU on its host. trace=off runs without CUPTI."},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "no-tracing",
     "This virtual GPU cannot be traced. trace=off runs without CUPTI."},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "no-tracing",
     "A device in confidential computing mode cannot be traced. trace=off runs without CUPTI."},
    {CUPTI_ERROR_OUT_OF_MEMORY, "out-of-host-memory",
     "Close other programs, or make the experiment smaller."},
};

} // namespace

void checkCupti(CUptiResult result, const std::string& what) {
    if (result == CUPTI_SUCCESS)
        return;
    const std::string message = "CUPTI could not " + what + ": " + resultText(result) + ".";
    for (const Advice& advice : kAdvice)
        if (advice.result == result)
            throw Error(ErrorKind::NoDevice, advice.code, message, advice.hint);
    throw Error(ErrorKind::NoDevice, "cupti-failed", message,
                "Is a driver for CUDA 13.0 or later loaded (nvidia-smi)? trace=off runs without CUPTI.");
}

} // namespace olab::cupti
