// Programs to trace, of the kind whose time is mostly the host's: trace_loops WHAT [COUNT] prints the
// milliseconds that its loop took, or what it did, and a checksum.
//   tiny chains graph ranged steps domains   what is timed; WHAT COUNT MS: after so long of little work
//     OLAB_LOOP_GATE names a pipe: each byte of it lets the loop begin once more, and its end the program end
//   ranges marks threads fork crash exit forever copies   what is recorded
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

__global__ void one(int* value) {
    atomicAdd(value, 1);
}
__global__ void longer(int* value, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        atomicAdd(value, 1);
}
__global__ void wrong(int* value) {
    *value = *reinterpret_cast<int*>(16);
}

void check(cudaError_t status) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

double milliseconds() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct Work {
    Work() {
        check(cudaMalloc(&value, sizeof *value));
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        check(cudaMemsetAsync(value, 0, sizeof *value, stream)); // before what adds to it
    }
    int result() const {
        int sum = 0;
        check(cudaDeviceSynchronize());
        check(cudaMemcpy(&sum, value, sizeof sum, cudaMemcpyDeviceToHost));
        return sum;
    }
    void tiny(int count) const {
        for (int i = 0; i < count; ++i)
            one<<<1, 32, 0, stream>>>(value);
        check(cudaStreamSynchronize(stream));
    }
    int* value = nullptr;
    cudaStream_t stream = nullptr;
};

double g_settle = 0; // ms

/// Does a little and waits for the device, again and again.
template <typename Loop>
void settle(const Loop& little) {
    if (g_settle > 0)
        std::puts("settles"), std::fflush(stdout);
    for (const double until = milliseconds() + g_settle; milliseconds() < until; ::usleep(20'000)) {
        little();
        check(cudaDeviceSynchronize());
    }
}

/// Lets the loop begin: once, or where OLAB_LOOP_GATE names a pipe with each byte that comes of it.
class Gate {
public:
    Gate() {
        const char* const name = std::getenv("OLAB_LOOP_GATE");
        if (!name)
            return;
        std::puts("ready"), std::fflush(stdout);
        m_pipe = std::fopen(name, "r");
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    bool opens() {
        std::fflush(stdout);
        return m_pipe ? std::fgetc(m_pipe) != EOF : std::exchange(m_first, false);
    }

private:
    std::FILE* m_pipe = nullptr;
    bool m_first = true;
};

template <typename Loop>
void timed(const Work& work, Loop loop) {
    work.tiny(100);
    settle([&work] { work.tiny(10); });
    for (Gate gate; gate.opens();) {
        const double begin = milliseconds();
        loop();
        check(cudaDeviceSynchronize());
        const double taken = milliseconds() - begin;
        std::printf("%.3f ms, sum %d\n", taken, work.result());
    }
}

/// Copy, kernel, copy back, wait: as programs do that are not written with streams in mind.
void chains(const Work& work, int count) {
    const std::size_t bytes = 64 << 10;
    char *host = nullptr, *device = nullptr;
    check(cudaMallocHost(&host, bytes));
    check(cudaMalloc(&device, bytes));
    timed(work, [&] {
        for (int i = 0; i < count; ++i) {
            check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, work.stream));
            one<<<1, 32, 0, work.stream>>>(work.value);
            check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, work.stream));
            check(cudaStreamSynchronize(work.stream));
        }
    });
}

void graph(const Work& work, int count) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    check(cudaStreamBeginCapture(work.stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < 20; ++i)
        one<<<1, 32, 0, work.stream>>>(work.value);
    check(cudaStreamEndCapture(work.stream, &graph));
    check(cudaGraphInstantiate(&exec, graph, 0));
    timed(work, [&] {
        for (int i = 0; i < count; ++i)
            check(cudaGraphLaunch(exec, work.stream));
    });
}

/// Two launches, each in a range: one named as it begins, one by a name that was registered.
void rangedLaunches(const Work& work, nvtxDomainHandle_t domain, const nvtxEventAttributes_t& attributes) {
    nvtxRangePushA("step");
    one<<<1, 32, 0, work.stream>>>(work.value);
    nvtxDomainRangePushEx(domain, &attributes);
    one<<<1, 32, 0, work.stream>>>(work.value);
    nvtxDomainRangePop(domain);
    nvtxRangePop();
}

