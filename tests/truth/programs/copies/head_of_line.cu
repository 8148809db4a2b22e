// A small copy that is needed soon, behind a large one.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

/// A part of the world of a game, and where its players are.
constexpr size_t worldPiece = 1432 * 1024, worldPieces = 10, worldValues = worldPieces * worldPiece;
constexpr size_t playerValues = 8192, pixels = size_t(1920) * 1080;

/// A pass over a picture of both; 3000 rounds take about 0.21 ms.
__global__ void shade(const float* world, const float* players, float* picture, int rounds) {
    const int i = thread();
    const float there = world[(i * 7) % int(worldValues)], who = players[i % int(playerValues)];
    picture[i] = settled(0.5f * picture[i] + 0.1f * there + 0.05f * who, rounds);
}

/// Results of 32 MiB leave in a stream of their own, and a flag with them that the host needs before it may
/// issue more: behind the results; mended, in front of them. 20 to 40 %.
class Flag : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            part(slots_[number % 2]);
            came_.await();
            if (flag_[0] < 0) // the end: it goes on
                return;
        }
    }

private:
    static constexpr size_t values = 8 << 20;
    struct Slot {
        OnDevice<float> device = onDevice<float>(values);
        Pinned<float> host = pinned<float>(values);
        Event made, taken;
    };
    void part(const Slot& slot) {
        slot.taken.holdUp(compute_);
        mix(slot.device.get(), values, 4000, compute_);
        slot.made.order(compute_, down_);
        if (mended_)
            flag(slot);
        toHost(slot.host.get(), slot.device.get(), values, down_);
        if (!mended_)
            flag(slot);
        slot.taken.record(down_);
    }
    void flag(const Slot& slot) {
        toHost(flag_.get(), slot.device.get(), 1, down_);
        came_.record(down_);
    }
    Pinned<float> flag_ = pinned<float>(1);
    Slot slots_[2];
    Event came_;
    Stream compute_, down_;
};

/// Ten pictures of an open world a step, three passes each, about 0.6 ms. Where the players are, 32 KiB,
/// comes a picture ahead. In each step the part of the world that the next one shows comes too, 56 MiB in a
/// stream of its own, about 1.2 ms: in one piece, which the players wait for; mended, a tenth of it behind
/// the players of each picture. Three parts of the world, two slots. 4 to 12 %.
class World : public Mendable {
public:
    explicit World(bool mended)
        : Mendable(mended) {
        fill(parts_, worldValues);
    }
    void step(int i) override {
        const Place &here = places_[i % 3], &next = places_[(i + 1) % 3];
        const float* const part = parts_[i % 2].get();
        next.left.holdUp(side_); // two steps ago
        here.loaded.holdUp(compute_);
        for (size_t n = 0; n < worldPieces; ++n) {
            const Slot& slot = slots_[n % 2];
            slot.drawn.await(); // two pictures ago
            if (!mended_ && n == 0)
                toDevice(next.world.get(), part, worldValues, side_);
            slot.host[(size_t(i) + n * 800) % playerValues] = 0.1f * float(n);
            toDevice(slot.players.get(), slot.host.get(), playerValues, up_);
            slot.loaded.record(up_);
            if (mended_)
                toDevice(next.world.get() + n * worldPiece, part + n * worldPiece, worldPiece, side_);
            slot.loaded.holdUp(compute_);
            draw(here, slot);
            slot.drawn.record(compute_);
        }
        next.loaded.record(side_);
        here.left.record(compute_);
    }
    double result() override { return sumOf(picture_, pixels); }

private:
    struct Place {
        OnDevice<float> world = onDevice<float>(worldValues);
        Event loaded, left;
    };
    struct Slot {
        Pinned<float> host = pinned<float>(playerValues);
        OnDevice<float> players = onDevice<float>(playerValues);
        Event loaded, drawn;
    };
    void draw(const Place& place, const Slot& slot) {
        for (int pass = 0; pass < 3; ++pass)
            shade<<<blocksOf(pixels), threads, 0, compute_>>>(place.world.get(), slot.players.get(),
                                                              picture_.get(), 3000);
    }
    Pinned<float> parts_[2];
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Place places_[3];
    Slot slots_[2];
    Stream up_, side_, compute_;
};

} // namespace

std::vector<Pair> headOfLinePairs() {
    return {
        {"flag_behind_results",
         {"head-of-line", "same-stream", "readback", "host-sync"},
         make<Flag>,
         {"readback", "host-sync", "stretched"}},
        {"players_behind_world", {"head-of-line"}, make<World>, {"stretched"}},
    };
}
