// An experiment of Overlap Lab: h2d.bytes=16KiB d2h.bytes=32MiB memset.bytes=32MiB h2d.memory=wc
// h2d.portable=on h2d.target=constant kernel.us=1000 kernel.blocks=fill:8 streams=2 iterations=16
// issue=on-callback api=driver
// nvcc experiment.cu -o experiment && ./experiment
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

constexpr int streams = 2;
constexpr int iterations = 16;
constexpr size_t h2dBytes = 16 << 10;
constexpr size_t sliceBytes = 16 << 10; // of the array in constant memory
constexpr size_t memsetBytes = 32 << 20;
constexpr size_t d2hBytes = 32 << 20;
constexpr unsigned fills = 8; // grid: so many times what the device holds at once
constexpr unsigned threadsPerBlock = 256;
constexpr double kernelUs = 1000; // of the whole grid alone

using Clock = std::chrono::steady_clock;
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t status = (call);                                                                   \
        if (status != cudaSuccess) {                                                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status));                          \
            exit(2);                                                                                         \
        }                                                                                                    \
    } while (0)

// The driver's functions by name: no -lcuda is needed. Memory, streams and events are the runtime's.
template <typename Function>
static Function driverFunction(const char* name) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found));
    return reinterpret_cast<Function>(entry);
}
struct Driver {
    PFN_cuCtxPushCurrent_v4000 push = driverFunction<PFN_cuCtxPushCurrent_v4000>("cuCtxPushCurrent");
    PFN_cuCtxPopCurrent_v4000 pop = driverFunction<PFN_cuCtxPopCurrent_v4000>("cuCtxPopCurrent");
    PFN_cuMemcpyHtoDAsync_v3020 memcpyHtoDAsync =
        driverFunction<PFN_cuMemcpyHtoDAsync_v3020>("cuMemcpyHtoDAsync");
    PFN_cuMemcpyDtoHAsync_v3020 memcpyDtoHAsync =
        driverFunction<PFN_cuMemcpyDtoHAsync_v3020>("cuMemcpyDtoHAsync");
    PFN_cuMemsetD8Async_v3020 memsetD8Async = driverFunction<PFN_cuMemsetD8Async_v3020>("cuMemsetD8Async");
    PFN_cuLaunchKernel_v4000 launchKernel = driverFunction<PFN_cuLaunchKernel_v4000>("cuLaunchKernel");
    PFN_cuLaunchHostFunc_v10000 launchHostFunc =
        driverFunction<PFN_cuLaunchHostFunc_v10000>("cuLaunchHostFunc");
};
static const Driver& driver() {
    static const Driver functions;
    return functions;
}
// The context is made current for each call; the error codes of both APIs are numbered alike.
#define DRIVER(p, call)                                                                                      \
    do {                                                                                                     \
        CHECK(cudaError_t(driver().push((p).context)));                                                      \
        CHECK(cudaError_t(driver().call));                                                                   \
        CUcontext popped;                                                                                    \
        CHECK(cudaError_t(driver().pop(&popped)));                                                           \
    } while (0)

struct Pipeline {
    int number;
    cudaStream_t stream;
    CUcontext context;
    unsigned* source;          // on the host
    char* slice;               // of the array in constant memory
    unsigned* scratch;         // what the memset clears
    unsigned *output, *target; // on the device, on the host
};
static Pipeline pipelines[streams];
static long long loops;  // of each kernel
static unsigned* errors; // on the device: counts words that are wrong
static unsigned blocks;

template <typename T>
struct Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<T> waiting;
    void put(T value) {
        std::lock_guard<std::mutex> lock(mutex);
        waiting.push_back(value);
        changed.notify_one();
    }
    T take() {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this] { return !waiting.empty(); });
        const T value = waiting.front();
        waiting.pop_front();
        return value;
    }
};
static Queue<int> reports; // numbers of pipelines whose pass is done

