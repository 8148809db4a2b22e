// A seventh set, written after the sixth had been looked at, by one who had then changed the analysis;
// nothing was changed by what these show. Costs in the comments are estimates for an H100 or H200, not
// measured.
#include "sixth.h"

namespace {

using namespace third;
using namespace sixth;

/// Eight stages of a step, and a wait for the device after each, which nothing needs. 3 to 8 %.
class Stages : public Program {
public:
    explicit Stages(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int n = 0; n < 8; ++n) {
            mix(values_.get(), count, 10000 + 500 * n, stream_);
            if (!mended_)
                CHECK(cudaDeviceSynchronize());
        }
        CHECK(cudaStreamSynchronize(stream_)); // the step before the next one
    }

private:
    static constexpr size_t count = 1 << 20;
    bool mended_;
    OnDevice<float> values_ = onDevice<float>(count);
    Stream stream_;
};

/// Two chains that share nothing, 64 blocks each. Each part of one waits for the part of the other that was
/// issued before it; mended, once a step. 25 to 50 %. Further: never.
class Chains : public Program {
public:
    explicit Chains(bool mended, bool further = false)
        : mended_(mended)
        , further_(further) {}
    void step(int) override {
        for (int n = 0; n < 10; ++n)
            for (int k = 0; k < 2; ++k) {
                if (!mended_ || (n == 0 && !further_))
                    chains_[1 - k].done.holdUp(chains_[k].stream);
                smooth(chains_[k].values.get(), count, 2000, chains_[k].stream);
                chains_[k].done.record(chains_[k].stream);
            }
    }

private:
    static constexpr size_t count = 1 << 20;
    struct Chain {
        OnDevice<float> values = onDevice<float>(count);
        Event done;
        Stream stream;
    };
    bool mended_, further_;
    Chain chains_[2];
};

/// 96 tables of 2 KiB go to the device before each kernel, one by one or packed. 15 to 40 %.
class Tables : public Program {
public:
    explicit Tables(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        const int slot = i % 2;
        used_[slot].await();
        for (int n = 0; n < tables; ++n)
            host_[slot * tables * size + n * size] = float(i);
        const float* from = host_.get() + slot * tables * size;
        if (mended_)
            toDevice(device_.get(), from, tables * size, stream_);
        else
            for (int n = 0; n < tables; ++n)
                toDevice(device_.get() + n * size, from + n * size, size, stream_);
        used_[slot].record(stream_);
        mix(values_.get(), count, 30000, stream_);
    }

private:
    static constexpr int tables = 96;
    static constexpr size_t size = 512, count = 1 << 20;
    bool mended_;
    Pinned<float> host_ = pinned<float>(2 * tables * size);
    OnDevice<float> device_ = onDevice<float>(tables * size), values_ = onDevice<float>(count);
    Event used_[2];
    Stream stream_;
};

/// 400 steps of one block each between two long kernels, one by one or as a graph. 20 to 50 %.
class Blocks : public Program {
public:
    explicit Blocks(bool mended)
        : mended_(mended) {
        if (!mended_)
            return;
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        issue();
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    ~Blocks() override {
        cudaStreamSynchronize(stream_);
        if (graph_)
            cudaGraphExecDestroy(graph_);
    }
    void step(int) override {
        if (mended_)
            CHECK(cudaGraphLaunch(graph_, stream_));
        else
            issue();
    }

private:
    static constexpr size_t count = 1 << 20;
    void issue() {
        mix(values_.get(), count, 6000, stream_);
        for (int n = 0; n < 400; ++n)
            touch(values_.get(), stream_);
    }
    bool mended_;
    OnDevice<float> values_ = onDevice<float>(count);
    cudaGraphExec_t graph_ = nullptr;
    Stream stream_;
};

/// Nothing to mend: parts come and go in streams of their own, two slots.
class Passed : public Program {
public:
    explicit Passed(bool) {}
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number)
            part(slots_[number % 2]);
    }

private:
    static constexpr size_t count = 1 << 20;
    struct Slot {
        Pinned<float> in = pinned<float>(count), out = pinned<float>(count);
        OnDevice<float> device = onDevice<float>(count);
        Event loaded, made, left;
    };
    void part(const Slot& slot) {
        slot.left.holdUp(up_);
        toDevice(slot.device.get(), slot.in.get(), count, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        mix(slot.device.get(), count, 20000, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.out.get(), slot.device.get(), count, down_);
        slot.left.record(down_);
    }
    Slot slots_[2];
    Stream up_, compute_, down_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> seventhPairs() {
    const std::vector<std::string> launches = {"launch-bound", "host-late"}, copies = {"small-copies"};
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"stages_end_by_waits", {"host-sync"}, {"host-sync"}, make<Stages>, false, {"host-sync"}},
        {"chains_wait_for_each_other",
         {"event-order"},
         {"event-order"},
         make<Chains>,
         false,
         shared,
         false,
         {"event-order"},
         [] { return std::make_unique<Chains>(true, true); }},
        {"tables_not_packed", copies, copies, make<Tables>, false, {"same-stream"}},
        {"blocks_one_by_one", launches, launches, make<Blocks>},
        {"healthy_passed", {}, {}, make<Passed>, true, shared},
    };
}
