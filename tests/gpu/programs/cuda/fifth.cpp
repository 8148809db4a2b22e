// A fifth set of mistakes, to test on what the analysis was not made with; of the analysis only the manual
// was read before. Costs in the comments are estimates for an H100 or H200, not measured. Here: streams and
// order.
#include "fifth.h"

#include <cstring>
#include <future>

namespace {

using namespace third;
using namespace fifth;

/// The edge of a volume goes to the host, and a neighbour's comes, while the inner part is computed. Bad: the
/// compute stream waits for the neighbour's edge before the inner part, which does not need it; mended, after
/// it. 15 to 30 %.
class Halo : public Program {
public:
    explicit Halo(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int n = 0; n < 4; ++n)
            move();
    }

private:
    static constexpr int edge = 8, planes = 128, rounds = 1000; // the neighbour's edge, the own one, the rest
    static constexpr size_t values = size_t(edge) * plane;
    void move() {
        inner_.holdUp(edge_);
        react(from_.get(), to_.get(), edge, 2 * edge, rounds, edge_);
        toHost(out_.get(), to_.get() + values, values, edge_);
        toDevice(to_.get(), in_.get(), values, edge_);
        arrived_.record(edge_);
        if (!mended_)
            arrived_.holdUp(compute_);
        react(from_.get(), to_.get(), 2 * edge, planes, rounds, compute_);
        if (mended_)
            arrived_.holdUp(compute_);
        inner_.record(compute_);
        from_.swap(to_);
    }
    bool mended_;
    OnDevice<float> from_ = onDevice<float>(size_t(planes) * plane);
    OnDevice<float> to_ = onDevice<float>(size_t(planes) * plane);
    Pinned<float> out_ = pinned<float>(values), in_ = pinned<float>(values);
    Event arrived_, inner_;
    Stream edge_, compute_;
};

/// The sum of the head of each result is made by one block, between two long kernels, or beside the second
/// one. 8 to 20 %.
class Summary : public Program {
public:
    explicit Summary(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number)
            part(slots_[number % 2]);
    }

private:
    static constexpr size_t values = 1 << 20;
    static constexpr int head = 1 << 17;
    struct Slot {
        OnDevice<float4> result = onDevice<float4>(values);
        OnDevice<float> sum = onDevice<float>(1);
        Event made, summed;
    };
    void part(const Slot& slot) {
        const cudaStream_t summing = mended_ ? beside_ : compute_;
        slot.summed.holdUp(compute_);
        mix(reinterpret_cast<float*>(slot.result.get()), 4 * values, 5000, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(summing);
        energy(slot.result.get(), head, slot.sum.get(), summing);
        slot.summed.record(summing);
    }
    bool mended_;
    Slot slots_[2];
    Stream compute_, beside_;
};

/// A host function of the stream writes the next 4 MiB to pinned memory: in the stream of the kernels, or in
/// that of the copies. 15 to 35 %.
class Filled : public Program {
public:
    explicit Filled(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number)
            part(slots_[number % 2]);
    }

private:
    static constexpr size_t values = 1 << 20;
    struct Slot {
        std::vector<float> source = std::vector<float>(values, 1.0f);
        Pinned<float> staging = pinned<float>(values);
        OnDevice<float> device = onDevice<float>(values);
        Event loaded, free;
    };
    static void fill(void* slot) {
        const Slot& filled = *static_cast<Slot*>(slot);
        std::memcpy(filled.staging.get(), filled.source.data(), values * sizeof(float));
    }
    void part(Slot& slot) {
        const cudaStream_t loading = mended_ ? up_ : compute_;
        slot.free.holdUp(loading);
        CHECK(cudaLaunchHostFunc(loading, fill, &slot));
        toDevice(slot.device.get(), slot.staging.get(), values, loading);
        slot.loaded.record(loading);
        slot.loaded.holdUp(compute_);
        mix(slot.device.get(), values, 40000, compute_);
        slot.free.record(compute_);
    }
    bool mended_;
    Slot slots_[2];
    Stream up_, compute_;
};