void ranged(const Work& work, int count) {
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("loops");
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = nvtxDomainRegisterStringA(domain, "registered");
    settle([&] { rangedLaunches(work, domain, attributes); });
    g_settle = 0;
    timed(work, [&] {
        for (int i = 0; i < count; ++i)
            rangedLaunches(work, domain, attributes);
    });
}

/// A launch in each range; none of a domain of its own.
/// `domain`: each launch is in a range of that one too; null: it is not.
void steps(const Work& work, int count, nvtxDomainHandle_t domain) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "launch";
    const auto step = [&] {
        nvtxRangePushA("step");
        if (domain)
            nvtxDomainRangePushEx(domain, &attributes);
        one<<<1, 32, 0, work.stream>>>(work.value);
        if (domain)
            nvtxDomainRangePop(domain);
        nvtxRangePop();
    };
    settle(step);
    g_settle = 0;
    timed(work, [&] {
        for (int i = 0; i < count; ++i)
            step();
    });
}

void copies(const Work& work, int count) {
    const std::size_t bytes = 32 << 20;
    char *host = nullptr, *device = nullptr;
    check(cudaMallocHost(&host, bytes));
    check(cudaMalloc(&device, bytes));
    for (int i = 0; i < count; ++i) { // in one stream: nothing overlaps
        check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, work.stream));
        longer<<<132, 256, 0, work.stream>>>(work.value, 1'000'000);
        check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, work.stream));
    }
    std::printf("sum %d\n", work.result());
}

void threads(int count) {
    std::vector<std::thread> all;
    std::atomic<int> sum{0};
    for (int t = 0; t < 8; ++t)
        all.emplace_back([&] {
            const Work work;
            work.tiny(count);
            sum += work.result();
        });
    for (std::thread& thread : all)
        thread.join();
    std::printf("sum %d\n", sum.load());
}

void marks(const Work& work) {
    work.tiny(100);
    cudaProfilerStart();
    work.tiny(200);
    cudaProfilerStop();
    nvtxRangePushA("step");
    work.tiny(300);
    nvtxRangePop();
    work.tiny(400);
    std::printf("sum %d\n", work.result());
}

void forks(const Work& work) {
    work.tiny(100);
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0)
        std::exit(0); // in good order, with what its parent registered
    int status = 0;
    ::waitpid(child, &status, 0);
    work.tiny(100);
    std::printf("child %d, sum %d\n", status, work.result());
}

long long wallNs() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1'000'000'000ll + t.tv_nsec;
}

/// Until a signal comes; `busy`: the device always has more to do. Says when, as the last thing that it did.
void forever(const Work& work, bool busy, const char* file) {
    std::FILE* const stamps = file ? std::fopen(file, "w") : nullptr;
    for (int i = 0;; ++i) {
        one<<<1, 32, 0, work.stream>>>(work.value);
        if (busy && i % 200 == 0)
            longer<<<1, 32, 0, work.stream>>>(work.value, 3'000'000);
        if (i % (busy ? 1000 : 100) == 0 && !busy)
            check(cudaStreamSynchronize(work.stream));
        if (stamps) {
            std::rewind(stamps);
            std::fprintf(stamps, "%lld", wallNs());
            std::fflush(stamps);
        }
    }
}

} // namespace

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "tiny";
    const int times = count > 2 ? std::atoi(words[2]) : 1000;
    if (what == "threads") {
        threads(times);
        return 0;
    }
    g_settle = count > 3 ? std::atof(words[3]) : 0;
    const Work work;
    if (what == "tiny")
        timed(work, [&] { work.tiny(times); });
    else if (what == "chains")
        chains(work, times);
    else if (what == "graph")
        graph(work, times);
    else if (what == "ranged")
        ranged(work, times);
    else if (what == "steps" || what == "domains")
        steps(work, times, what == "domains" ? nvtxDomainCreateA("loops") : nullptr);
    else if (what == "copies")
        copies(work, times);
    else if (what == "marks" || what == "ranges")
        marks(work);
    else if (what == "fork")
        forks(work);
    else if (what == "forever" || what == "busy")
        forever(work, what == "busy", count > 3 ? words[3] : nullptr);
    else {
        work.tiny(times);
        ::usleep(800'000);
        std::printf("sum %d\n", work.result());
        std::fflush(stdout);
        if (what == "crash")
            *static_cast<volatile int*>(nullptr) = 1;
        if (what == "exit")
            ::_exit(5);
        if (what == "fault")
            wrong<<<1, 1>>>(work.value);
        if (what == "fault")
            std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
    return what == "fault" ? 7 : 0;
}
