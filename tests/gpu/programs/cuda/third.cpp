// A third set of mistakes, to test on what the analysis was not made with; of the analysis only the manual
// was read before. Costs in the comments are rough, for an H200.
#include "third.h"

#include <cstring>

namespace {

using namespace third;

/// An iterative solver that ends when nothing changes any more. Every eight sweeps the largest change is read
/// by cudaMemcpy; mended, it comes to pinned memory beside the sweeps and is looked at eight of them later. 4
/// to 9 %.
class Solver : public Program {
public:
    explicit Solver(bool mended)
        : mended_(mended)
        , fields_{onDevice<float>(values), onDevice<float>(values)}
        , changes_(onDevice<float>(2))
        , read_(pinned<float>(2)) {
        read_[0] = read_[1] = 1;
    }
    void step(int) override {
        for (int n = 0; n < 240 && !converged_; ++n) {
            relax(fields_[n % 2].get(), fields_[1 - n % 2].get(), side, nullptr);
            if (n % 8 == 7)
                converged_ = change(n / 8 % 2) < 0; // the tolerance: it goes on
        }
    }

private:
    static constexpr int side = 2048;
    static constexpr size_t values = size_t(side) * side;
    float change(int slot) {
        float* largest = changes_.get() + slot;
        CHECK(cudaMemsetAsync(largest, 0, sizeof(float)));
        difference(fields_[0].get(), fields_[1].get(), values, largest, nullptr);
        if (!mended_) {
            float value = 0;
            CHECK(cudaMemcpy(&value, largest, sizeof(float), cudaMemcpyDeviceToHost));
            return value;
        }
        known_[slot].record(nullptr);
        known_[slot].holdUp(beside_);
        CHECK(cudaMemcpyAsync(&read_[slot], largest, sizeof(float), cudaMemcpyDeviceToHost, beside_));
        copied_[slot].record(beside_);
        copied_[1 - slot].await(); // eight sweeps ago
        return read_[1 - slot];
    }
    bool mended_;
    bool converged_ = false;
    OnDevice<float> fields_[2];
    OnDevice<float> changes_;
    Pinned<float> read_;
    Event known_[2], copied_[2];
    Stream beside_;
};

/// Bodies that attract each other. After each of 32 small steps the host waits for the device, to see errors
/// where they happen. 3 to 7 %.
class Bodies : public Program {
public:
    explicit Bodies(bool mended)
        : mended_(mended)
        , bodies_(onDevice<float4>(count))
        , speeds_(onDevice<float4>(count)) {}
    void step(int) override {
        for (int n = 0; n < 32; ++n) {
            attract(bodies_.get(), speeds_.get(), count, stream_);
            advance(bodies_.get(), speeds_.get(), count, stream_);
            if (!mended_)
                CHECK(cudaDeviceSynchronize());
        }
    }

private:
    static constexpr int count = 5120;
    bool mended_;
    OnDevice<float4> bodies_, speeds_;
    Stream stream_;
};

/// Nothing to mend: long kernels, and the energy of two iterations ago is looked at.
class ManyBodies : public Program {
public:
    void step(int i) override {
        const int slot = i % 2;
        copied_[slot].await();
        total_ += energies_[slot];
        for (int n = 0; n < 2; ++n) {
            attract(bodies_.get(), speeds_.get(), count, stream_);
            advance(bodies_.get(), speeds_.get(), count, stream_);
        }
        energy(speeds_.get(), count, sum_.get(), stream_);
        CHECK(cudaMemcpyAsync(&energies_[slot], sum_.get(), sizeof(float), cudaMemcpyDeviceToHost, stream_));
        copied_[slot].record(stream_);
    }

private:
    static constexpr int count = 132 * 512;
    OnDevice<float4> bodies_ = onDevice<float4>(count), speeds_ = onDevice<float4>(count);
    OnDevice<float> sum_ = onDevice<float>(1);
    Pinned<float> energies_ = pinned<float>(2);
    Stream stream_;
    Event copied_[2];
    float total_ = 0;
};

/// Frames of 4K that a decoder wrote to memory of new[]; mended, to pinned memory. Copies have a stream of
/// their own. 25 to 45 %.
class Denoiser : public Program {
public:
    Denoiser(bool isPinned, bool download, int radius)
        : download_(download)
        , radius_(radius) {
        for (Slot& slot : slots_) {
            if (isPinned)
                slot.pinnedIn = pinned<uint8_t>(bytes);
            else
                slot.plainIn = std::vector<uint8_t>(bytes);
            slot.decoded = isPinned ? slot.pinnedIn.get() : slot.plainIn.data();
            std::memset(slot.decoded, 99, bytes);
        }
    }
    void step(int i) override {
        for (int number = i * frames; number < (i + 1) * frames; ++number)
            frame(slots_[number % 2]);
    }

protected:
    static constexpr int width = 3840, height = 2160, frames = 12;
    static constexpr size_t bytes = size_t(width) * height;
    struct Slot {
        Pinned<uint8_t> pinnedIn;
        std::vector<uint8_t> plainIn;
        uint8_t* decoded = nullptr;
        OnDevice<uint8_t> raw = onDevice<uint8_t>(bytes), clean = onDevice<uint8_t>(bytes);
        Pinned<uint8_t> out = pinned<uint8_t>(bytes);
        Event filled, worked, taken;
    };
    void frame(Slot& slot) {
        slot.worked.holdUp(up_);
        CHECK(cudaMemcpyAsync(slot.raw.get(), slot.decoded, bytes, cudaMemcpyHostToDevice, up_));
        slot.filled.record(up_);
        slot.filled.holdUp(compute_);
        if (download_) {
            slot.taken.await(); // two frames ago
            seen_ += slot.out[0];
        }
        denoise(slot.raw.get(), slot.clean.get(), width, height, radius_, compute_);
        slot.worked.record(compute_);
        if (download_)
            take(slot);
    }
    void take(const Slot& slot) {
        slot.worked.holdUp(down_);
        CHECK(cudaMemcpyAsync(slot.out.get(), slot.clean.get(), bytes, cudaMemcpyDeviceToHost, down_));
        slot.taken.record(down_);
    }

private:
    bool download_;
    int radius_;
    unsigned seen_ = 0;
    Slot slots_[2];
    Stream up_, compute_, down_;
};

/// The pieces of a volume are transformed as they come. An event after the last copy holds up all kernels,
/// and one after the last kernel all copies; mended, each piece has its own two. 25 to 40 %.
class Pieces : public Program {
public:
    explicit Pieces(bool mended)
        : mended_(mended)
        , in_(pinned<float2>(pieces * values))
        , volume_(onDevice<float2>(pieces * values))
        , sum_(onDevice<float>(1)) {
        for (size_t n = 0; n < pieces * values; ++n)
            in_[n] = {float(n % 17), 0};
    }
    void step(int) override {
        for (int n = 0; n < pieces; ++n) {
            transformed_[mended_ ? n : pieces - 1].holdUp(up_);
            CHECK(cudaMemcpyAsync(piece(n), &in_[n * values], values * sizeof(float2), cudaMemcpyHostToDevice,
                                  up_));
            copied_[n].record(up_);
        }
        for (int n = 0; n < pieces; ++n) {
            copied_[mended_ ? n : pieces - 1].holdUp(compute_);
            transform(piece(n), rows, compute_);
            power(piece(n), values, sum_.get(), compute_);
            transformed_[n].record(compute_);
        }
    }

private:
    static constexpr int pieces = 8, rows = 1024;
    static constexpr size_t values = rows * 1024;
    float2* piece(int n) { return volume_.get() + n * values; }
    bool mended_;
    Pinned<float2> in_;
    OnDevice<float2> volume_;
    OnDevice<float> sum_;
    Event copied_[pieces], transformed_[pieces];
    Stream up_, compute_;
};

/// Partitions of a join in three blocking streams; a small kernel for each was launched without a stream, and
/// so no two partitions meet. 40 to 65 %.
class Join : public Program {
public:
    explicit Join(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number)
            partition(slots_[number % 3]);
    }

private:
    static constexpr unsigned slots = 1 << 20, keys = slots / 2, rows = 6 << 20;
    struct Slot {
        Stream stream{cudaStreamDefault};
        OnDevice<unsigned> table = onDevice<unsigned>(slots), found = onDevice<unsigned>(1);
        OnDevice<int> sizes = onDevice<int>(128);
    };
    void partition(Slot& slot) {
        plan(slot.sizes.get(), mended_ ? slot.stream : cudaStream_t(nullptr));
        CHECK(cudaMemsetAsync(slot.table.get(), 0, slots * sizeof(unsigned), slot.stream));
        build(slot.table.get(), slots, keys, slot.stream);
        probe(slot.table.get(), slots, rows, slot.sizes.get(), slot.found.get(), slot.stream);
    }
    bool mended_;
    Slot slots_[3];
};

