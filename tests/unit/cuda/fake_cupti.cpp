// The real libcupti (FAKE_CUPTI_REAL) but for the answers a test asks for: FAKE_CUPTI_VERSION,
// FAKE_CUPTI_LAYOUT (records of another length), FAKE_CUPTI_SUBSCRIBE and FAKE_CUPTI_ENABLE (a CUptiResult).
#include <cupti.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

template <typename Function>
Function real(const char* name) {
    static void* const library = dlopen(std::getenv("FAKE_CUPTI_REAL"), RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function>(dlsym(library, name));
}

CUptiResult resultOf(const char* name) {
    const char* text = std::getenv(name);
    return text ? static_cast<CUptiResult>(std::atoi(text)) : CUPTI_SUCCESS;
}

} // namespace

#define FORWARD(name, parameters, arguments)                                                                 \
    CUptiResult CUPTIAPI name parameters {                                                                   \
        return real<decltype(&name)>(#name) arguments;                                                       \
    }

extern "C" {

CUptiResult CUPTIAPI cuptiGetVersion(uint32_t* version) {
    *version = std::getenv("FAKE_CUPTI_VERSION")
                   ? static_cast<uint32_t>(std::atoi(std::getenv("FAKE_CUPTI_VERSION")))
                   : 130001;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiSubscribe_v2(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*,
                                       CUpti_SubscriberParams* params) {
    std::strncpy(params->oldSubscriberName, "Made-up Profiler", params->oldSubscriberSize);
    return resultOf("FAKE_CUPTI_SUBSCRIBE");
}
CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind) {
    return resultOf("FAKE_CUPTI_ENABLE");
}
CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, CUpti_Activity** record) {
    const CUptiResult result =
        real<decltype(&cuptiActivityGetNextRecord)>("cuptiActivityGetNextRecord")(buffer, valid, record);
    if (result == CUPTI_SUCCESS && std::getenv("FAKE_CUPTI_LAYOUT") && *record != static_cast<void*>(buffer))
        *record = reinterpret_cast<CUpti_Activity*>(reinterpret_cast<uint8_t*>(*record) + 8);
    return result;
}
// The real ones need a driver.
CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType) {
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc,
                                                    CUpti_BuffersCallbackCompleteFunc) {
    return CUPTI_SUCCESS;
}
FORWARD(cuptiGetResultString, (CUptiResult result, const char** text), (result, text))
FORWARD(cuptiActivityDisable, (CUpti_ActivityKind kind), (kind))
FORWARD(cuptiActivityFlushAll, (uint32_t flag), (flag))
FORWARD(cuptiActivityGetNumDroppedRecords, (CUcontext context, uint32_t stream, size_t* dropped),
        (context, stream, dropped))
FORWARD(cuptiActivityPushExternalCorrelationId, (CUpti_ExternalCorrelationKind kind, uint64_t id), (kind, id))
FORWARD(cuptiActivityPopExternalCorrelationId, (CUpti_ExternalCorrelationKind kind, uint64_t* id), (kind, id))
FORWARD(cuptiEnableCallback,
        (uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain,
         CUpti_CallbackId id),
        (enable, subscriber, domain, id))
FORWARD(cuptiGetContextId, (CUcontext context, uint32_t* id), (context, id))
FORWARD(cuptiGetStreamIdEx, (CUcontext context, CUstream stream, uint8_t perThread, uint32_t* id),
        (context, stream, perThread, id))
FORWARD(cuptiGetGraphNodeId, (CUgraphNode node, uint64_t* id), (node, id))
FORWARD(cuptiGetCallbackName, (CUpti_CallbackDomain domain, uint32_t id, const char** name),
        (domain, id, name))
}
