// Which API calls of other people's programs are recorded.
#include "call_choice.h"

#include <gtest/gtest.h>

namespace olab::cupti {
namespace {

TEST(CallChoice, NamesAreComparedWithoutVersionAndStreamSuffixes) {
    EXPECT_EQ(withoutSuffixes("cudaGetDevice_v3020"), "cudaGetDevice");
    EXPECT_EQ(withoutSuffixes("cudaStreamIsCapturing_ptsz_v10000"), "cudaStreamIsCapturing");
    EXPECT_EQ(withoutSuffixes("cudaStreamGetCaptureInfo_v2_ptsz_v11030"), "cudaStreamGetCaptureInfo");
    EXPECT_EQ(withoutSuffixes("cuMemcpyHtoDAsync_v2_ptsz"), "cuMemcpyHtoDAsync");
    EXPECT_EQ(withoutSuffixes("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
    EXPECT_EQ(withoutSuffixes("cuMemsetD2D8Async"), "cuMemsetD2D8Async");
    EXPECT_EQ(withoutSuffixes("a_value"), "a_value");
    EXPECT_EQ(withoutSuffixes(""), "");
}

TEST(CallChoice, RuntimeCallsThatOnlyAskAreQuestions) {
    for (const char* name :
         {"cudaGetDevice", "cudaGetDeviceCount", "cudaGetLastError", "cudaPeekAtLastError",
          "cudaDeviceGetAttribute", "cudaGetDeviceProperties", "cudaStreamIsCapturing",
          "cudaStreamGetCaptureInfo", "cudaThreadExchangeStreamCaptureMode", "cudaPointerGetAttributes",
          "cudaFuncGetAttributes", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
          "cudaOccupancyMaxActiveClusters", "cudaStreamGetPriority", "cudaStreamGetFlags",
          "cudaStreamGetDevice", "cudaStreamGetId", "cudaDriverGetVersion", "cudaRuntimeGetVersion"})
        EXPECT_TRUE(onlyAsks(name)) << name;
    for (const char* name : {"cudaMemGetInfo", "cudaEventQuery", "cudaStreamQuery", "cudaSetDevice",
                             "cudaLaunchKernel", "cudaMalloc", "cudaStreamSynchronize",
                             "cudaFuncSetAttribute", "cudaEventElapsedTime", "cudaGetDeviceX", ""})
        EXPECT_FALSE(onlyAsks(name)) << name;
}

TEST(CallChoice, OfTheDriversCallsThoseThatWorkOrWaitMatter) {
    for (const char* name : {"cuLaunchKernel",
                             "cuLaunchKernelEx",
                             "cuLaunchCooperativeKernel",
                             "cuLaunchHostFunc",
                             "cuMemcpy",
                             "cuMemcpyHtoDAsync",
                             "cuMemcpyPeerAsync",
                             "cuMemsetD32Async",
                             "cuGraphLaunch",
                             "cuCtxSynchronize",
                             "cuStreamSynchronize",
                             "cuEventSynchronize",
                             "cuStreamWaitEvent",
                             "cuStreamWaitValue32",
                             "cuEventRecord",
                             "cuEventRecordWithFlags",
                             "cuMemAlloc",
                             "cuMemAllocFromPoolAsync",
                             "cuMemFree",
                             "cuMemFreeHost",
                             "cuMemHostAlloc",
                             "cuMemHostRegister",
                             "cuModuleLoadDataEx",
                             "cuLibraryLoadData",
                             "cuStreamQuery",
                             "cuEventQuery"})
        EXPECT_TRUE(isDriverWork(name)) << name;
    for (const char* name : {"cuCtxGetCurrent", "cuCtxPushCurrent", "cuDeviceGetAttribute",
                             "cuGetProcAddress", "cuMemHostGetFlags", "cuMemHostGetDevicePointer",
                             "cuMemGetInfo", "cuPointerGetAttribute", "cuStreamIsCapturing", "cuStreamGetCtx",
                             "cuFuncGetAttribute", "cuEventCreate", "cuGraphAddKernelNode", ""})
        EXPECT_FALSE(isDriverWork(name)) << name;
}

} // namespace
} // namespace olab::cupti