/// After each frame a host function tells a player about it, in the stream of the kernels or beside it. 5 to
/// 12 %.
class Announced : public Program {
public:
    explicit Announced(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int n = 0; n < 3; ++n) {
            denoise(raw_.get(), clean_.get(), width, height, 8, compute_);
            worked_.record(compute_);
            if (mended_)
                worked_.holdUp(beside_);
            CHECK(cudaLaunchHostFunc(mended_ ? beside_ : compute_, announce, &frames_));
        }
    }

private:
    static constexpr int width = 3840, height = 2160;
    static constexpr size_t bytes = size_t(width) * height;
    static void CUDART_CB announce(void* frames) {
        ++*static_cast<int*>(frames);
        workOnHost(25);
    }
    bool mended_;
    int frames_ = 0;
    OnDevice<uint8_t> raw_ = onDevice<uint8_t>(bytes), clean_ = onDevice<uint8_t>(bytes);
    Event worked_;
    Stream compute_, beside_;
};

std::unique_ptr<Program> frames(bool mended) {
    return std::make_unique<Denoiser>(mended, false, 3);
}

std::unique_ptr<Program> healthyFrames(bool) {
    return std::make_unique<Denoiser>(true, true, 4);
}

std::unique_ptr<Program> healthyBodies(bool) {
    return std::make_unique<ManyBodies>();
}

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> thirdPairs() {
    const std::vector<std::string> value = {"readback", "host-sync"};
    const std::vector<std::string> waits = {"host-sync", "device-barrier"};
    return {
        {"solver_reads_change", value, value, make<Solver>},
        {"bodies_wait_each_step", waits, waits, make<Bodies>},
        {"frames_from_decoder", {"pageable"}, {"pageable"}, frames},
        {"pieces_all_at_once", {"event-order"}, {"event-order"}, make<Pieces>},
        {"join_forgets_stream", {"null-stream"}, {"null-stream"}, make<Join>, false, {"stretched"}},
        {"announced_in_stream", {"callback"}, {"callback"}, make<Announced>},
        {"healthy_frames", {}, {}, healthyFrames, true},
        {"healthy_bodies", {}, {}, healthyBodies, true},
    };
}
