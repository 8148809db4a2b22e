// Work in the NULL stream: blocking streams wait for it, and it waits for them.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

namespace {

__constant__ Weights symbol;

__global__ void filterBySymbol(float* values, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        values[i] = filtered(values[i], symbol, rounds);
}

/// By 64 blocks, so that two such kernels run beside each other; 2^20 values and 2000 rounds take about 0.3
/// ms.
__global__ void smooth(float* values, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        values[i] = settled(values[i], rounds);
}

/// The lines of a net of electricity and what is drawn from it.
constexpr size_t lines = 2 << 20, drawnValues = 32768;
__global__ void balance(const float* from, const float* drawn, float* to, int rounds) {
    const int i = thread();
    const float left = from[i > 0 ? i - 1 : int(lines) - 1], right = from[i + 1 < int(lines) ? i + 1 : 0];
    to[i] = settled(0.4f * from[i] + 0.2f * left + 0.2f * right + 0.1f * drawn[i % int(drawnValues)], rounds);
}

/// Chunks come, are worked on and leave in three blocking streams. A tiny kernel for each, over other data,
/// is launched without a stream; mended, the three are non-blocking ones. 50 to 67 %.
class Statistics : public Pipeline {
public:
    explicit Statistics(bool mended)
        : Pipeline(shape(mended)) {}

protected:
    static Shape shape(bool mended) {
        Shape s;
        s.streamFlags = mended ? cudaStreamNonBlocking : cudaStreamDefault;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        Pipeline::chunk(number, slot);
        touch(statistics_.get(), nullptr);
    }

private:
    OnDevice<float> statistics_ = onDevice<float>(1 << 18);
};

/// A counter of each chunk is cleared by cudaMemset(), which has no stream; mended, by cudaMemsetAsync() in
/// the stream of the chunk. 5 to 10 %.
class ClearedCounter : public Pipeline {
public:
    explicit ClearedCounter(bool mended)
        : Pipeline(shape())
        , mended_(mended) {}

protected:
    static constexpr size_t values = 1024;
    static Shape shape() {
        Shape s;
        s.streamFlags = cudaStreamDefault;
        s.streams = 2;
        s.bytes = 1 << 20;
        s.rounds = 60000;
        s.chunks = 6;
        return s;
    }
    void chunk(int, Slot& slot) override {
        float* const counter = counters_[&slot - slots_.data()].get();
        if (mended_)
            CHECK(cudaMemsetAsync(counter, 0, values * sizeof(float), slot.stream));
        else
            CHECK(cudaMemset(counter, 0, values * sizeof(float)));
        copyIn(slot);
        work(slot);
        touch(counter, slot.stream);
        copyOut(slot);
    }

private:
    bool mended_;
    OnDevice<float> counters_[2] = {onDevice<float>(values), onDevice<float>(values)};
};

/// Tiles in two blocking streams, each with weights of its own. They come by cudaMemcpyToSymbol(), which has
/// no stream, and so no two tiles meet; mended, as an argument of the kernel. 35 to 55 %.
class Tiles : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number)
            tile(number, slots_[number % 2]);
    }

private:
    static constexpr size_t values = 1 << 20;
    static constexpr int rounds = 100;
    struct Slot {
        OnDevice<float> tile = onDevice<float>(values);
        Stream stream{cudaStreamDefault};
    };
    void tile(int number, const Slot& slot) const {
        Weights by;
        for (int k = 0; k < weights; ++k)
            by.of[k] = 0.999f - 0.001f * float((number + k) % 8);
        if (mended_) {
            filter(slot.tile.get(), values, by, rounds, slot.stream);
            return;
        }
        CHECK(cudaMemcpyToSymbol(symbol, &by, sizeof by));
        filterBySymbol<<<64, threads, 0, slot.stream>>>(slot.tile.get(), int(values), rounds);
    }
    Slot slots_[2];
};

