// The ninth set, continued from ninth.cpp, and like that written without reading the analysis.
#include "ninth.h"

namespace {

using namespace third;
using ninth::million;
using sixth::smooth;
using sixth::toDevice;
using sixth::toHost;

/// What was captured from a stream, to be launched again and again.
class Graph {
public:
    Graph() = default;
    ~Graph() { destroy(); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    template <class F>
    void build(cudaStream_t stream, const F& issue) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        issue();
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&exec_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    void launch(cudaStream_t stream) const { CHECK(cudaGraphLaunch(exec_, stream)); }
    void destroy() {
        if (exec_)
            cudaGraphExecDestroy(exec_);
        exec_ = nullptr;
    }

private:
    cudaGraphExec_t exec_ = nullptr;
};

/// Two lanes of small grids, each in a blocking stream, and events that tell how long each grid took. They
/// are recorded without a stream, and so in the NULL stream; mended, in that of the lane. 30 to 50 %.
class Timed : public Program {
public:
    explicit Timed(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int n = 0; n < grids; ++n)
            for (Lane& lane : lanes_) {
                const cudaStream_t timing = mended_ ? cudaStream_t(lane.stream) : cudaStream_t(nullptr);
                lane.begun[i % 2][n].record(timing);
                smooth(lane.values.get(), million, 2000, lane.stream);
                lane.ended[i % 2][n].record(timing);
            }
        for (int n = 0; i > 0 && n < grids; ++n)
            for (const Lane& lane : lanes_) {
                const Clock& ended = lane.ended[1 - i % 2][n];
                ended.await();
                milliseconds_ += ended.since(lane.begun[1 - i % 2][n]);
            }
    }

private:
    static constexpr int grids = 12;
    struct Lane {
        OnDevice<float> values = onDevice<float>(million);
        Clock begun[2][grids], ended[2][grids];
        Stream stream{cudaStreamDefault};
    };
    bool mended_;
    float milliseconds_ = 0;
    Lane lanes_[2];
};

/// A graph of four steps of a field, each of which a host node looks at for 150 us: before the next step, or
/// beside it. 8 to 18 %.
class LookedAt : public Program {
public:
    explicit LookedAt(bool mended)
        : mended_(mended) {
        graph_.build(stream_, [this] {
            for (int n = 0; n < 4; ++n)
                advance(fields_[n % 2].get(), fields_[1 - n % 2].get());
        });
    }
    ~LookedAt() override { cudaStreamSynchronize(stream_); }
    void step(int) override { graph_.launch(stream_); }

private:
    static constexpr size_t seen = 16384;
    void advance(const float* from, float* to) {
        if (mended_) {
            forked_.record(stream_);
            forked_.holdUp(side_);
            look(from, side_);
            joined_.record(side_);
        }
        sixth::advanceField(from, to, 4 * million, settings_.get(), 8000, stream_);
        if (mended_)
            joined_.holdUp(stream_);
        else
            look(to, stream_);
    }
    void look(const float* field, cudaStream_t stream) {
        toHost(host_.get(), field, seen, stream);
        CHECK(cudaLaunchHostFunc(stream, add, this));
    }
    static void add(void* self) {
        LookedAt& program = *static_cast<LookedAt*>(self);
        for (size_t n = 0; n < seen; ++n)
            program.sum_ += program.host_[n];
        workOnHost(150);
    }
    bool mended_;
    float sum_ = 0;
    OnDevice<float> fields_[2] = {onDevice<float>(4 * million), onDevice<float>(4 * million)},
                    settings_ = onDevice<float>(4096);
    Pinned<float> host_ = pinned<float>(seen);
    Event forked_, joined_;
    Stream stream_, side_;
    Graph graph_;
};

/// Three channels that need nothing of each other, of nine stages each that are short in one while they are
/// long in another. After each stage all wait for all; mended, none waits. 15 to 30 %.
class Channels : public Program {
public:
    explicit Channels(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int stage = 0; stage < 9; ++stage) {
            for (int c = 0; c < 3; ++c) {
                smooth(channels_[c].values.get(), million, 800 * (2 + (stage + c) % 3), channels_[c].stream);
                channels_[c].done.record(channels_[c].stream);
            }
            for (int n = 0; !mended_ && n < 9; ++n)
                if (n % 3 != n / 3)
                    channels_[n / 3].done.holdUp(channels_[n % 3].stream);
        }
    }

private:
    struct Channel {
        OnDevice<float> values = onDevice<float>(million);
        Event done;
        Stream stream;
    };
    bool mended_;
    Channel channels_[3];
};

/// The host writes the rim of a field in each step, 4 MiB of managed memory that moves there and back;
/// mended, of pinned memory, which a stream of its own copies a step ahead. Two slots. 8 to 35 %.
class Rim : public Program {
public:
    explicit Rim(bool mended)
        : mended_(mended) {
        for (Slot& slot : slots_)
            slot.rim = mended_ ? onDevice<float>(million) : managed();
    }
    ~Rim() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        slot.free.await();
        float* const written = mended_ ? slot.host.get() : slot.rim.get();
        std::fill(written, written + million, 0.1f * float(i % 10));
        if (mended_)
            toDevice(slot.rim.get(), slot.host.get(), million, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        for (int n = 0; n < 2; ++n) {
            ninth::flow(from_.get(), to_.get(), 4 * million, slot.rim.get(), million, 11000, compute_);
            from_.swap(to_);
        }
        slot.free.record(compute_);
    }

private:
    struct Slot {
        OnDevice<float> rim;
        Pinned<float> host = pinned<float>(million);
        Event loaded, free;
    };
    static OnDevice<float> managed() {
        float* memory = nullptr;
        CHECK(cudaMallocManaged(&memory, million * sizeof(float)));
        return OnDevice<float>(memory);
    }
    bool mended_;
    OnDevice<float> from_ = onDevice<float>(4 * million), to_ = onDevice<float>(4 * million);
    Slot slots_[2];
    Stream up_, compute_;
};

