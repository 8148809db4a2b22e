// Memory that host and device share, whose pages move when they are used.
#include "kernel_parts.cuh"
#include "parts.h"

#include <cstring>

namespace {

__device__ unsigned scattered(unsigned key) {
    key = (key ^ (key >> 16)) * 0x45d9f3bu;
    key = (key ^ (key >> 16)) * 0x45d9f3bu;
    return key ^ (key >> 16);
}

__global__ void lookUp(const float* table, int entries, float* values, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid()) {
        float value = values[i];
        for (int k = 0; k < rounds; ++k)
            value = 0.5f * value + table[scattered(unsigned(i) + 7919u * unsigned(k)) % unsigned(entries)];
        values[i] = value;
    }
}

__global__ void settle(float* table, int entries) {
    for (int i = thread(); i < entries; i += threadsOfGrid())
        table[i] = 0.9f * table[i] + 0.01f;
}

/// How much a block of a field changed; 2^22 values and 6500 rounds take about a millisecond.
__global__ void sweep(float* field, int rounds, float* changes) {
    __shared__ float parts[threads / 32];
    const int i = thread();
    const float before = field[i], after = settled(before, rounds);
    field[i] = after;
    float change = fabsf(after - before);
    for (int n = 16; n > 0; n /= 2)
        change += __shfl_down_sync(~0u, change, n);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = change;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int n = 1; n < threads / 32; ++n)
        change += parts[n];
    changes[blockIdx.x] = change;
}

/// A table in managed memory that the host changes and the device looks values up in; mended, it is moved
/// before it is used. 10 to 50 %.
class Table : public Mendable {
public:
    explicit Table(bool mended)
        : Mendable(mended) {
        std::memset(table_.get(), 0, entries * sizeof(float));
    }
    void step(int i) override {
        move(cudaMemLocationTypeHost);
        CHECK(cudaStreamSynchronize(stream_));
        for (size_t at = 0; at < entries; at += 1024)
            table_[at] += float(i % 3);
        move(cudaMemLocationTypeDevice);
        settle<<<512, threads, 0, stream_>>>(table_.get(), entries);
        lookUp<<<512, threads, 0, stream_>>>(table_.get(), entries, values_.get(), count, 100);
    }

private:
    static constexpr int entries = 2 << 20, count = 2 << 20;
    void move(cudaMemLocationType where) {
        cudaMemLocation location = {};
        location.type = where;
        location.id = 0;
        if (mended_)
            CHECK(cudaMemPrefetchAsync(table_.get(), entries * sizeof(float), location, 0, stream_));
    }
    OnDevice<float> table_ = managed<float>(entries), values_ = onDevice<float>(count);
    Stream stream_;
};

/// After each of eight sweeps the host adds up how much the one before changed, 64 KiB: in managed memory,
/// which moves to the host and back; mended, in a copy in pinned memory. 3 to 10 %.
class Changes : public Mendable {
public:
    explicit Changes(bool mended)
        : Mendable(mended) {
        for (Slot& slot : slots_)
            slot.device = mended ? onDevice<float>(parts) : managed<float>(room);
    }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            relax(slots_[number % 2]);
            if (number > 0)
                look(slots_[(number + 1) % 2]);
        }
    }

private:
    static constexpr size_t values = 1 << 22, parts = values / threads, room = 1 << 19; // no page is shared
    struct Slot {
        OnDevice<float> device;
        Pinned<float> host = pinned<float>(parts);
        Event there;
    };
    void relax(const Slot& slot) {
        sweep<<<unsigned(parts), threads, 0, stream_>>>(field_.get(), 6500, slot.device.get());
        if (mended_)
            toHost(slot.host.get(), slot.device.get(), parts, stream_);
        slot.there.record(stream_);
    }
    void look(const Slot& slot) {
        slot.there.await();
        const float* changes = mended_ ? slot.host.get() : slot.device.get();
        for (size_t n = 0; n < parts; ++n)
            change_ += changes[n];
    }
    float change_ = 0;
    OnDevice<float> field_ = onDevice<float>(values);
    Slot slots_[2];
    Stream stream_;
};

} // namespace

std::vector<Pair> managedPairs() {
    const Texts waits = {"host-sync", "host-late"}; // the host reads what the device wrote
    return {
        {"managed_table", {"unified-memory"}, make<Table>, waits},
        {"changes_in_managed", {"unified-memory"}, make<Changes>},
    };
}
