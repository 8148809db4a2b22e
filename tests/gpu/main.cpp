// A GPU test without a device is skipped, never passed.
#include <olab/cuda/probe.h>

#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const olab::CudaMachine machine = olab::probeMachine();
    if (!machine.usable) {
        std::printf("SKIPPED: no usable GPU. %s\n", machine.why.c_str());
        return 77;
    }
    return RUN_ALL_TESTS();
}
