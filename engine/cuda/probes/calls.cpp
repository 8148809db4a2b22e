// E09, E10: which API calls make the host wait, and which make other streams wait. Each is placed between two
// kernels of two streams, while the first one runs: after a harmless call the second starts immediately.
#include "probe_tools.h"

#include <olab/kernels/small_kernels.h>

#include <cstdlib>
#include <functional>

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs;
constexpr std::size_t kSmall = 4096, kLarge = 1 << 20;

/// The objects that calls use; created once, so that creation is not measured.
struct Things {
    StreamHandle first = nonBlocking(), second = nonBlocking(), third = nonBlocking();
    StreamHandle blockingFirst = blocking(), blockingSecond = blocking();
    EventHandle inFirst, early;
    Memory device = Memory::device(2 * kLarge), pinned = Memory::pinned(kLarge);
    Memory pageable = Memory::pageable(kLarge);
    void* made = nullptr; ///< by prepare() or call(), freed by finish()
    cudaStream_t madeStream = nullptr;
    cudaEvent_t madeEvent = nullptr;
    cudaStream_t running = nullptr; ///< the stream of the first kernel
    Things() { std::fill_n(pageable.as<char>(), kLarge, '\0'); }
};

struct Call {
    const char* name;
    std::function<void(Things&)> call;
    std::function<void(Things&)> prepare{}, finish{};
};

void freeDevice(Things& t) {
    cudaFree(std::exchange(t.made, nullptr));
}
void freeHost(Things& t) {
    cudaFreeHost(std::exchange(t.made, nullptr));
}
void makeDevice(Things& t) {
    check(cudaMalloc(&t.made, kLarge), "allocate");
}
void makeHost(Things& t) {
    check(cudaMallocHost(&t.made, kLarge), "allocate host memory");
}
constexpr std::size_t kPage = 4096;
void makePages(Things& t) {
    t.made = std::aligned_alloc(kPage, kLarge);
    std::fill_n(static_cast<char*>(t.made), kLarge, '\0');
}
void dropPages(Things& t) {
    cudaHostUnregister(t.made);
    std::free(std::exchange(t.made, nullptr));
}
void makeAsync(Things& t) {
    check(cudaMallocAsync(&t.made, kLarge, t.third.get()), "allocate from the pool");
    check(cudaStreamSynchronize(t.third.get()), "wait for the allocation");
}
void freeAsync(Things& t) {
    cudaFreeAsync(std::exchange(t.made, nullptr), t.third.get());
}

std::vector<Call> questionCalls() {
    return {
        {"none", [](Things&) {}},
        {"cudaGetLastError", [](Things&) { cudaGetLastError(); }},
        {"cudaPeekAtLastError", [](Things&) { cudaPeekAtLastError(); }},
        {"cudaStreamQuery", [](Things& t) { cudaStreamQuery(t.running); }},
        {"cudaEventQuery", [](Things& t) { cudaEventQuery(t.inFirst.get()); }},
        {"cudaEventRecord", [](Things& t) { cudaEventRecord(t.early.get(), t.third.get()); }},
        {"cudaStreamWaitEvent", [](Things& t) { cudaStreamWaitEvent(t.third.get(), t.inFirst.get(), 0); }},
        {"cudaSetDevice",
         [](Things&) {
             int device = 0;
             cudaGetDevice(&device);
             cudaSetDevice(device);
         }},
        {"cudaMemGetInfo",
         [](Things&) {
             std::size_t free = 0, total = 0;
             cudaMemGetInfo(&free, &total);
         }},
        {"cudaPointerGetAttributes",
         [](Things& t) {
             cudaPointerAttributes ignored{};
             cudaPointerGetAttributes(&ignored, t.device.as<void>());
         }},
    };
}

std::vector<Call> makingCalls() {
    return {
        {"cudaStreamCreate",
         [](Things& t) { cudaStreamCreateWithFlags(&t.madeStream, cudaStreamNonBlocking); },
         {},
         [](Things& t) { cudaStreamDestroy(t.madeStream); }},
        {"cudaStreamDestroy", [](Things& t) { cudaStreamDestroy(t.madeStream); },
         [](Things& t) { cudaStreamCreateWithFlags(&t.madeStream, cudaStreamNonBlocking); }},
        {"cudaEventCreate",
         [](Things& t) { cudaEventCreate(&t.madeEvent); },
         {},
         [](Things& t) { cudaEventDestroy(t.madeEvent); }},
        {"cudaMalloc", makeDevice, {}, freeDevice},
        {"cudaFree", freeDevice, makeDevice},
        {"cudaMallocHost", makeHost, {}, freeHost},
        {"cudaFreeHost", freeHost, makeHost},
        {"cudaHostRegister",
         [](Things& t) {
             check(cudaHostRegister(t.made, kLarge, cudaHostRegisterDefault), "register memory");
         },
         makePages, dropPages},
        {"cudaHostUnregister", [](Things& t) { cudaHostUnregister(t.made); },
         [](Things& t) {
             makePages(t);
             check(cudaHostRegister(t.made, kLarge, cudaHostRegisterDefault), "register memory");
         },
         [](Things& t) { std::free(std::exchange(t.made, nullptr)); }},
        {"cudaMallocManaged",
         [](Things& t) { check(cudaMallocManaged(&t.made, kLarge), "allocate"); },
         {},
         freeDevice},
        {"cudaMallocAsync",
         [](Things& t) { check(cudaMallocAsync(&t.made, kLarge, t.third.get()), "allocate"); },
         {},
         freeAsync},
        {"cudaFreeAsync", freeAsync, makeAsync},
    };
}