/// 100 sweeps over a square are a graph, and the host waits for its end. It is captured and made again in
/// each step, or once. 5 to 20 %.
class Rebuilt : public Program {
public:
    explicit Rebuilt(bool mended)
        : mended_(mended) {
        if (mended_)
            build();
    }
    ~Rebuilt() override { cudaStreamSynchronize(stream_); }
    void step(int) override {
        if (!mended_)
            build();
        graph_.launch(stream_);
        CHECK(cudaStreamSynchronize(stream_));
        if (!mended_)
            graph_.destroy();
    }

private:
    static constexpr int side = 4096;
    void build() {
        graph_.build(stream_, [this] {
            for (int n = 0; n < 100; ++n)
                relax(squares_[n % 2].get(), squares_[1 - n % 2].get(), side, stream_);
        });
    }
    bool mended_;
    OnDevice<float> squares_[2] = {onDevice<float>(side * side), onDevice<float>(side* side)};
    Stream stream_;
    Graph graph_;
};

/// A series of six terms a step; two of them are of an order that was never used before, or all 48 were used
/// before the loop. 3 to 15 %.
class Orders : public Program {
public:
    explicit Orders(bool mended) {
        for (int n = 0; n < (mended ? ninth::orders : 1); ++n)
            ninth::series(n, values_.get(), 1, 1, stream_);
        CHECK(cudaDeviceSynchronize());
    }
    void step(int i) override {
        for (int n = 0; n < 6; ++n)
            ninth::series(n < 4 ? 0 : i * 2 + n - 4, values_.get(), 2 * million, 6000, stream_);
    }

private:
    OnDevice<float> values_ = onDevice<float>(2 * million);
    Stream stream_;
};

/// Nothing to mend: two moves of 65536 bodies are a graph; where one was a step ago is looked at.
class Bodies : public Program {
public:
    explicit Bodies(bool) {
        graph_.build(stream_, [this] {
            for (int n = 0; n < 2; ++n) {
                attract(bodies_.get(), speeds_.get(), count, stream_);
                advance(bodies_.get(), speeds_.get(), count, stream_);
            }
        });
    }
    ~Bodies() override { cudaStreamSynchronize(stream_); }
    void step(int i) override {
        graph_.launch(stream_);
        toHost(host_.get() + i % 2, bodies_.get(), 1, stream_);
        there_[i % 2].record(stream_);
        there_[1 - i % 2].await();
        seen_ += host_[1 - i % 2].x;
    }

private:
    static constexpr int count = 65536;
    float seen_ = 0;
    OnDevice<float4> bodies_ = onDevice<float4>(count), speeds_ = onDevice<float4>(count);
    Pinned<float4> host_ = pinned<float4>(2);
    Event there_[2];
    Stream stream_;
    Graph graph_;
};

/// Nothing to mend: how often paths of chance pay how much; the counts of the batch before are looked at.
class Counted : public Program {
public:
    explicit Counted(bool) {}
    void step(int i) override {
        for (int number = i * 2; number < (i + 1) * 2; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            CHECK(cudaMemsetAsync(slot.counts.get(), 0, ninth::bins * sizeof(unsigned), stream_));
            ninth::payInto(slot.counts.get(), 2 * million, unsigned(number), 700, stream_);
            toHost(slot.host.get(), slot.counts.get(), ninth::bins, stream_);
            slot.there.record(stream_);
            before.there.await();
            paid_ += before.host[1];
        }
    }

private:
    struct Slot {
        OnDevice<unsigned> counts = onDevice<unsigned>(ninth::bins);
        Pinned<unsigned> host = pinned<unsigned>(ninth::bins);
        Event there;
    };
    unsigned paid_ = 0;
    Slot slots_[2];
    Stream stream_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> ninthMorePairs() {
    const std::vector<std::string> shared = {"stretched"}, late = {"host-late", "launch-bound", "host-sync"};
    return {
        {"timed_without_stream", {"null-stream"}, {"null-stream"}, make<Timed>, false, shared},
        {"host_nodes_between_steps", {"callback"}, {"callback"}, make<LookedAt>, false, shared},
        {"channels_wait_for_all", {"event-order"}, {"event-order"}, make<Channels>, false, shared},
        {"rim_in_managed", {"unified-memory"}, {"unified-memory"}, make<Rim>, false, shared},
        {"graph_made_each_step", late, late, make<Rebuilt>, false, {"host-sync"}},
        {"orders_first_used_in_loop", {"first-launch"}, {"first-launch"}, make<Orders>, false, {}, true},
        {"healthy_bodies_graph", {}, {}, make<Bodies>, true},
        {"healthy_counts", {}, {}, make<Counted>, true},
    };
}
