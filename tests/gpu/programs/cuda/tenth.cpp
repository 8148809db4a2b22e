// A tenth set of mistakes. Written without reading the analysis: of it only the list of causes in the manual
// was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy comes in
// cuda_tenth_healthy.cpp.
#include "tenth.h"

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using tenth::million;

/// Three pictures of 16 MiB a step. The host looks at a value of each page of a picture while the next one is
/// made: in managed memory, which moves to the host and back; mended, in pinned memory, where a side stream
/// brings it. Two slots. 35 to 70 %.
class Looked : public Program {
public:
    explicit Looked(bool mended)
        : mended_(mended) {
        for (Slot& slot : slots_)
            slot.device = mended_ ? onDevice<float>(pixels) : managed();
    }
    ~Looked() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number) {
            make(slots_[number % 2], number);
            if (number > 0)
                look(slots_[1 - number % 2]);
        }
    }

private:
    static constexpr int side = 2048;
    static constexpr size_t pixels = size_t(side) * side, page = 1024;
    struct Slot {
        OnDevice<float> device;
        Pinned<float> host = pinned<float>(pixels);
        Event made, there;
    };
    static OnDevice<float> managed() {
        float* memory = nullptr;
        CHECK(cudaMallocManaged(&memory, pixels * sizeof(float)));
        return OnDevice<float>(memory);
    }
    void make(const Slot& slot, int number) {
        slot.there.holdUp(compute_);
        tenth::orbits(slot.device.get(), side, -0.7f, 0.01f * float(number % 30), 1600, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(side_);
        if (mended_)
            toHost(slot.host.get(), slot.device.get(), pixels, side_);
        slot.there.record(side_);
    }
    void look(const Slot& slot) {
        slot.there.await();
        const float* const seen = mended_ ? slot.host.get() : slot.device.get();
        for (size_t n = 0; n < pixels; n += page)
            sum_ += seen[n];
    }
    bool mended_;
    float sum_ = 0;
    Slot slots_[2];
    Stream compute_, side_;
};

/// Two pieces of a long record a step go through a filter of 16384 taps, and into an archive, 4 MiB each. The
/// part of the archive that a piece goes to is pinned for it and let go when the piece is there; mended, all
/// of the archive was pinned before, pieces leave beside the next one. 12 to 35 %.
class Archive : public Program {
public:
    explicit Archive(bool mended)
        : mended_(mended) {
        if (mended_)
            pin(kept_.data(), kept_.size());
    }
    ~Archive() override {
        cudaDeviceSynchronize();
        if (mended_)
            cudaHostUnregister(kept_.data());
    }
    void step(int i) override {
        for (int number = i * 2; number < (i + 1) * 2; ++number) {
            float* const place = kept_.data() + size_t(number) % pieces * count;
            if (mended_)
                beside(slots_[number % 2], number, place);
            else
                inLine(slots_[0], number, place);
        }
    }

private:
    static constexpr int taps = 16384;
    static constexpr size_t count = million, pieces = 16;
    struct Slot {
        OnDevice<float> result = onDevice<float>(count);
        Event made, left;
    };
    static void pin(float* memory, size_t values) {
        CHECK(cudaHostRegister(memory, values * sizeof(float), cudaHostRegisterDefault));
    }
    void filter(const Slot& slot, int number) {
        const float* const from = record_.get() + size_t(number) % 8 * 4096;
        tenth::correlate(from, filter_.get(), taps, slot.result.get(), count, compute_);
    }
    void inLine(const Slot& slot, int number, float* place) {
        pin(place, count);
        filter(slot, number);
        toHost(place, slot.result.get(), count, compute_);
        CHECK(cudaStreamSynchronize(compute_));
        CHECK(cudaHostUnregister(place));
    }
    void beside(const Slot& slot, int number, float* place) {
        slot.left.holdUp(compute_);
        filter(slot, number);
        slot.made.record(compute_);
        slot.made.holdUp(side_);
        toHost(place, slot.result.get(), count, side_);
        slot.left.record(side_);
    }
    bool mended_;
    std::vector<float> kept_ = std::vector<float>(count * pieces);
    OnDevice<float> record_ = onDevice<float>(count + taps + 8 * 4096), filter_ = onDevice<float>(taps);
    Slot slots_[2];
    Stream compute_, side_;
};

/// A wave in a box, 16 moves a step. After every second one a callback of the stream tells a thread that
/// shows it: between two moves, or beside the next one. 4 to 12 %.
class Shown : public Program {
public:
    explicit Shown(bool mended)
        : mended_(mended) {}
    ~Shown() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int n = 0; n < 16; ++n) {
            tenth::wave(fields_[n % 2].get(), fields_[1 - n % 2].get(), box, stream_);
            if (n % 2)
                tell();
        }
    }

private:
    static constexpr tenth::Box box{512, 512, 256};
    void tell() {
        if (mended_) {
            moved_.record(stream_);
            moved_.holdUp(side_);
        }
        CHECK(cudaStreamAddCallback(mended_ ? side_ : stream_, told, this, 0));
    }
    static void CUDART_CB told(cudaStream_t, cudaError_t, void* self) {
        ++static_cast<Shown*>(self)->told_;
        workOnHost(25);
    }
    bool mended_;
    int told_ = 0;
    OnDevice<float> fields_[2] = {onDevice<float>(box.count()), onDevice<float>(box.count())};
    Event moved_;
    Stream stream_, side_;
};