std::vector<Call> workCalls() {
    return {
        {"cudaMemsetAsync",
         [](Things& t) { cudaMemsetAsync(t.device.as<void>(), 0, kSmall, t.third.get()); }},
        {"cudaMemcpyAsync.pinned",
         [](Things& t) {
             cudaMemcpyAsync(t.device.as<void>(), t.pinned.as<void>(), kLarge, cudaMemcpyHostToDevice,
                             t.third.get());
         }},
        {"cudaMemcpyAsync.pageable",
         [](Things& t) {
             cudaMemcpyAsync(t.device.as<void>(), t.pageable.as<void>(), kLarge, cudaMemcpyHostToDevice,
                             t.third.get());
         }},
        {"cudaLaunchHostFunc",
         [](Things& t) {
             cudaLaunchHostFunc(
                 t.third.get(), [](void*) {}, nullptr);
         }},
        {"kernel_launch", [](Things& t) { kernels::launch(kernels::nullLaunch(), nullptr, t.third.get()); }},
        {"first_kernel_launch",
         [](Things& t) {
             static std::uint32_t next = 0;
             kernels::launch(kernels::firstLaunch(next++), nullptr, t.third.get());
         }},
        {"cudaMemset", [](Things& t) { cudaMemset(t.device.as<void>(), 0, kSmall); }},
        {"cudaMemcpy.device_to_device",
         [](Things& t) {
             cudaMemcpy(t.device.as<char>(), t.device.as<char>() + kLarge, kSmall, cudaMemcpyDeviceToDevice);
         }},
        {"cudaMemcpy.pinned",
         [](Things& t) {
             cudaMemcpy(t.device.as<void>(), t.pinned.as<void>(), kLarge, cudaMemcpyHostToDevice);
         }},
        {"cudaMemcpy.pageable",
         [](Things& t) {
             cudaMemcpy(t.device.as<void>(), t.pageable.as<void>(), kLarge, cudaMemcpyHostToDevice);
         }},
        {"null_stream_kernel",
         [](Things&) { kernels::launch(kernels::nullLaunch(), nullptr, cudaStreamLegacy); }},
        {"cudaEventSynchronize", [](Things& t) { cudaEventSynchronize(t.inFirst.get()); }},
        {"cudaStreamSynchronize.idle", [](Things& t) { cudaStreamSynchronize(t.second.get()); }},
        {"cudaStreamSynchronize.busy", [](Things& t) { cudaStreamSynchronize(t.running); }},
        {"cudaDeviceSynchronize", [](Things&) { cudaDeviceSynchronize(); }},
    };
}

/// One call between two kernels of `a` and `b`.
struct Seen {
    double host = 0, overlap = 0;
};
Seen between(Things& things, const Call& call, cudaStream_t a, cudaStream_t b) {
    Spin first(kKernel), second(kKernel);
    if (call.prepare)
        call.prepare(things);
    idle();
    things.running = a;
    first.launch(a);
    check(cudaEventRecord(things.inFirst.get(), a), "record an event");
    first.awaitBegin();
    Seen seen;
    seen.host = timed([&] { call.call(things); });
    cudaGetLastError(); // NotReady of a query
    second.launch(b);
    idle();
    seen.overlap = overlapOf(first, second);
    if (call.finish)
        call.finish(things);
    return seen;
}

void measure(Numbers& numbers, Things& things, const Call& call, const std::string& kind, cudaStream_t a,
             cudaStream_t b) {
    std::vector<double> host;
    std::vector<double> overlap = rounds(numbers, [&] {
        const Seen seen = between(things, call, a, b);
        host.push_back(seen.host);
        return seen.overlap;
    });
    host.erase(host.begin());
    numbers.addMedian(std::string("call.") + call.name + kind + ".host", std::move(host));
    numbers.addMedian(std::string("call.") + call.name + kind + ".overlap", std::move(overlap));
}

} // namespace

void probeCalls(Numbers& numbers) {
    Things things;
    std::vector<Call> calls;
    for (auto& some : {questionCalls(), makingCalls(), workCalls()})
        calls.insert(calls.end(), some.begin(), some.end());
    numbers.add("kernel", static_cast<double>(kKernel));
    for (std::size_t i = 0; i < calls.size(); ++i) {
        numbers.step(static_cast<double>(i) / static_cast<double>(calls.size()), calls[i].name);
        measure(numbers, things, calls[i], "", things.first.get(), things.second.get());
        measure(numbers, things, calls[i], ".blocking", things.blockingFirst.get(),
                things.blockingSecond.get());
    }
}

} // namespace olab::cuda::probes
