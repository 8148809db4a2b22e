// Copies from and to memory that is not pinned.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

__global__ void observe(const float* layers, int cells, float* picture, int rounds) {
    const int i = thread(), cell = i % cells;
    float path = 0;
    for (int n = 0; n < 3; ++n)
        path += layers[n * cells + cell];
    picture[i] = settled(0.5f * picture[i] + 0.05f * path, rounds);
}

__global__ void focus(const float2* echoes, float* picture, int rounds) {
    const int i = thread();
    const float2 echo = echoes[i];
    picture[i] = settled(0.5f * picture[i] + 0.1f * (echo.x - 0.5f * echo.y), rounds);
}

/// A telescope sees eight pictures a step, 0.2 ms each, through three layers of air of 1 MiB each, which come
/// to one of two slots while the picture before is made. The layers are in vectors: their copies take longer
/// than a picture; mended, in pinned memory. 20 to 60 %.
class Telescope : public Mendable {
public:
    explicit Telescope(bool mended)
        : Mendable(mended) {
        for (int n = 0; n < layers; ++n) {
            air_[n].resize(winds * cells);
            for (size_t at = 0; at < winds * cells; ++at)
                air_[n][at] = 0.01f * float((at + size_t(n)) % 241);
            fixed_[n] = pinned<float>(mended ? winds * cells : 1);
            if (mended)
                std::copy(air_[n].begin(), air_[n].end(), fixed_[n].get());
        }
    }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.seen.holdUp(up_);
            for (int n = 0; n < layers; ++n)
                toDevice(slot.air.get() + size_t(n) * cells, layer(n, number), cells, up_);
            slot.loaded.order(up_, compute_);
            observe<<<blocksOf(pixels), threads, 0, compute_>>>(slot.air.get(), int(cells), picture_.get(),
                                                                5300);
            slot.seen.record(compute_);
        }
    }
    double result() override { return sumOf(picture_, pixels); }

private:
    static constexpr int layers = 3;
    static constexpr size_t cells = 1 << 18, winds = 4, pixels = 1 << 20;
    struct Slot {
        OnDevice<float> air = onDevice<float>(layers * cells);
        Event loaded, seen;
    };
    const float* layer(int n, int number) const {
        const float* const all = mended_ ? fixed_[n].get() : air_[n].data();
        return all + size_t(number + n) % winds * cells;
    }
    std::vector<float> air_[layers];
    Pinned<float> fixed_[layers];
    OnDevice<float> picture_ = onDevice<float>(pixels);
    Slot slots_[2];
    Stream up_, compute_;
};

/// A radar in orbit sees six strips of the ground a step. Echoes, 4 MiB, come a strip ahead from pinned
/// memory and are focused, 0.4 ms. The picture, 2 MiB, goes in a third stream to the archive of four strips,
/// of which the host looks at the one of two strips ago. The archive is in vectors: the call waits for the
/// picture and copies it, about 0.25 ms, before the next strip is issued; mended, in pinned memory. 30 to 47
/// %.
class Orbit : public Program {
public:
    explicit Orbit(bool mended) {
        for (int n = 0; n < kept; ++n) {
            fixed_[n] = pinned<float>(mended ? pixels : 1);
            plain_[n].resize(pixels);
            archive_[n] = mended ? fixed_[n].get() : plain_[n].data();
        }
        fill(echoes_, values);
        bring(0);
    }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.left.await(); // two strips ago
            seen_ += double(archive_[(number + 2) % kept][size_t(number) * 97 % pixels]);
            bring(number + 1);
            slot.loaded.holdUp(compute_);
            focus<<<blocksOf(pixels), threads, 0, compute_>>>(
                reinterpret_cast<const float2*>(slot.echoes.get()), slot.picture.get(), 21400);
            slot.focused.order(compute_, down_);
            toHost(archive_[number % kept], slot.picture.get(), pixels, down_);
            slot.left.record(down_);
        }
    }
    double result() override {
        return seen_ + sumOf(slots_[0].picture, pixels) + sumOf(slots_[1].picture, pixels);
    }

private:
    static constexpr int kept = 4;
    static constexpr size_t pixels = 1 << 19, values = 2 * pixels;
    struct Slot {
        OnDevice<float> echoes = onDevice<float>(values), picture = onDevice<float>(pixels);
        Event loaded, focused, left;
    };
    void bring(int number) {
        const Slot& slot = slots_[number % 2];
        slot.focused.holdUp(up_);
        toDevice(slot.echoes.get(), echoes_[number % 3].get(), values, up_);
        slot.loaded.record(up_);
    }
    double seen_ = 0;
    std::vector<float> plain_[kept];
    Pinned<float> fixed_[kept], echoes_[3];
    float* archive_[kept] = {};
    Slot slots_[2];
    Stream up_, compute_, down_;
};

} // namespace

std::vector<Pair> pageablePairs() {
    return {
        {"air_from_vectors", {"pageable"}, make<Telescope>, {"stretched"}},
        {"archive_of_strips_in_vectors", {"pageable"}, make<Orbit>, {"stretched"}},
    };
}