/// Two lanes of populations, each in a blocking stream, 15 grids a lane and a step; a grid is long in one
/// lane while it is short in the other. After every fifth one a count of the device is fetched by
/// cudaMemcpyFromSymbolAsync without a stream, and so in the NULL stream; mended, in that of the first lane.
/// 4 to 10 %.
class Called : public Program {
public:
    explicit Called(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 15; number < (i + 1) * 15; ++number) {
            for (int lane = 0; lane < 2; ++lane)
                tenth::grow(lanes_[lane].values.get(), 64, (number + lane) % 2 ? 120000 : 60000,
                            lanes_[lane].stream);
            if (number % 5 == 4)
                tenth::readCalls(calls_.get(), mended_ ? cudaStream_t(lanes_[0].stream) : nullptr);
        }
    }

private:
    struct Lane {
        OnDevice<float> values = onDevice<float>(64 * tenth::threads);
        Stream stream{cudaStreamDefault};
    };
    bool mended_;
    Pinned<unsigned> calls_ = pinned<unsigned>(1);
    Lane lanes_[2];
};

/// 160 half sweeps over a square are a graph. The host reads how much is left to do, and says how far each
/// sweep of the next step may go: a number in the nodes of the graph, which is made again for it; mended, a
/// number of the device that the graph fetches first. 6 to 20 %.
class Swept : public Program {
public:
    explicit Swept(bool mended)
        : mended_(mended) {
        *reach_.get() = 1.2f;
        if (mended_)
            build({0, known_.get()});
    }
    ~Swept() override {
        cudaStreamSynchronize(stream_);
        if (mended_)
            cudaGraphExecDestroy(graph_);
    }
    void step(int) override {
        if (!mended_)
            build({*reach_.get()});
        CHECK(cudaGraphLaunch(graph_, stream_));
        CHECK(cudaStreamSynchronize(stream_));
        if (!mended_)
            CHECK(cudaGraphExecDestroy(graph_));
        *reach_.get() = *left_.get() > 100 ? 1.4f : 1.2f;
    }

private:
    static constexpr int side = 4096;
    void build(const tenth::Reach& reach) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        if (reach.known)
            toDevice(known_.get(), reach_.get(), 1, stream_);
        for (int n = 0; n < 160; ++n)
            tenth::relaxColour(field_.get(), side, n % 2, reach, stream_);
        CHECK(cudaMemsetAsync(sum_.get(), 0, sizeof(float), stream_));
        tenth::leftover(field_.get(), side, sum_.get(), stream_);
        toHost(left_.get(), sum_.get(), 1, stream_);
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    bool mended_;
    cudaGraphExec_t graph_ = nullptr;
    OnDevice<float> field_ = onDevice<float>(size_t(side) * side), known_ = onDevice<float>(1),
                    sum_ = onDevice<float>(1);
    Pinned<float> reach_ = pinned<float>(1), left_ = pinned<float>(1);
    Stream stream_;
};

/// Four lanes of populations, 32 islands a step. Each begins in a scratch memory, from which it meets its
/// lane. All lanes have one scratch, and events that keep them apart; mended, one each. 35 to 60 %.
class Islands : public Program {
public:
    explicit Islands(bool mended)
        : mended_(mended) {}
    ~Islands() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * islands; number < (i + 1) * islands; ++number) {
            const Lane& lane = lanes_[number % 4];
            float* const scratch = mended_ ? lane.scratch.get() : lanes_[0].scratch.get();
            if (!mended_)
                free_.holdUp(lane.stream);
            tenth::grow(scratch, blocks, 80000, lane.stream);
            tenth::meet(scratch, lane.values.get(), blocks, lane.stream);
            if (!mended_)
                free_.record(lane.stream);
            tenth::grow(lane.values.get(), blocks, 80000, lane.stream);
        }
    }

private:
    static constexpr int islands = 32, blocks = 32;
    static constexpr size_t count = size_t(blocks) * tenth::threads;
    struct Lane {
        OnDevice<float> scratch = onDevice<float>(count), values = onDevice<float>(count);
        Stream stream;
    };
    bool mended_;
    Event free_;
    Lane lanes_[4];
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> tenthPairs() {
    const std::vector<std::string> shared = {"stretched"}, needed = {"host-sync", "readback"};
    const std::vector<std::string> pinning = {"allocation", "device-barrier", "host-late", "host-sync"};
    const std::vector<std::string> late = {"host-late", "launch-bound", "host-sync"};
    return {
        {"pages_looked_at_in_managed", {"unified-memory"}, {"unified-memory"}, make<Looked>, false, shared},
        {"archive_pinned_by_pieces", pinning, pinning, make<Archive>, false, shared},
        {"callback_between_moves", {"callback"}, {"callback"}, make<Shown>, false, shared},
        {"calls_read_without_stream", {"null-stream"}, {"null-stream"}, make<Called>, false, shared},
        {"reach_in_nodes_of_graph", late, late, make<Swept>, false, needed},
        {"islands_share_scratch", {"event-order"}, {"event-order"}, make<Islands>, false, shared},
    };
}
