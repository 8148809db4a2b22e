// What streams through the device: tiles of a picture, rows of a table, frames of a film.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

/// 2^21 pixels and 4000 rounds take about 0.3 ms.
__global__ void trace(float* tile, int number, int rounds) {
    const int i = thread();
    tile[i] = settled(0.001f * float((i + 131 * number) % 97), rounds);
}

constexpr int rowValues = 64, rowsAsked = 1024; ///< of a table of embeddings

/// How well products fit to what a user liked; 2^20 products and 16000 rounds take about 0.6 ms.
__global__ void rank(const float* rows, float* products, int rounds) {
    const int i = thread();
    products[i] = settled(0.5f * products[i] + 0.1f * rows[i % (rowValues * rowsAsked)], rounds);
}

/// 2^21 pixels and 5000 rounds take about 0.37 ms.
__global__ void predict(const float* frame, float* rest, int rounds) {
    const int i = thread();
    rest[i] = settled(frame[i] - 0.3f * rest[i], rounds);
}

/// Each level is that of four pixels; 2^19 levels and 12000 rounds take about 0.22 ms.
__global__ void quantize(const float* rest, float* levels, int rounds) {
    const int i = thread();
    levels[i] = settled(rest[4 * i] + 0.5f * rest[4 * i + 2], rounds);
}

/// Ten tiles of a picture a step are traced, 0.3 ms each. A tile that is done, 8 MiB, leaves in the stream
/// that traces, 0.16 ms; mended, in a second one, while the next tile is traced. Two slots. 25 to 40 %.
class Traced : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        ended_[i % 2].await(); // two pictures ago
        for (int number = 0; number < tiles; ++number) {
            const Slot& slot = slots_[number % 2];
            if (mended_)
                slot.left.holdUp(compute_);
            trace<<<blocksOf(pixels), threads, 0, compute_>>>(slot.tile.get(), number + i % 3, 4000);
            float* const place = picture_.get() + size_t(number) * pixels;
            if (mended_)
                leave(slot, place);
            else
                toHost(place, slot.tile.get(), pixels, compute_);
        }
        ended_[i % 2].record(mended_ ? down_ : compute_);
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        double sum = 0;
        for (size_t n = 0; n < tiles * pixels; n += 64)
            sum += double(picture_[n]);
        return sum;
    }

private:
    static constexpr size_t tiles = 10, pixels = 1 << 21;
    struct Slot {
        OnDevice<float> tile = onDevice<float>(pixels);
        Event traced, left;
    };
    void leave(const Slot& slot, float* place) {
        slot.traced.order(compute_, down_);
        toHost(place, slot.tile.get(), pixels, down_);
        slot.left.record(down_);
    }
    Pinned<float> picture_ = pinned<float>(tiles * pixels);
    Slot slots_[2];
    Event ended_[2];
    Stream compute_, down_;
};

/// Four users a step are recommended something. 1024 rows of a table in pinned memory, 256 bytes each, that
/// lie far from each other, come ahead in a second stream, two slots: by a copy each; mended, the host puts
/// them together and one copy brings them. 35 to 75 %.
class Embeddings : public Mendable {
public:
    explicit Embeddings(bool mended)
        : Mendable(mended) {
        for (size_t n = 0; n < tableRows * rowValues; ++n)
            table_[n] = 0.01f * float(n % 89);
    }
    void step(int i) override {
        for (int user = i * 4; user < (i + 1) * 4; ++user) {
            const Slot& slot = slots_[user % 2];
            slot.come.await(); // two users ago
            slot.ranked.holdUp(up_);
            if (mended_)
                bringTogether(slot, user);
            else
                bringEach(slot, user);
            slot.come.order(up_, compute_);
            rank<<<blocksOf(products), threads, 0, compute_>>>(slot.rows.get(), products_.get(), 16000);
            slot.ranked.record(compute_);
        }
    }
    double result() override { return sumOf(products_, products); }

private:
    static constexpr size_t tableRows = 1 << 18, products = 1 << 20;
    struct Slot {
        Pinned<float> together = pinned<float>(rowsAsked * rowValues);
        OnDevice<float> rows = onDevice<float>(rowsAsked * rowValues);
        Event come, ranked;
    };
    const float* row(int user, int n) const {
        return table_.get() + (size_t(n) * 40503u + size_t(user) * 977u) % tableRows * rowValues;
    }
    void bringEach(const Slot& slot, int user) const {
        for (int n = 0; n < rowsAsked; ++n)
            toDevice(slot.rows.get() + n * rowValues, row(user, n), rowValues, up_);
    }
    void bringTogether(const Slot& slot, int user) const {
        for (int n = 0; n < rowsAsked; ++n)
            std::copy_n(row(user, n), rowValues, slot.together.get() + n * rowValues);
        toDevice(slot.rows.get(), slot.together.get(), rowsAsked * rowValues, up_);
    }
    Pinned<float> table_ = pinned<float>(tableRows * rowValues);
    OnDevice<float> products_ = onDevice<float>(products);
    Slot slots_[2];
    Stream up_, compute_;
};

/// Nothing to mend: an encoder, six frames a step, 8 MiB each. A frame comes in one stream, 0.16 ms, is
/// worked on in another, 0.59 ms, and its levels, 2 MiB, leave in a third. The host, which is busy for 0.25
/// ms with the levels of two frames ago, waits for those; the device has two more frames then.
class Encoder : public Program {
public:
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            encode(slots_[number % 3], number);
            const Slot& before = slots_[(number + 1) % 3];
            before.left.await(); // two frames ago
            bits_ += before.out[size_t(number) % levels] > 0.5f ? 3 : 7;
            workOnHost(250);
        }
    }
    double result() override { return sumOf(rest_, pixels); }

private:
    static constexpr size_t pixels = 1 << 21, levels = pixels / 4;
    struct Slot {
        Pinned<float> in = pinned<float>(pixels), out = pinned<float>(levels);
        OnDevice<float> frame = onDevice<float>(pixels), found = onDevice<float>(levels);
        Event come, made, left;
    };
    /// The frame that had this slot has left.
    void encode(const Slot& slot, int number) {
        std::fill(slot.in.get(), slot.in.get() + 1024, 0.1f * float(number % 11));
        toDevice(slot.frame.get(), slot.in.get(), pixels, up_);
        slot.come.order(up_, compute_);
        predict<<<blocksOf(pixels), threads, 0, compute_>>>(slot.frame.get(), rest_.get(), 5000);
        quantize<<<blocksOf(levels), threads, 0, compute_>>>(rest_.get(), slot.found.get(), 12000);
        slot.made.order(compute_, down_);
        toHost(slot.out.get(), slot.found.get(), levels, down_);
        slot.left.record(down_);
    }
    long bits_ = 0;
    OnDevice<float> rest_ = onDevice<float>(pixels);
    Slot slots_[3];
    Stream up_, compute_, down_;
};

} // namespace

std::vector<Pair> streamingPairs() {
    const Texts shared = {"stretched"};
    return {
        {"traced_tiles_leave_in_their_stream", {"same-stream", "too-few-streams"}, make<Traced>, shared},
        {"embeddings_copied_row_by_row", {"small-copies", "launch-bound"}, make<Embeddings>, shared},
        healthy<Encoder>("healthy_encoder_with_busy_host", shared),
    };
}