/// Results of 32 MiB leave in a stream of their own, and a flag with them that the host needs before it may
/// issue more: behind the results, or in front of them. 20 to 40 %.
class Flag : public Program {
public:
    explicit Flag(bool mended)
        : mended_(mended) {}
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
        slot.made.record(compute_);
        slot.made.holdUp(down_);
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
    bool mended_;
    Pinned<float> flag_ = pinned<float>(1);
    Slot slots_[2];
    Event came_;
    Stream compute_, down_;
};

/// A task has input, a kernel and a result; four are under way. Each has a stream and an event that are made
/// for it and destroyed after it; mended, they are kept. 5 to 25 %.
class Tasks : public Program {
public:
    explicit Tasks(bool mended)
        : mended_(mended) {
        std::fill(by_.of, by_.of + fourth::weights, 0.999f);
    }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number)
            task(slots_[number % 4]);
    }

private:
    static constexpr size_t values = 1 << 20, input = 1 << 16;
    struct Queue {
        Stream stream;
        Event done;
    };
    struct Slot {
        OnDevice<float> device = onDevice<float>(values);
        Pinned<float> in = pinned<float>(input), out = pinned<float>(input);
        std::unique_ptr<Queue> queue = std::make_unique<Queue>();
    };
    void task(Slot& slot) {
        slot.queue->done.await();
        seen_ += slot.out[0];
        if (!mended_) {
            slot.queue.reset();
            slot.queue = std::make_unique<Queue>();
        }
        const Stream& stream = slot.queue->stream;
        toDevice(slot.device.get(), slot.in.get(), input, stream);
        fourth::filter(slot.device.get(), values, by_, 50, stream);
        toHost(slot.out.get(), slot.device.get(), input, stream);
        slot.queue->done.record(stream);
    }
    bool mended_;
    float seen_ = 0;
    fourth::Weights by_;
    Slot slots_[4];
};

/// Nothing to mend: threads write three pinned slots ahead, copies have a stream of their own.
class Ring : public Program {
public:
    explicit Ring(bool) {
        fill(slots_[0]);
        fill(slots_[1]);
    }
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number) {
            part(slots_[number % 3]);
            fill(slots_[(number + 2) % 3]);
        }
    }

private:
    static constexpr size_t values = 1 << 20;
    struct Slot {
        std::vector<float> source = std::vector<float>(values, 1.0f);
        Pinned<float> staging = pinned<float>(values);
        OnDevice<float> device = onDevice<float>(values);
        Event loaded, free;
        std::future<void> filled; // the first to be destroyed, as it uses the others
    };
    static void fill(Slot& slot) {
        slot.filled = std::async(std::launch::async, [&slot] {
            slot.loaded.await();
            std::memcpy(slot.staging.get(), slot.source.data(), values * sizeof(float));
        });
    }
    void part(Slot& slot) {
        slot.filled.get();
        slot.free.holdUp(up_);
        toDevice(slot.device.get(), slot.staging.get(), values, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        mix(slot.device.get(), values, 40000, compute_);
        slot.free.record(compute_);
    }
    Slot slots_[3];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fifthPairs() {
    const std::vector<std::string> order = {"event-order", "same-stream"};
    const std::vector<std::string> alone = {"same-stream", "too-few-streams"};
    const std::vector<std::string> function = {"callback", "same-stream"};
    const std::vector<std::string> behind = {"head-of-line", "same-stream", "readback", "host-sync"};
    const std::vector<std::string> made = {"host-late", "host-sync", "launch-bound", "allocation",
                                           "device-barrier"};
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"halo_waited_for_first", order, {"event-order"}, make<Halo>, false, shared},
        {"summary_in_line", alone, alone, make<Summary>, false, shared},
        {"filled_by_host_function", function, function, make<Filled>, false, shared},
        {"flag_behind_results", behind, behind, make<Flag>, false, {"readback", "host-sync", "stretched"}},
        {"streams_made_each_task", made, made, make<Tasks>, false, {"host-sync", "host-late", "stretched"}},
        {"healthy_ring", {}, {}, make<Ring>, true, shared},
    };
}
