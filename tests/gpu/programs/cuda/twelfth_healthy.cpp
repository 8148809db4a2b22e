// What has nothing to mend in the twelfth set. Like twelfth.cpp written without reading the analysis.
#include "twelfth.h"

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: 40 moments of a flow in a lattice are a graph, and a row of it is looked at a step later.
class Lattice : public Program {
public:
    explicit Lattice(bool) {
        twelfth::fillLattice(lattices_[0].get(), width, height, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        graph_ = twelfth::graphOf(stream_, [this] { advance(); });
    }
    ~Lattice() override {
        cudaStreamSynchronize(stream_);
        cudaGraphExecDestroy(graph_);
    }
    void step(int i) override {
        CHECK(cudaGraphLaunch(graph_, stream_));
        toHost(row_[i % 2].get(), lattices_[0].get() + width * (height / 2), width, stream_);
        there_[i % 2].record(stream_);
        there_[1 - i % 2].await();
        for (size_t n = 0; n < width; ++n)
            density_ += double(row_[1 - i % 2][n]);
    }
    double result() override { return sumOf(lattices_[0].get(), size_t(width) * height); }

private:
    static constexpr int width = 2048, height = 2048;
    void advance() {
        for (int n = 0; n < 40; ++n) {
            float *const from = lattices_[n % 2].get(), *const to = lattices_[1 - n % 2].get();
            twelfth::collide(from, width, height, stream_);
            twelfth::propagate(from, to, width, height, stream_);
            twelfth::bounce(to, width, height, stream_);
        }
    }
    double density_ = 0;
    OnDevice<float> lattices_[2] = {onDevice<float>(size_t(9) * width * height),
                                    onDevice<float>(size_t(9) * width * height)};
    Pinned<float> row_[2] = {pinned<float>(width), pinned<float>(width)};
    Event there_[2];
    Stream stream_;
    cudaGraphExec_t graph_ = nullptr;
};

/// Nothing to mend: ten pieces of an archive of 32 MiB a step, which come as fast as the link goes, three
/// slots; their sums are found beside the next one and looked at two pieces later.
class Archive : public Program {
public:
    explicit Archive(bool) {}
    ~Archive() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number)
            check(slots_[number % 3], number);
    }
    double result() override { return sumOf(slots_[0].sums.get(), blocks); }

private:
    static constexpr size_t count = 8 << 20, blocks = 512;
    struct Slot {
        Pinned<unsigned> piece = pinned<unsigned>(count), found = pinned<unsigned>(blocks);
        OnDevice<unsigned> values = onDevice<unsigned>(count), sums = onDevice<unsigned>(blocks);
        Event loaded, checked;
    };
    void check(const Slot& slot, int number) {
        slot.checked.await(); // three pieces ago
        all_ ^= slot.found[size_t(number) % blocks];
        slot.piece[size_t(number) % count] = unsigned(number);
        toDevice(slot.values.get(), slot.piece.get(), count, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        twelfth::checksum(slot.values.get(), count, slot.sums.get(), compute_);
        toHost(slot.found.get(), slot.sums.get(), blocks, compute_);
        slot.checked.record(compute_);
    }
    unsigned all_ = 0;
    Slot slots_[3];
    Stream up_, compute_;
};

/// Nothing to mend: five long sequences a step are aligned one after the other, each to the profile that
/// follows from those before, by a block of threads. The scores of the step before are looked at.
class Alignments : public Program {
public:
    explicit Alignments(bool) {}
    ~Alignments() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int n = 0; n < 5; ++n)
            twelfth::align(profile_.get(), 30000, scores_.get(), stream_);
        toHost(host_[i % 2].get(), scores_.get(), twelfth::threads, stream_);
        there_[i % 2].record(stream_);
        there_[1 - i % 2].await();
        for (int n = 0; n < twelfth::threads; ++n)
            best_ = std::max(best_, host_[1 - i % 2][size_t(n)]);
    }
    double result() override { return sumOf(scores_.get(), twelfth::threads); }

private:
    float best_ = 0;
    OnDevice<float> profile_ = onDevice<float>(twelfth::threads), scores_ = onDevice<float>(twelfth::threads);
    Pinned<float> host_[2] = {pinned<float>(twelfth::threads), pinned<float>(twelfth::threads)};
    Event there_[2];
    Stream stream_;
};

/// Nothing to mend: four streams, each of which gets a picture of 256 KiB, halves it three times by small
/// grids and gives the last one back; twelve rounds a step. The host changes a line of a picture when it was
/// read.
class Pyramids : public Program {
public:
    explicit Pyramids(bool) {}
    ~Pyramids() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int round = i * 12; round < (i + 1) * 12; ++round)
            for (Lane& lane : lanes_)
                halve(lane, round);
    }
    double result() override {
        double sum = 0;
        for (const Lane& lane : lanes_)
            sum += sumOf(lane.levels[3].get(), size_t(side / 8) * (side / 8));
        return sum;
    }

private:
    static constexpr int side = 256;
    static OnDevice<float> level(int n) { return onDevice<float>(size_t(side >> n) * size_t(side >> n)); }
    struct Slot {
        Pinned<float> in = pinned<float>(size_t(side) * side),
                      out = pinned<float>(size_t(side / 8) * (side / 8));
        Event read, left;
    };
    struct Lane {
        OnDevice<float> levels[4] = {level(0), level(1), level(2), level(3)};
        Slot slots[2];
        Stream stream;
    };
    void halve(Lane& lane, int round) {
        const Slot& slot = lane.slots[round % 2];
        slot.left.await(); // two rounds ago
        bright_ += double(slot.out[0]);
        std::fill(slot.in.get(), slot.in.get() + side, float(round % 9));
        toDevice(lane.levels[0].get(), slot.in.get(), size_t(side) * side, lane.stream);
        for (int n = 0; n < 3; ++n)
            twelfth::shrink(lane.levels[n].get(), lane.levels[n + 1].get(), side >> n, side >> n, 24000 << n,
                            lane.stream);
        toHost(slot.out.get(), lane.levels[3].get(), size_t(side / 8) * (side / 8), lane.stream);
        slot.left.record(lane.stream);
    }
    double bright_ = 0;
    Lane lanes_[4];
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> twelfthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_lattice_graph", {}, {}, make<Lattice>, true},
        {"healthy_archive_at_link_speed", {}, {}, make<Archive>, true, shared},
        {"healthy_alignments_in_turn", {}, {}, make<Alignments>, true},
        {"healthy_pyramids", {}, {}, make<Pyramids>, true, {"stretched", "both-directions"}},
    };
}
