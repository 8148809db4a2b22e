// A GPU test without a device is skipped, never passed.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        std::printf("SKIPPED: no usable GPU (%s)\n", cudaGetErrorString(status));
        return 77;
    }
    return RUN_ALL_TESTS();
}