// What an H2D copy brings.
constexpr __host__ __device__ unsigned pattern(size_t i, int number) {
    return (unsigned(i) * 2654435761u ^ (1u + unsigned(number)) * 0x9e3779b9u) | 1u;
}
// What the kernel makes of it.
constexpr __host__ __device__ unsigned result(size_t i, int number, int pass) {
    return pattern(i, number) * 3u + 1u + unsigned(pass) * 0x01000193u;
}
// A thread looks at one word of a buffer.
constexpr __host__ __device__ size_t wordOf(size_t thread, size_t words, size_t threads) {
    return words > threads ? thread * (words / threads) : thread;
}
constexpr unsigned used = 0xdeadbee0u; // left behind: a step that is late or missing shows
__constant__ unsigned constants[streams * sliceBytes / sizeof(unsigned)];
// Fixed work, not a wait: a kernel that shares the SMs takes longer. Without `errors` it is being
// calibrated, and nothing is checked.
__global__ void work(Pipeline p, int pass, long long loops, unsigned* errors) {
    const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t threads = size_t(gridDim.x) * blockDim.x;
    unsigned wrong = 0;
    if (t < h2dBytes / sizeof(unsigned)) {
        const size_t i = wordOf(t, h2dBytes / sizeof(unsigned), threads);
        wrong += constants[p.number * (sliceBytes / sizeof(unsigned)) + i] != pattern(i, p.number);
    }
    if (t < memsetBytes / sizeof(unsigned)) {
        const size_t i = wordOf(t, memsetBytes / sizeof(unsigned), threads);
        wrong += p.scratch[i] != 0;
        p.scratch[i] = used;
    }
    if (t < d2hBytes / sizeof(unsigned)) {
        const size_t i = wordOf(t, d2hBytes / sizeof(unsigned), threads);
        p.output[i] = result(i, p.number, pass);
    }
    float x = threadIdx.x * 1e-6f;
    for (long long n = 0; n < loops; ++n) {
#pragma unroll
        for (int k = 0; k < 32; ++k)
            x = __fmaf_rn(x, 0.999999f, 1e-6f); // each needs the one before
    }
    if (x == 12345.678f)
        ++wrong; // never: it keeps the compiler from dropping the loop
    if (errors && wrong > 0)
        atomicAdd(errors, wrong);
}
__global__ void empty() {}

static void setUp() {
    CHECK(cudaMalloc((void**)&errors, sizeof(unsigned)));
    CHECK(cudaMemset(errors, 0, sizeof(unsigned)));
    for (int s = 0; s < streams; ++s) {
        Pipeline& p = pipelines[s];
        p.number = s;
        CHECK(cudaFree(nullptr)); // the context is made by the first call
        CHECK(cudaError_t(driverFunction<PFN_cuCtxGetCurrent_v4000>("cuCtxGetCurrent")(&p.context)));
        CHECK(cudaGetSymbolAddress((void**)&p.slice, constants));
        p.slice += p.number * sliceBytes;
        CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
        // Write-combined: good to write and to copy from, slow for the host to read.
        CHECK(cudaHostAlloc((void**)&p.source, h2dBytes, cudaHostAllocWriteCombined | cudaHostAllocPortable));
        for (size_t i = 0; i < h2dBytes / sizeof(unsigned); ++i)
            p.source[i] = pattern(i, p.number);
        CHECK(cudaMalloc((void**)&p.scratch, memsetBytes));
        CHECK(cudaMalloc((void**)&p.output, d2hBytes));
        // Pinned: a copy engine works on it by itself, and the call returns at once.
        CHECK(cudaHostAlloc((void**)&p.target, d2hBytes, cudaHostAllocDefault));
    }
}

