// Calls that ask, and calls that make or free something.
#include "call_cases.h"

#include <cstdlib>

namespace olab::cuda::probes {
namespace {

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
void makePages(Things& t) {
    constexpr std::size_t kPage = 4096;
    t.made = std::aligned_alloc(kPage, kLarge);
    std::fill_n(static_cast<char*>(t.made), kLarge, '\0');
}
void registerPages(Things& t) {
    check(cudaHostRegister(t.made, kLarge, cudaHostRegisterDefault), "register memory");
}
void makeRegistered(Things& t) {
    makePages(t);
    registerPages(t);
}
void freePages(Things& t) {
    std::free(std::exchange(t.made, nullptr));
}
void dropPages(Things& t) {
    cudaHostUnregister(t.made);
    freePages(t);
}
void makeAsync(Things& t) {
    check(cudaMallocAsync(&t.made, kLarge, t.third.get()), "allocate from the pool");
    check(cudaStreamSynchronize(t.third.get()), "wait for the allocation");
}
void allocateAsync(Things& t) {
    check(cudaMallocAsync(&t.made, kLarge, t.stream), "allocate from the pool");
}
void freeAsync(Things& t) {
    cudaFreeAsync(std::exchange(t.made, nullptr), t.stream);
}
void makeStream(Things& t) {
    check(cudaStreamCreateWithFlags(&t.madeStream, cudaStreamNonBlocking), "create a stream");
}
void makeUrgentStream(Things& t) {
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "ask for the priorities");
    check(cudaStreamCreateWithPriority(&t.madeStream, cudaStreamNonBlocking, highest), "create a stream");
}
void dropStream(Things& t) {
    cudaStreamDestroy(std::exchange(t.madeStream, nullptr));
}
void makeEvent(Things& t) {
    check(cudaEventCreate(&t.madeEvent), "create an event");
}
void dropEvent(Things& t) {
    cudaEventDestroy(std::exchange(t.madeEvent, nullptr));
}

/// How much free memory the default pool keeps when a stream or the device was waited for.
void keepInPool(std::uint64_t bytes) {
    int device = 0;
    cudaMemPool_t pool = nullptr;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetDefaultMemPool(&pool, device), "ask for its memory pool");
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), "set up the pool");
}
void fillPool(Things& t) {
    keepInPool(kMost);
    makeAsync(t);
    freeAsync(t);
    idle();
}
void emptyPool(Things& t) {
    freeAsync(t);
    keepInPool(0);
    idle();
}
void makePool(Things& t) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    check(cudaGetDevice(&properties.location.id), "ask for the device");
    check(cudaMemPoolCreate(&t.pool, &properties), "create a memory pool");
}
void dropPool(Things& t) {
    freeAsync(t);
    idle();
    cudaMemPoolDestroy(std::exchange(t.pool, nullptr));
}

} // namespace

Calls firstUseCalls() {
    return {{.name = "cudaMallocAsync.first_in_process",
             .call = allocateAsync,
             .finish = freeAsync,
             .once = true}};
}

Calls questionCalls() {
    return {
        {"none", [](Things&) {}},
        {.name = "none.every_sm", .call = [](Things&) {}, .everySm = true},
        {"cudaGetLastError", [](Things&) { cudaGetLastError(); }},
        {"cudaPeekAtLastError", [](Things&) { cudaPeekAtLastError(); }},
        {"cudaStreamQuery", [](Things& t) { cudaStreamQuery(t.running); }},
        {"cudaEventQuery", [](Things& t) { cudaEventQuery(t.inFirst.get()); }},
        {"cudaEventElapsedTime",
         [](Things& t) {
             float ms = 0;
             check(cudaEventElapsedTime(&ms, t.earlier.get(), t.early.get()), "ask for a time");
         }},
        {"cudaEventElapsedTime.not_ready",
         [](Things& t) {
             float ms = 0;
             cudaEventElapsedTime(&ms, t.early.get(), t.inFirst.get()); // an error, which is asked for
         }},
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
        {"cudaDeviceGetStreamPriorityRange",
         [](Things&) {
             int lowest = 0, highest = 0;
             cudaDeviceGetStreamPriorityRange(&lowest, &highest);
         }},
    };
}

Calls makingCalls() {
    return {
        {"cudaStreamCreate", makeStream, {}, dropStream},
        {"cudaStreamCreateWithPriority", makeUrgentStream, {}, dropStream},
        {"cudaStreamDestroy", dropStream, makeStream},
        {"cudaEventCreate", makeEvent, {}, dropEvent},
        {"cudaEventDestroy", dropEvent, makeEvent},
        {"cudaMalloc", makeDevice, {}, freeDevice},
        {"cudaFree", freeDevice, makeDevice},
        {"cudaMallocHost", makeHost, {}, freeHost},
        {"cudaFreeHost", freeHost, makeHost},
        {"cudaHostRegister", registerPages, makePages, dropPages},
        {"cudaHostUnregister", [](Things& t) { cudaHostUnregister(t.made); }, makeRegistered, freePages},
        {"cudaMallocManaged",
         [](Things& t) { check(cudaMallocManaged(&t.made, kLarge), "allocate"); },
         {},
         freeDevice},
    };
}

Calls poolCalls() {
    return {
        {.name = "cudaMallocAsync", .call = allocateAsync, .finish = freeAsync, .inStream = true},
        {.name = "cudaMallocAsync.from_kept_memory",
         .call = allocateAsync,
         .prepare = fillPool,
         .finish = emptyPool,
         .inStream = true},
        {.name = "cudaMallocFromPoolAsync.new_pool",
         .call =
             [](Things& t) {
                 check(cudaMallocFromPoolAsync(&t.made, kLarge, t.pool, t.stream), "allocate from a pool");
             },
         .prepare = makePool,
         .finish = dropPool,
         .inStream = true},
        {.name = "cudaFreeAsync", .call = freeAsync, .prepare = makeAsync, .inStream = true},
    };
}

} // namespace olab::cuda::probes
