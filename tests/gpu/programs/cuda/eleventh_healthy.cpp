// What has nothing to mend in the eleventh set. Like eleventh.cpp written without reading the analysis.
#include "eleventh.h"

namespace {

using namespace third;
using eleventh::sumOf;
using sixth::toDevice;
using sixth::toHost;

/// Nothing to mend: twelve moves of atoms are a graph, and the energies after the step before are looked at.
class Moves : public Program {
public:
    explicit Moves(bool) {
        eleventh::place(atoms_.get(), count, list_.get(), neighbours, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        for (int n = 0; n < 12; ++n) {
            eleventh::pull(atoms_.get(), list_.get(), neighbours, forces_.get(), count, stream_);
            eleventh::move(atoms_.get(), forces_.get(), count, energies_.get(), stream_);
        }
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    ~Moves() override {
        cudaStreamSynchronize(stream_);
        cudaGraphExecDestroy(graph_);
    }
    void step(int i) override {
        CHECK(cudaGraphLaunch(graph_, stream_));
        toHost(host_[i % 2].get(), energies_.get(), blocks, stream_);
        there_[i % 2].record(stream_);
        there_[1 - i % 2].await();
        for (int n = 0; n < blocks; ++n)
            energy_ += host_[1 - i % 2][n];
    }
    double result() override { return sumOf(energies_.get(), blocks); }

private:
    static constexpr int count = 1 << 18, neighbours = 2048, blocks = count / eleventh::threads;
    double energy_ = 0;
    OnDevice<float4> atoms_ = onDevice<float4>(count), forces_ = onDevice<float4>(count);
    OnDevice<float> energies_ = onDevice<float>(blocks);
    OnDevice<int> list_ = onDevice<int>(neighbours);
    Pinned<float> host_[2] = {pinned<float>(blocks), pinned<float>(blocks)};
    Event there_[2];
    Stream stream_;
    cudaGraphExec_t graph_ = nullptr;
};

/// Nothing to mend: six frames a step come, are softened twice and leave, in a stream for each of the three.
/// Three slots; the host changes a line of a frame when it was read.
class Video : public Program {
public:
    explicit Video(bool) {}
    ~Video() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number)
            soften(slots_[number % 3], number);
    }
    double result() override { return sumOf(slots_[0].soft.get(), pixels); }

private:
    static constexpr int width = 1920, height = 1080;
    static constexpr size_t pixels = size_t(width) * height;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(pixels);
        OnDevice<float> raw = onDevice<float>(pixels), between = onDevice<float>(pixels),
                        soft = onDevice<float>(pixels);
        Event loaded, made, left;
    };
    void soften(const Slot& slot, int number) {
        slot.loaded.await(); // three frames ago
        std::fill(slot.in.get(), slot.in.get() + width, float(number % 11));
        slot.made.holdUp(up_);
        toDevice(slot.raw.get(), slot.in.get(), pixels, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        slot.left.holdUp(compute_);
        eleventh::soften(slot.raw.get(), slot.between.get(), width, height, 18, compute_);
        eleventh::soften(slot.between.get(), slot.soft.get(), width, height, 18, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.out.get(), slot.soft.get(), pixels, down_);
        slot.left.record(down_);
    }
    Slot slots_[3];
    Stream up_, compute_, down_;
};

/// Nothing to mend: five portfolios a step, each judged by numbers of the host that come beside the one
/// before. What they are worth leaves in a third stream and is looked at two portfolios later.
class Portfolios : public Program {
public:
    explicit Portfolios(bool) {}
    ~Portfolios() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 5; number < (i + 1) * 5; ++number)
            judge(slots_[number % 2], number);
    }
    double result() override { return sumOf(slots_[0].prices.get(), paths); }

private:
    static constexpr int blocks = 1056;
    static constexpr size_t paths = size_t(blocks) * eleventh::threads;
    struct Slot {
        Pinned<float> in = pinned<float>(paths), out = pinned<float>(paths);
        OnDevice<float> prices = onDevice<float>(paths);
        Event loaded, made, left;
    };
    void judge(const Slot& slot, int number) {
        slot.left.await(); // two portfolios ago
        worth_ += slot.out[size_t(number) % paths];
        std::fill(slot.in.get(), slot.in.get() + 8192, 0.5f * float(number % 3));
        toDevice(slot.prices.get(), slot.in.get(), paths, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        eleventh::follow(slot.prices.get(), blocks, 30000, 0.01f, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.out.get(), slot.prices.get(), paths, down_);
        slot.left.record(down_);
    }
    double worth_ = 0;
    Slot slots_[2];
    Stream up_, compute_, down_;
};

/// Nothing to mend: two views, 24 times a step, each in a stream of its own, and as long as each other; the
/// depth of both is found in a third stream while the next ones are looked at. Two slots.
class Stereo : public Program {
public:
    explicit Stereo(bool) {}
    ~Stereo() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 24; number < (i + 1) * 24; ++number) {
            const Slot& slot = slots_[number % 2];
            for (int n = 0; n < 2; ++n) {
                slot.known.holdUp(views_[n]);
                eleventh::follow(slot.view[n].get(), blocks, 50000, 0.01f, views_[n]);
                slot.seen[n].record(views_[n]);
                slot.seen[n].holdUp(depth_);
            }
            eleventh::follow(slot.view[0].get(), blocks / 2, 10000, 0.02f, depth_);
            slot.known.record(depth_);
        }
    }
    double result() override { return sumOf(slots_[1].view[0].get(), size_t(blocks) * eleventh::threads); }

private:
    static constexpr int blocks = 48;
    static OnDevice<float> view() { return onDevice<float>(size_t(blocks) * eleventh::threads); }
    struct Slot {
        OnDevice<float> view[2] = {Stereo::view(), Stereo::view()};
        Event seen[2], known;
    };
    Slot slots_[2];
    Stream views_[2], depth_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> eleventhHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_moves_graph", {}, {}, make<Moves>, true, shared},
        {"healthy_video", {}, {}, make<Video>, true, shared},
        {"healthy_portfolios", {}, {}, make<Portfolios>, true, shared},
        {"healthy_stereo", {}, {}, make<Stereo>, true, shared},
    };
}