/// Two lanes of small grids, each in a blocking stream, and events that tell how long each grid took. They
/// are recorded without a stream; mended, in that of the lane. 30 to 50 %.
class Timed : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int n = 0; n < grids; ++n)
            for (const Lane& lane : lanes_) {
                const cudaStream_t timing = mended_ ? cudaStream_t(lane.stream) : cudaStream_t(nullptr);
                lane.begun[i % 2][n].record(timing);
                smooth<<<64, threads, 0, lane.stream>>>(lane.values.get(), int(values), 2000);
                lane.ended[i % 2][n].record(timing);
            }
        for (int n = 0; i > 0 && n < grids; ++n)
            for (const Lane& lane : lanes_)
                add(lane.begun[1 - i % 2][n], lane.ended[1 - i % 2][n]);
    }

private:
    static constexpr int grids = 12;
    static constexpr size_t values = 1 << 20;
    struct Clock : Event {
        Clock()
            : Event(cudaEventDefault) {}
    };
    struct Lane {
        OnDevice<float> values = onDevice<float>(Timed::values);
        Clock begun[2][grids], ended[2][grids];
        Stream stream{cudaStreamDefault};
    };
    void add(const Clock& begun, const Clock& ended) {
        float took = 0;
        ended.await();
        CHECK(cudaEventElapsedTime(&took, begun, ended));
        milliseconds_ += took;
    }
    float milliseconds_ = 0;
    Lane lanes_[2];
};

/// Nothing to mend: a net of electricity, eight moments a step. What is drawn from it, 128 KiB, comes from
/// eight stations by a copy each beside the moment before. 64 KiB of each moment are set aside and leave in
/// the NULL stream, which no stream here waits for, as all of them are non-blocking ones. The host judges
/// those of two moments ago for 50 us, when the next one is under way. Two slots.
class Net : public Program {
public:
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.left.await(); // two moments ago
            judge(slot, number);
            bring(slot, number);
            slot.loaded.holdUp(compute_);
            for (int n = 0; n < 2; ++n)
                balance<<<blocksOf(lines), threads, 0, compute_>>>(nets_[n].get(), slot.drawn.get(),
                                                                   nets_[1 - n].get(), 4000);
            onDeviceTo(slot.aside.get(), nets_[0].get(), shown, compute_);
            slot.made.order(compute_, nullptr);
            toHost(slot.out.get(), slot.aside.get(), shown, nullptr);
            slot.left.record(nullptr);
        }
    }
    double result() override { return sumOf(nets_[0], lines); }

private:
    static constexpr size_t values = drawnValues, ofStation = values / 8, shown = 16384;
    struct Slot {
        Pinned<float> in = pinned<float>(values), out = pinned<float>(shown);
        OnDevice<float> drawn = onDevice<float>(values), aside = onDevice<float>(shown);
        Event loaded, made, left;
    };
    void judge(const Slot& slot, int number) {
        worst_ = std::max(worst_, *std::max_element(slot.out.get(), slot.out.get() + shown / 16));
        slot.in[size_t(number) * 37 % values] = 0.1f * float(number % 8);
        workOnHost(50);
    }
    /// What used this slot before has ended, as the host waited for what came behind it.
    void bring(const Slot& slot, int number) const {
        for (size_t n = 0; n < 8; ++n) {
            const size_t begin = (n + size_t(number)) % 8 * ofStation;
            toDevice(slot.drawn.get() + begin, slot.in.get() + begin, ofStation, up_);
        }
        slot.loaded.record(up_);
    }
    float worst_ = 0;
    OnDevice<float> nets_[2] = {onDevice<float>(lines), onDevice<float>(lines)};
    Slot slots_[2];
    Stream up_, compute_;
};

} // namespace

std::vector<Pair> nullStreamPairs() {
    const Texts shared = {"stretched"};
    return {
        {"statistics_in_null_stream", {"null-stream"}, make<Statistics>, shared},
        {"cleared_in_null_stream", {"null-stream"}, make<ClearedCounter>, shared},
        {"weights_by_symbol", {"null-stream", "host-sync", "pageable"}, make<Tiles>, shared},
        {"timed_without_stream", {"null-stream"}, make<Timed>, shared},
        healthy<Net>("healthy_net_with_null_stream", shared),
    };
}
