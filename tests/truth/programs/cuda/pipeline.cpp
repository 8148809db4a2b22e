#include "pipeline.h"

#include <cstdlib>
#include <cstring>

Pipeline::Pipeline(const Shape& shape)
    : shape_(shape)
    , slots_(size_t(shape.streams)) {
    for (Slot& slot : slots_) {
        slot.in = host(shape.bytes, shape.pinnedIn);
        slot.out = host(shape.bytes, shape.pinnedOut);
        CHECK(cudaMalloc(&slot.device, shape.bytes));
        CHECK(cudaStreamCreateWithFlags(&slot.stream, shape.streamFlags));
    }
}

Pipeline::~Pipeline() {
    cudaDeviceSynchronize();
    for (Slot& slot : slots_) {
        freeHost(slot.in, shape_.pinnedIn);
        freeHost(slot.out, shape_.pinnedOut);
        cudaFree(slot.device);
        cudaStreamDestroy(slot.stream);
    }
}

void* Pipeline::host(size_t bytes, bool pinned) {
    void* memory = nullptr;
    if (pinned)
        CHECK(cudaMallocHost(&memory, bytes));
    else
        memory = std::malloc(bytes);
    std::memset(memory, 0, bytes); // zeros, and all pages are there
    return memory;
}

void Pipeline::freeHost(void* memory, bool pinned) {
    if (pinned)
        cudaFreeHost(memory);
    else
        std::free(memory);
}

void Pipeline::step(int i) {
    for (int k = 0; k < shape_.chunks; ++k) {
        const int number = i * shape_.chunks + k;
        chunk(number, slots_[size_t(number % shape_.streams)]);
    }
}

void Pipeline::chunk(int, Slot& slot) {
    copyIn(slot);
    work(slot);
    copyOut(slot);
}

void Pipeline::copyIn(Slot& slot) {
    CHECK(cudaMemcpyAsync(slot.device, slot.in, shape_.bytes, cudaMemcpyHostToDevice, slot.stream));
}

void Pipeline::work(Slot& slot) {
    mix(slot.device, shape_.bytes / sizeof(float), shape_.rounds, slot.stream);
}

void Pipeline::copyOut(Slot& slot) {
    CHECK(cudaMemcpyAsync(slot.out, slot.device, shape_.bytes, cudaMemcpyDeviceToHost, slot.stream));
}