// Blocks that the device holds at once.
template <typename Kernel>
static unsigned residentBlocks(Kernel kernel, int threads, size_t shared) {
    int perSm, sms;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, kernel, threads, shared));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    return unsigned(perSm * sms);
}
// Microseconds of a launch, by events: the median of five. The kernel before it keeps the host's
// time out.
template <typename Launch>
static double timed(cudaStream_t stream, const Launch& launch) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> ms(5);
    for (float& one : ms) {
        work<<<1, 32, 0, stream>>>(pipelines[0], 0, 2000, nullptr);
        CHECK(cudaEventRecord(begin, stream));
        launch();
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&one, begin, end));
    }
    std::sort(ms.begin(), ms.end());
    return 1000.0 * ms[2];
}
// How many loops take kernelUs.
static void calibrate() {
    blocks = fills * residentBlocks(work, threadsPerBlock, 0);
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const auto launch = [&] {
        work<<<blocks, threadsPerBlock, 0, stream>>>(pipelines[0], 0, loops, nullptr);
    };
    // 30 ms of work first, so that the clocks are up.
    const auto warm = Clock::now() + std::chrono::milliseconds(30);
    for (loops = 64; Clock::now() < warm; loops = std::min(2 * loops, 1ll << 14)) {
        launch();
        CHECK(cudaStreamSynchronize(stream));
    }
    // An empty kernel takes about 1 us; the rest is the events'.
    const double overhead = std::max(0.0, timed(stream, [&] { empty<<<1, 1, 0, stream>>>(); }) - 1);
    loops = 64;
    for (int step = 0; step < 12; ++step) {
        const double us = std::max(0.001, timed(stream, launch) - overhead);
        const double factor = std::clamp(kernelUs / us, 0.05, 64.0);
        const long long next = std::max(1ll, (long long)(loops * factor + 0.5));
        if (next == loops || (us < 1.005 * kernelUs && us > 0.995 * kernelUs))
            break;
        loops = next;
    }
    printf("kernel: %u blocks of %u threads, %lld loops\n", blocks, threadsPerBlock, loops);
}

static void CUDART_CB done(void* number) { // on a thread of the driver's: no CUDA call here
    reports.put(*static_cast<int*>(number));
}
static void launch(Pipeline& p, const void* kernel, unsigned grid, unsigned block, unsigned shared,
                   cudaStream_t stream, void** arguments) {
    cudaFunction_t function;
    CHECK(cudaGetFuncBySymbol(&function, kernel));
    DRIVER(p, launchKernel(function, grid, 1, 1, block, 1, 1, shared, stream, arguments, nullptr));
}

static void pass(Pipeline& p, int i) {
    DRIVER(p, memcpyHtoDAsync(CUdeviceptr(p.slice), p.source, h2dBytes, p.stream));
    DRIVER(p, memsetD8Async(CUdeviceptr(p.scratch), 0, memsetBytes, p.stream));
    void* arguments[] = {&p, &i, &loops, &errors};
    launch(p, (const void*)work, blocks, threadsPerBlock, 0, p.stream, arguments);
    DRIVER(p, memcpyDtoHAsync(p.target, CUdeviceptr(p.output), d2hBytes, p.stream));
    DRIVER(p, launchHostFunc(p.stream, done, &p.number));
}
static void issue(int rounds) {
    for (Pipeline& p : pipelines)
        pass(p, 0);
    std::vector<int> next(streams, 1);
    // Each report brings its stream's next pass: the host's latency is in every round.
    for (int left = streams * rounds; left > 0; --left) {
        const int number = reports.take();
        if (next[number] < rounds)
            pass(pipelines[number], next[number]++);
    }
}

// Microseconds from the first op to the end of the last.
static double window() {
    const auto begin = Clock::now();
    issue(iterations);
    CHECK(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

static long wrongIn(const unsigned* words, int number) {
    constexpr size_t count = d2hBytes / sizeof(unsigned);
    const size_t threads = size_t(blocks) * threadsPerBlock;
    long wrong = 0;
    for (size_t t = 0; t < std::min(threads, count); ++t) {
        const size_t i = wordOf(t, count, threads);
        wrong += words[i] != result(i, number, iterations - 1);
    }
    return wrong;
}
static long wrongWords() {
    long wrong = 0;
    unsigned counted = 0;
    CHECK(cudaMemcpy(&counted, errors, sizeof counted, cudaMemcpyDeviceToHost));
    wrong += counted;
    for (Pipeline& p : pipelines)
        wrong += wrongIn(p.target, p.number);
    return wrong;
}

int main() {
    setUp();
    calibrate();
    issue(1); // warm-up: code is loaded, pages are touched
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemset(errors, 0, sizeof(unsigned)));
    for (Pipeline& p : pipelines) {
        memset(p.target, 0, d2hBytes);
        CHECK(cudaMemset(p.output, 0, d2hBytes));
    }
    CHECK(cudaDeviceSynchronize());
    const double us = window();
    printf("makespan %.3f ms, %.3f ms per iteration\n", us / 1000, us / 1000 / iterations);
    const long wrong = wrongWords();
    if (wrong > 0) {
        printf("WRONG: %ld words, some step did not wait for the one before it\n", wrong);
        return 1;
    }
    printf("the data is right\n");
    return 0;
}
