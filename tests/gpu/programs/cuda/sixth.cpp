// A sixth set of mistakes, to test on what the analysis was not made with; of the analysis only the list of
// causes in the manual was read before. Costs in the comments are estimates for an H100 or H200, not
// measured.
#include "sixth.h"

#include <cstring>
#include <future>

namespace {

using namespace third;
using namespace sixth;

/// Two lanes of tiles, each in a blocking stream; a tile is long in one lane while it is short in the other.
/// The sum of each goes to pinned memory by cudaMemcpyAsync without a stream, and so in the NULL stream;
/// mended, in the stream of the lane. 12 to 25 %.
class Lanes : public Program {
public:
    explicit Lanes(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        const int slot = i % 2;
        for (const Lane& lane : lanes_) {
            lane.done[slot].await();
            seen_ += lane.host[slot * tiles];
        }
        for (int n = 0; n < tiles; ++n) {
            for (int k = 0; k < 2; ++k)
                compute(lanes_[k], (n + k) % 2 == 0 ? 4000 : 2600);
            for (const Lane& lane : lanes_)
                toHost(lane.host.get() + slot * tiles + n, lane.sum.get(), 1,
                       mended_ ? cudaStream_t(lane.stream) : cudaStream_t(nullptr));
        }
        for (const Lane& lane : lanes_)
            lane.done[slot].record(lane.stream);
    }

private:
    static constexpr int tiles = 12;
    static constexpr size_t values = 1 << 20;
    struct Lane {
        OnDevice<float> tile = onDevice<float>(values), sum = onDevice<float>(1);
        Pinned<float> host = pinned<float>(2 * tiles);
        Event done[2];
        Stream stream{cudaStreamDefault};
    };
    static void compute(const Lane& lane, int rounds) {
        smooth(lane.tile.get(), values, rounds, lane.stream);
        total(lane.tile.get(), 4096, lane.sum.get(), lane.stream);
    }
    bool mended_;
    float seen_ = 0;
    Lane lanes_[2];
};

/// A list of neighbours, made three times a step and always of another length, by which points are pushed
/// twice. Its memory is that of the length, allocated each time; mended, that of the longest, allocated once.
/// 5 to 20 %.
class Neighbours : public Program {
public:
    explicit Neighbours(bool mended)
        : mended_(mended) {
        resize(mended ? longest : shortest);
    }
    ~Neighbours() override {
        cudaStreamSynchronize(stream_);
        cudaFree(list_);
    }
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number) {
            const size_t entries = shortest + size_t(number % 5) * more;
            if (!mended_)
                resize(entries);
            listNeighbours(points_.get(), points, list_, entries, 1000, stream_);
            for (int n = 0; n < 2; ++n)
                push(points_.get(), points, list_, entries, 1000, stream_);
        }
    }

private:
    static constexpr int points = 1 << 20;
    static constexpr size_t shortest = 24 << 20, more = 1 << 20, longest = shortest + 4 * more;
    void resize(size_t entries) {
        if (list_)
            CHECK(cudaFree(list_));
        CHECK(cudaMalloc(&list_, entries * sizeof(unsigned)));
    }
    bool mended_;
    unsigned* list_ = nullptr;
    OnDevice<float> points_ = onDevice<float>(points);
    Stream stream_;
};

/// A simulation of four steps in time, after which 16 MiB of its field are written, here to memory. Bad: the
/// loop takes and writes them; mended, a copy stream and a thread do it. 10 to 25 %.
class Written : public Program {
public:
    explicit Written(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        Slot& slot = slots_[i % 2];
        for (int n = 0; n < 4; ++n) {
            if (n == 1)
                taken_.holdUp(compute_); // this one overwrites what was to be written
            advanceField(from_.get(), to_.get(), values, settings_.get(), 15000, compute_);
            from_.swap(to_);
        }
        if (mended_)
            behind(slot);
        else
            inLoop(slot);
    }

private:
    static constexpr size_t values = 1 << 22;
    struct Slot {
        Pinned<float> host = pinned<float>(values);
        std::vector<float> file = std::vector<float>(values);
        Event there;
        std::future<void> written; // the first to be destroyed, as it uses the others
        void write() { std::memcpy(file.data(), host.get(), values * sizeof(float)); }
    };
    void inLoop(Slot& slot) {
        toHost(slot.host.get(), from_.get(), values, compute_);
        CHECK(cudaStreamSynchronize(compute_));
        slot.write();
    }
    void behind(Slot& slot) {
        if (slot.written.valid())
            slot.written.get();
        made_.record(compute_);
        made_.holdUp(down_);
        toHost(slot.host.get(), from_.get(), values, down_);
        taken_.record(down_);
        slot.there.record(down_);
        slot.written = std::async(std::launch::async, [&slot] {
            slot.there.await();
            slot.write();
        });
    }
    bool mended_;
    OnDevice<float> from_ = onDevice<float>(values), to_ = onDevice<float>(values);
    OnDevice<float> settings_ = onDevice<float>(4096);
    Slot slots_[2];
    Event made_, taken_;
    Stream compute_, down_;
};

