// Compiled for the device runtime (-rdc=true, cudadevrt) into an image of its own, which device_copy_image
// makes part of the program: nothing else needs that runtime.
#include <cuda_runtime.h>

/// Starts a copy from the device; *result: what the call returned.
extern "C" __global__ void olab_device_copy(void* to, const void* from, unsigned long long bytes, int kind,
                                            int* result) {
    *result = static_cast<int>(
        cudaMemcpyAsync(to, from, bytes, static_cast<cudaMemcpyKind>(kind), cudaStreamFireAndForget));
}
