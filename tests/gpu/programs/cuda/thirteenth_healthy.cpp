// What has nothing to mend in the thirteenth set. Like thirteenth.cpp written without reading the
// analysis.
#include "thirteenth.h"

#include <cstdint>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: six records of echoes a step. Each one needs 16 MiB for a while, taken from a pool and
/// given back in the order of the stream; the pool keeps it. What was found leaves in a side stream, two
/// slots, and the host looks at the one before.
class Echoes : public Program {
public:
    explicit Echoes(bool) {
        cudaMemPoolProps kind = {};
        kind.allocType = cudaMemAllocationTypePinned;
        kind.location.type = cudaMemLocationTypeDevice;
        CHECK(cudaMemPoolCreate(&pool_, &kind));
        uint64_t kept = UINT64_MAX;
        CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept));
    }
    ~Echoes() override {
        cudaDeviceSynchronize();
        cudaMemPoolDestroy(pool_);
    }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            find(slot);
            slot.found.record(compute_);
            slot.found.holdUp(side_);
            toHost(slot.host.get(), slot.aside.get(), shown, side_);
            slot.left.record(side_);
            before.left.await();
            seen_ += double(before.host[size_t(number) % shown]);
        }
    }
    double result() override { return sumOf(layers_.get(), count); }

private:
    static constexpr size_t count = 4 << 20, shown = 1 << 20;
    struct Slot {
        OnDevice<float> aside = onDevice<float>(shown);
        Pinned<float> host = pinned<float>(shown);
        Event found, left;
    };
    void find(const Slot& slot) {
        void* memory = nullptr;
        CHECK(cudaMallocFromPoolAsync(&memory, count * sizeof(float), pool_, compute_));
        float* const sharp = static_cast<float*>(memory);
        thirteenth::sharpen(echoes_.get(), sharp, count, 4000, compute_);
        thirteenth::assemble(sharp, layers_.get(), count, 4000, compute_);
        CHECK(cudaFreeAsync(memory, compute_));
        slot.left.holdUp(compute_); // two records ago
        CHECK(cudaMemcpyAsync(slot.aside.get(), layers_.get(), shown * sizeof(float),
                              cudaMemcpyDeviceToDevice, compute_));
    }
    double seen_ = 0;
    cudaMemPool_t pool_ = nullptr;
    OnDevice<float> echoes_ = onDevice<float>(count), layers_ = onDevice<float>(count);
    Slot slots_[2];
    Stream compute_, side_;
};

/// Nothing to mend: 16 moments of two substances that react are a graph. A branch of it takes a part of the
/// dish, as it was before, to the host, which looks at it when the next graph is under way. Two graphs in
/// turns, with a place for this part each.
class Dish : public Program {
public:
    explicit Dish(bool) {
        thirteenth::fillDish(dishes_[0].get(), width, height, compute_);
        CHECK(cudaStreamSynchronize(compute_));
        for (Slot& slot : slots_)
            slot.graph = twelfth::graphOf(compute_, [this, &slot] { issue(slot); });
    }
    ~Dish() override {
        cudaDeviceSynchronize();
        for (const Slot& slot : slots_)
            cudaGraphExecDestroy(slot.graph);
    }
    void step(int i) override {
        const Slot &slot = slots_[i % 2], &before = slots_[1 - i % 2];
        CHECK(cudaGraphLaunch(slot.graph, compute_));
        slot.done.record(compute_);
        before.done.await();
        for (size_t n = 0; n < part; n += 1024)
            seen_ += double(before.host[n].y);
    }
    double result() override { return sumOf(reinterpret_cast<const float*>(middle()), 2 * part); }

private:
    static constexpr int width = 8192, height = 8192;
    static constexpr size_t part = 2 << 20;
    struct Slot {
        OnDevice<float2> aside = onDevice<float2>(part);
        Pinned<float2> host = pinned<float2>(part);
        cudaGraphExec_t graph = nullptr;
        Event done;
    };
    const float2* middle() const { return dishes_[0].get() + size_t(width) * (height / 2); }
    void issue(const Slot& slot) {
        CHECK(cudaMemcpyAsync(slot.aside.get(), middle(), part * sizeof(float2), cudaMemcpyDeviceToDevice,
                              compute_));
        aside_.record(compute_);
        aside_.holdUp(side_);
        toHost(slot.host.get(), slot.aside.get(), part, side_);
        left_.record(side_);
        for (int n = 0; n < 16; ++n)
            thirteenth::react(dishes_[n % 2].get(), dishes_[1 - n % 2].get(), width, height, compute_);
        left_.holdUp(compute_);
    }
    double seen_ = 0;
    OnDevice<float2> dishes_[2] = {onDevice<float2>(size_t(width) * height),
                                   onDevice<float2>(size_t(width) * height)};
    Event aside_, left_;
    Slot slots_[2];
    Stream compute_, side_;
};