/// After each of eight sweeps the host adds up how much the one before changed, 64 KiB: in managed memory,
/// which moves to the host and back; mended, in a copy in pinned memory. 3 to 10 %.
class Changes : public Program {
public:
    explicit Changes(bool mended)
        : mended_(mended) {
        if (mended_)
            return;
        for (Slot& slot : slots_)
            CHECK(cudaMallocManaged(&slot.managed, room));
    }
    ~Changes() override {
        cudaDeviceSynchronize();
        for (const Slot& slot : slots_)
            cudaFree(slot.managed);
    }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            relax(slots_[number % 2]);
            if (number > 0)
                look(slots_[(number + 1) % 2]);
        }
    }

private:
    static constexpr size_t values = 1 << 22, parts = values / threads, room = 2 << 20; // no page is shared
    struct Slot {
        float* managed = nullptr;
        OnDevice<float> device = onDevice<float>(parts);
        Pinned<float> host = pinned<float>(parts);
        Event there;
    };
    void relax(const Slot& slot) {
        sweep(field_.get(), values, 6500, mended_ ? slot.device.get() : slot.managed, stream_);
        if (mended_)
            toHost(slot.host.get(), slot.device.get(), parts, stream_);
        slot.there.record(stream_);
    }
    void look(const Slot& slot) {
        slot.there.await();
        const float* changes = mended_ ? slot.host.get() : slot.managed;
        for (size_t n = 0; n < parts; ++n)
            change_ += changes[n];
    }
    bool mended_;
    float change_ = 0;
    OnDevice<float> field_ = onDevice<float>(values);
    Slot slots_[2];
    Stream stream_;
};

/// Nothing to mend: settings for each step of a field come from a ring of four pinned slots, by a copy
/// stream; the host writes one as soon as it was copied.
class Steered : public Program {
public:
    explicit Steered(bool) {}
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number)
            steer(slots_[number % 4], number);
    }

private:
    static constexpr size_t values = 1 << 22, settings = 4096;
    struct Slot {
        Pinned<float> host = pinned<float>(settings);
        OnDevice<float> device = onDevice<float>(settings);
        Event loaded, free;
    };
    void steer(const Slot& slot, int number) {
        slot.loaded.await();
        std::fill(slot.host.get(), slot.host.get() + settings, 0.1f * float(number % 10));
        slot.free.holdUp(up_);
        toDevice(slot.device.get(), slot.host.get(), settings, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        advanceField(from_.get(), to_.get(), values, slot.device.get(), 12000, compute_);
        slot.free.record(compute_);
        from_.swap(to_);
    }
    OnDevice<float> from_ = onDevice<float>(values), to_ = onDevice<float>(values);
    Slot slots_[4];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> sixthPairs() {
    const std::vector<std::string> memory = {"allocation", "device-barrier", "host-late", "host-sync"};
    const std::vector<std::string> written = {"host-sync", "readback", "host-late", "same-stream"};
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"sums_without_stream", {"null-stream"}, {"null-stream"}, make<Lanes>, false, shared},
        {"list_sized_exactly", memory, memory, make<Neighbours>},
        {"field_written_in_loop", written, written, make<Written>, false, shared},
        {"changes_in_managed", {"unified-memory"}, {"unified-memory"}, make<Changes>},
        {"healthy_steered", {}, {}, make<Steered>, true, shared},
    };
}
