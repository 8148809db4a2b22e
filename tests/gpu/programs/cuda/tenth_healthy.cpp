// What has nothing to mend in the tenth set. Like tenth.cpp written without reading the analysis.
#include "tenth.h"

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using tenth::million;

/// Nothing to mend: a wave in a box, 16 moves a step; then 16 of its planes are set aside and leave in a
/// stream of their own.
class Sections : public Program {
public:
    explicit Sections(bool) {}
    ~Sections() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int n = 0; n < 16; ++n)
            tenth::wave(fields_[n % 2].get(), fields_[1 - n % 2].get(), box, compute_);
        const Slot& slot = slots_[i % 2];
        slot.left.holdUp(compute_);
        CHECK(cudaMemcpyAsync(slot.device.get(), fields_[0].get() + 120 * plane, kept * sizeof(float),
                              cudaMemcpyDeviceToDevice, compute_));
        slot.aside.record(compute_);
        slot.aside.holdUp(side_);
        toHost(slot.host.get(), slot.device.get(), kept, side_);
        slot.left.record(side_);
    }

private:
    static constexpr tenth::Box box{512, 512, 256};
    static constexpr size_t plane = 512 * 512, kept = 16 * plane;
    struct Slot {
        OnDevice<float> device = onDevice<float>(kept);
        Pinned<float> host = pinned<float>(kept);
        Event aside, left;
    };
    OnDevice<float> fields_[2] = {onDevice<float>(box.count()), onDevice<float>(box.count())};
    Slot slots_[2];
    Stream compute_, side_;
};

/// Nothing to mend: five pictures a step leave beside the next one, and the host looks at the one before.
class Pictures : public Program {
public:
    explicit Pictures(bool) {}
    ~Pictures() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 5; number < (i + 1) * 5; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            slot.left.holdUp(compute_);
            tenth::orbits(slot.device.get(), side, 0.3f, 0.02f * float(number % 20), 1500, compute_);
            slot.made.record(compute_);
            slot.made.holdUp(side_);
            toHost(slot.host.get(), slot.device.get(), pixels, side_);
            slot.left.record(side_);
            before.left.await();
            seen_ += before.host[pixels / 2];
        }
    }

private:
    static constexpr int side = 2048;
    static constexpr size_t pixels = size_t(side) * side;
    struct Slot {
        OnDevice<float> device = onDevice<float>(pixels);
        Pinned<float> host = pinned<float>(pixels);
        Event made, left;
    };
    float seen_ = 0;
    Slot slots_[2];
    Stream compute_, side_;
};

/// Nothing to mend: three pieces of a record a step come from pinned memory, which the host wrote one piece
/// before, go through a filter and leave. Three streams, three slots.
class Filtered : public Program {
public:
    explicit Filtered(bool) {}
    ~Filtered() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number)
            filter(slots_[number % 3], float(number % 7));
    }

private:
    static constexpr int taps = 16384;
    static constexpr size_t count = million, length = count + taps;
    struct Slot {
        Pinned<float> in = pinned<float>(length), out = pinned<float>(count);
        OnDevice<float> signal = onDevice<float>(length), result = onDevice<float>(count);
        Event loaded, made, left;
    };
    void filter(const Slot& slot, float value) {
        slot.loaded.await(); // three pieces ago
        std::fill(slot.in.get(), slot.in.get() + 4096, value);
        slot.made.holdUp(up_);
        toDevice(slot.signal.get(), slot.in.get(), length, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        slot.left.holdUp(compute_);
        tenth::correlate(slot.signal.get(), filter_.get(), taps, slot.result.get(), count, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.out.get(), slot.result.get(), count, down_);
        slot.left.record(down_);
    }
    OnDevice<float> filter_ = onDevice<float>(taps);
    Slot slots_[3];
    Stream up_, compute_, down_;
};

/// Nothing to mend: a graph of four lanes of populations, as long as each other, that meet at its end. How a
/// population was a step ago is looked at.
class Lanes : public Program {
public:
    explicit Lanes(bool) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        issue();
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    ~Lanes() override {
        cudaStreamSynchronize(stream_);
        cudaGraphExecDestroy(graph_);
    }
    void step(int i) override {
        CHECK(cudaGraphLaunch(graph_, stream_));
        toHost(host_.get() + i % 2, lanes_[0].values.get(), 1, stream_);
        there_[i % 2].record(stream_);
        there_[1 - i % 2].await();
        seen_ += host_[1 - i % 2];
    }

private:
    static constexpr int blocks = 32;
    struct Lane {
        OnDevice<float> values = onDevice<float>(size_t(blocks) * tenth::threads);
        Event done;
        Stream stream;
    };
    void issue() {
        begun_.record(stream_);
        for (const Lane& lane : lanes_) {
            begun_.holdUp(lane.stream);
            for (int n = 0; n < 12; ++n)
                tenth::grow(lane.values.get(), blocks, 120000, lane.stream);
            lane.done.record(lane.stream);
            lane.done.holdUp(stream_);
        }
        for (int n = 1; n < 4; ++n)
            tenth::meet(lanes_[n].values.get(), lanes_[0].values.get(), blocks, stream_);
    }
    float seen_ = 0;
    Pinned<float> host_ = pinned<float>(2);
    Event begun_, there_[2];
    Lane lanes_[4];
    Stream stream_;
    cudaGraphExec_t graph_ = nullptr;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> tenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_sections", {}, {}, make<Sections>, true, shared},
        {"healthy_pictures", {}, {}, make<Pictures>, true, shared},
        {"healthy_filtered", {}, {}, make<Filtered>, true, shared},
        {"healthy_lanes_graph", {}, {}, make<Lanes>, true, shared},
    };
}