/// Nothing to mend: eight pictures of a film a step, 32 MiB each, leave as fast as the link goes; the next
/// ones are exposed beside that. Three slots, and the host looks at the picture of three ago.
class Film : public Program {
public:
    explicit Film(bool) {}
    ~Film() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 3];
            slot.left.await(); // three pictures ago
            bright_ += double(slot.host[size_t(number) % pixels]);
            thirteenth::expose(slot.picture.get(), pixels, number, 200, compute_);
            slot.made.record(compute_);
            slot.made.holdUp(down_);
            toHost(slot.host.get(), slot.picture.get(), pixels, down_);
            slot.left.record(down_);
        }
    }
    double result() override { return sumOf(slots_[0].picture.get(), pixels); }

private:
    static constexpr size_t pixels = 8 << 20;
    struct Slot {
        OnDevice<float> picture = onDevice<float>(pixels);
        Pinned<float> host = pinned<float>(pixels);
        Event made, left;
    };
    double bright_ = 0;
    Slot slots_[3];
    Stream compute_, down_;
};

/// Nothing to mend: twelve parts of a disk a step, 16 MiB each, come, are enciphered and leave, both as fast
/// as the link goes in both directions at once. A stream for each of the three, four slots.
class Disk : public Program {
public:
    explicit Disk(bool) {}
    ~Disk() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number)
            encipher(slots_[number % 4], number);
    }
    double result() override { return sumOf(slots_[1].secret.get(), count); }

private:
    static constexpr size_t count = 4 << 20;
    struct Slot {
        Pinned<unsigned> in = pinned<unsigned>(count), out = pinned<unsigned>(count);
        OnDevice<unsigned> plain = onDevice<unsigned>(count), secret = onDevice<unsigned>(count);
        Event loaded, made, left;
    };
    void encipher(const Slot& slot, int number) {
        slot.left.await(); // four parts ago
        check_ ^= slot.out[size_t(number) % count];
        slot.in[size_t(number) % count] = unsigned(number);
        toDevice(slot.plain.get(), slot.in.get(), count, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        thirteenth::encipher(slot.plain.get(), slot.secret.get(), count, unsigned(number), compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.out.get(), slot.secret.get(), count, down_);
        slot.left.record(down_);
    }
    unsigned check_ = 0;
    Slot slots_[4];
    Stream up_, compute_, down_;
};

/// Nothing to mend: six telescopes with a stream each. A picture of 1 MiB comes, is cleaned by a grid that
/// fills the device, and leaves, while it is the turn of the others; five rounds a step, two slots. The host
/// changes a line of a picture when it was read.
class Telescopes : public Program {
public:
    explicit Telescopes(bool) {}
    ~Telescopes() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int round = i * 5; round < (i + 1) * 5; ++round)
            for (const Telescope& telescope : telescopes_)
                clean(telescope, telescope.slots[round % 2], round);
    }
    double result() override {
        double sum = 0;
        for (const Telescope& telescope : telescopes_)
            sum += sumOf(telescope.slots[0].picture.get(), pixels);
        return sum;
    }

private:
    static constexpr size_t pixels = 1 << 18;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(pixels);
        OnDevice<float> picture = onDevice<float>(pixels);
        Event left;
    };
    struct Telescope {
        Slot slots[2];
        Stream stream;
    };
    void clean(const Telescope& telescope, const Slot& slot, int round) {
        slot.left.await(); // two rounds ago
        bright_ += double(slot.out[size_t(round) % pixels]);
        std::fill(slot.in.get(), slot.in.get() + 512, 0.1f * float(round % 7));
        toDevice(slot.picture.get(), slot.in.get(), pixels, telescope.stream);
        thirteenth::clean(slot.picture.get(), pixels, 28000, telescope.stream);
        toHost(slot.out.get(), slot.picture.get(), pixels, telescope.stream);
        slot.left.record(telescope.stream);
    }
    double bright_ = 0;
    Telescope telescopes_[6];
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> thirteenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"}, both = {"stretched", "both-directions"};
    return {
        {"healthy_echoes_from_pool", {}, {}, make<Echoes>, true, shared},
        {"healthy_dish_graph_with_branch", {}, {}, make<Dish>, true, shared},
        {"healthy_film_at_link_speed", {}, {}, make<Film>, true, shared},
        {"healthy_disk_both_ways", {}, {}, make<Disk>, true, both},
        {"healthy_telescopes", {}, {}, make<Telescopes>, true, both},
    };
}
