// Compiled for the device runtime (-rdc=true, cudadevrt) into a separate image, which device_copy_image
// embeds in the program: nothing else needs that runtime.
#include <cuda_runtime.h>

/// Starts a copy from the device; *result: the return value of the call.
extern "C" __global__ void olab_device_copy(void* to, const void* from, unsigned long long bytes, int kind,
                                            int* result) {
    *result = static_cast<int>(
        cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(kind), cudaStreamFireAndForget));
}
