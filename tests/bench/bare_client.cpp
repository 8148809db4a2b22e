// The least that a client of CUPTI can do: asks for the records that a capture asks for, and throws them
// away. What it costs a program is CUPTI's own price. Loaded through CUDA_INJECTION64_PATH.
#include <cupti.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

namespace {

constexpr std::size_t kBytes = 4u << 20;

void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = static_cast<std::uint8_t*>(std::calloc(kBytes, 1));
    *size = kBytes;
    *records = 0;
}
void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
    std::free(buffer);
}

} // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
    cuptiActivityRegisterCallbacks(requested, completed);
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
          CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION,
          CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_STREAM,
          CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_DEVICE})
        cuptiActivityEnable(kind);
    return 1;
}
