#include <olab/kernels/small_kernels.h>

using olab::kernels::FillArgs;

// Whole 16-byte words by all threads in turn; cudaMalloc'ed memory is aligned to more than that.
extern "C" __global__ void olab_fill_kernel(FillArgs a) {
    const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x, words = a.bytes / sizeof(uint4);
    auto* at = reinterpret_cast<uint4*>(a.at);
    for (std::uint64_t i = thread; i < words; i += threads)
        at[i] = uint4{0, 0, 0, 0};
    if (const std::uint64_t rest = words * sizeof(uint4) + thread; rest < a.bytes && thread < sizeof(uint4))
        a.at[rest] = 0;
}

extern "C" __global__ void olab_null_kernel() {}

// Separate functions, not a template: their names are shown to users.
#define OLAB_ONE(n)                                                                                          \
    extern "C" __global__ void olab_first_kernel_##n() {}
#define OLAB_EIGHT(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7)
#define OLAB_ALL(X)                                                                                          \
    OLAB_EIGHT(X, 0)                                                                                         \
    OLAB_EIGHT(X, 1)                                                                                         \
    OLAB_EIGHT(X, 2) OLAB_EIGHT(X, 3) OLAB_EIGHT(X, 4) OLAB_EIGHT(X, 5) OLAB_EIGHT(X, 6) OLAB_EIGHT(X, 7)
OLAB_ALL(OLAB_ONE)

namespace olab::kernels {
namespace {

constexpr std::uint32_t kFillThreads = 256;

#define OLAB_ENTRY(n) reinterpret_cast<const void*>(olab_first_kernel_##n),
const void* const kFirst[] = {OLAB_ALL(OLAB_ENTRY)};
static_assert(sizeof kFirst / sizeof *kFirst == kFirstKernels);

} // namespace

Launch fillLaunch(std::uint64_t bytes, std::uint64_t mostBlocks) {
    constexpr std::uint64_t kPerBlock = kFillThreads * sizeof(uint4);
    const std::uint64_t wanted = (bytes + kPerBlock - 1) / kPerBlock;
    const std::uint64_t blocks = wanted < 1 ? 1 : wanted < mostBlocks ? wanted : mostBlocks;
    return {reinterpret_cast<const void*>(olab_fill_kernel), static_cast<std::uint32_t>(blocks), kFillThreads,
            0};
}

Launch nullLaunch() {
    return {reinterpret_cast<const void*>(olab_null_kernel), 1, 1, 0};
}

Launch firstLaunch(std::uint32_t number) {
    return {kFirst[number % kFirstKernels], 1, 1, 0};
}

} // namespace olab::kernels
