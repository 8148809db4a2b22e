// An experiment of Overlap Lab: stream.kind=blocking null_op=memset
// nvcc experiment.cu -o experiment && ./experiment
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int streams = 4;
constexpr int iterations = 24;
constexpr size_t h2dBytes = 16 << 20;
constexpr size_t memsetBytes = 16 << 20;
constexpr size_t d2hBytes = 16 << 20;
constexpr unsigned blocks = 64;
constexpr unsigned threadsPerBlock = 256;
constexpr double kernelUs = 400; // of the whole grid alone

using Clock = std::chrono::steady_clock;
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t status = (call);                                                                   \
        if (status != cudaSuccess) {                                                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status));                          \
            exit(2);                                                                                         \
        }                                                                                                    \
    } while (0)

struct Pipeline {
    int number;
    cudaStream_t stream;
    unsigned *source, *input;  // on the host, on the device
    unsigned* scratch;         // what the memset clears
    unsigned *output, *target; // on the device, on the host
};
static Pipeline pipelines[streams];
static long long loops;  // of each kernel
static unsigned* errors; // on the device: counts words that are wrong
static unsigned* nullScratch;

// The gate holds all streams until everything is queued, so that the device sets the pace and not the
// launches.
static volatile int* gateFlag; // on the host, where the gate kernels look

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
// Fixed work, not a wait: a kernel that shares the SMs takes longer. Without `errors` it is being
// calibrated, and nothing is checked.
__global__ void work(Pipeline p, int pass, long long loops, unsigned* errors) {
    const size_t t = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const size_t threads = size_t(gridDim.x) * blockDim.x;
    unsigned wrong = 0;
    if (t < h2dBytes / sizeof(unsigned)) {
        const size_t i = wordOf(t, h2dBytes / sizeof(unsigned), threads);
        wrong += p.input[i] != pattern(i, p.number);
        p.input[i] = used;
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
__global__ void gate(const volatile int* open) {
    while (*open == 0)
        __nanosleep(200);
}

static void setUp() {
    CHECK(cudaMalloc((void**)&errors, sizeof(unsigned)));
    CHECK(cudaMemset(errors, 0, sizeof(unsigned)));
    CHECK(cudaMalloc((void**)&nullScratch, 4096));
    CHECK(cudaMemset(nullScratch, 0, 4096));
    CHECK(cudaHostAlloc((void**)&gateFlag, sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
    for (int s = 0; s < streams; ++s) {
        Pipeline& p = pipelines[s];
        p.number = s;
        // A blocking stream: it waits for the NULL stream, and the NULL stream for it.
        CHECK(cudaStreamCreateWithFlags(&p.stream, cudaStreamDefault));
        // Pinned: a copy engine works on it by itself, and the call returns at once.
        CHECK(cudaHostAlloc((void**)&p.source, h2dBytes, cudaHostAllocDefault));
        for (size_t i = 0; i < h2dBytes / sizeof(unsigned); ++i)
            p.source[i] = pattern(i, p.number);
        CHECK(cudaMalloc((void**)&p.input, h2dBytes));
        CHECK(cudaMalloc((void**)&p.scratch, memsetBytes));
        CHECK(cudaMalloc((void**)&p.output, d2hBytes));
        CHECK(cudaHostAlloc((void**)&p.target, d2hBytes, cudaHostAllocDefault));
    }
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

static void CUDART_CB done(void*) { // on a thread of the driver's: no CUDA call here
}

static void issue(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        for (Pipeline& p : pipelines) {
            CHECK(cudaMemcpyAsync(p.input, p.source, h2dBytes, cudaMemcpyHostToDevice, p.stream));
            CHECK(cudaMemsetAsync(p.scratch, 0, memsetBytes, p.stream));
            work<<<blocks, threadsPerBlock, 0, p.stream>>>(p, i, loops, errors);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpyAsync(p.target, p.output, d2hBytes, cudaMemcpyDeviceToHost, p.stream));
            CHECK(cudaLaunchHostFunc(p.stream, done, &p.number));
            if (i + 1 < rounds || p.number + 1 < streams)
                CHECK(cudaMemsetAsync(nullScratch, 0, 4096, cudaStreamLegacy));
        }
    }
}

// Microseconds from the first op to the end of the last.
static double window() {
    *gateFlag = 0;
    for (Pipeline& p : pipelines)
        gate<<<1, 1, 0, p.stream>>>(gateFlag);
    gate<<<1, 1, 0, cudaStreamLegacy>>>(gateFlag);
    CHECK(cudaGetLastError());
    issue(iterations);
    const auto begin = Clock::now();
    *gateFlag = 1; // all is queued: the gate opens
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
