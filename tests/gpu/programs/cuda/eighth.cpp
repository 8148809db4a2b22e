// An eighth set, written by one who had just changed the analysis; see torch8_loops.py.
#include "sixth.h"

namespace {

using namespace third;
using namespace sixth;

constexpr size_t million = 1 << 20;

/// Two lanes of small grids. The host waits for each lane before it issues the next, or once for all. 25 to
/// 50 %.
class Lanes : public Program {
public:
    explicit Lanes(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (Lane& lane : lanes_) {
            smooth(lane.values.get(), million, 3000, lane.stream);
            if (!mended_)
                CHECK(cudaStreamSynchronize(lane.stream));
        }
        for (Lane& lane : lanes_)
            CHECK(cudaStreamSynchronize(lane.stream));
    }

private:
    struct Lane {
        OnDevice<float> values = onDevice<float>(million);
        Stream stream;
    };
    bool mended_;
    Lane lanes_[2];
};

/// Scratch memory of 8 MiB is taken and given back in each step, or kept. 4 to 25 %.
class Scratch : public Program {
public:
    explicit Scratch(bool mended)
        : mended_(mended) {}
    void step(int) override {
        float* scratch = kept_.get();
        if (!mended_)
            CHECK(cudaMalloc(&scratch, 2 * million * sizeof(float)));
        mix(scratch, 2 * million, 8000, stream_);
        mix(values_.get(), million, 16000, stream_);
        if (!mended_)
            CHECK(cudaFree(scratch));
    }

private:
    bool mended_;
    OnDevice<float> kept_ = onDevice<float>(2 * million), values_ = onDevice<float>(million);
    Stream stream_;
};

/// 8 MiB come from a vector, or from pinned memory, before each kernel of the same stream. 10 to 40 %.
class FromVector : public Program {
public:
    explicit FromVector(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        const float* from = mended_ ? pinned_.get() : vector_.data();
        toDevice(device_[i % 2].get(), from, 2 * million, stream_);
        mix(device_[i % 2].get(), 2 * million, 20000, stream_);
    }

private:
    bool mended_;
    std::vector<float> vector_ = std::vector<float>(2 * million);
    Pinned<float> pinned_ = pinned<float>(2 * million);
    OnDevice<float> device_[2] = {onDevice<float>(2 * million), onDevice<float>(2 * million)};
    Stream stream_;
};

/// Eight sweeps; after each the host reads one value, or after the last one only. 3 to 10 %.
class Sweeps : public Program {
public:
    explicit Sweeps(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int n = 0; n < 8; ++n) {
            mix(values_.get(), million, 9000, nullptr);
            if (!mended_ || n == 7)
                CHECK(cudaMemcpy(&seen_, values_.get(), sizeof seen_, cudaMemcpyDeviceToHost));
        }
    }

private:
    bool mended_;
    float seen_ = 0;
    OnDevice<float> values_ = onDevice<float>(million);
};

/// Two parts of a field in streams of their own; their borders are swapped in the NULL stream, or in those.
/// 20 to 50 %.
class Borders : public Program {
public:
    explicit Borders(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int n = 0; n < 4; ++n)
            for (Part& part : parts_) {
                smooth(part.values.get(), million, 2000, part.stream);
                CHECK(cudaMemcpyAsync(part.border.get(), part.values.get(), 4096 * sizeof(float),
                                      cudaMemcpyDeviceToDevice, mended_ ? part.stream : cudaStream_t()));
            }
    }

private:
    struct Part {
        OnDevice<float> values = onDevice<float>(million), border = onDevice<float>(4096);
        Stream stream{cudaStreamDefault};
    };
    bool mended_;
    Part parts_[2];
};

/// 160 columns of a table are copied into another one, one by one or as a rectangle. 5 to 35 %.
class Columns : public Program {
public:
    explicit Columns(bool mended)
        : mended_(mended) {}
    void step(int) override {
        constexpr size_t columns = 160, size = 1024, apart = 2048;
        if (mended_)
            CHECK(cudaMemcpy2DAsync(to_.get(), size * sizeof(float), from_.get(), apart * sizeof(float),
                                    size * sizeof(float), columns, cudaMemcpyDeviceToDevice, stream_));
        else
            for (size_t n = 0; n < columns; ++n)
                CHECK(cudaMemcpyAsync(to_.get() + n * size, from_.get() + n * apart, size * sizeof(float),
                                      cudaMemcpyDeviceToDevice, stream_));
        mix(values_.get(), million, 20000, stream_);
    }

private:
    bool mended_;
    OnDevice<float> from_ = onDevice<float>(160 * 2048), to_ = onDevice<float>(160 * 1024),
                    values_ = onDevice<float>(million);
    Stream stream_;
};

/// 4 MiB come and go around each kernel, all in one stream, or in three with two slots. 10 to 40 %.
class InAndOut : public Program {
public:
    explicit InAndOut(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        Slot& slot = slots_[i % 2];
        const cudaStream_t up = mended_ ? up_ : compute_, down = mended_ ? down_ : compute_;
        slot.left.holdUp(up);
        toDevice(slot.device.get(), slot.in.get(), million, up);
        slot.loaded.record(up);
        slot.loaded.holdUp(compute_);
        mix(slot.device.get(), million, 16000, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down);
        toHost(slot.out.get(), slot.device.get(), million, down);
        slot.left.record(down);
    }

private:
    struct Slot {
        Pinned<float> in = pinned<float>(million), out = pinned<float>(million);
        OnDevice<float> device = onDevice<float>(million);
        Event loaded, made, left;
    };
    bool mended_;
    Slot slots_[2];
    Stream up_, compute_, down_;
};

/// Nothing to mend: two chains that need each other once a step, as a graph.
class Tied : public Program {
public:
    explicit Tied(bool) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(first_, cudaStreamCaptureModeThreadLocal));
        begun_.record(first_);
        begun_.holdUp(second_);
        for (int n = 0; n < 5; ++n) {
            smooth(values_[0].get(), million, 1500, first_);
            smooth(values_[1].get(), million, 1500, second_);
        }
        ended_.record(second_);
        ended_.holdUp(first_);
        mix(values_[0].get(), million, 4000, first_);
        CHECK(cudaStreamEndCapture(first_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    ~Tied() override {
        cudaStreamSynchronize(first_);
        cudaGraphExecDestroy(graph_);
    }
    void step(int) override { CHECK(cudaGraphLaunch(graph_, first_)); }

private:
    OnDevice<float> values_[2] = {onDevice<float>(million), onDevice<float>(million)};
    Event begun_, ended_;
    Stream first_, second_;
    cudaGraphExec_t graph_ = nullptr;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> eighthPairs() {
    const std::vector<std::string> waits = {"host-sync"}, reads = {"readback", "host-sync"},
                                   shared = {"stretched"};
    const std::vector<std::string> memory = {"allocation", "device-barrier"},
                                   small = {"small-copies", "launch-bound"};
    return {
        {"lanes_waited_for", waits, waits, make<Lanes>, false, {"stretched", "host-sync"}},
        {"scratch_in_each_step", memory, memory, make<Scratch>},
        {"batches_from_vector", {"pageable"}, {"pageable"}, make<FromVector>, false, {"same-stream"}},
        {"sweeps_read_by_host", reads, reads, make<Sweeps>, false, {"readback", "host-sync"}},
        {"borders_without_stream", {"null-stream"}, {"null-stream"}, make<Borders>, false, shared},
        {"columns_one_by_one", small, small, make<Columns>},
        {"parts_in_and_out", {"same-stream"}, {"same-stream"}, make<InAndOut>, false, shared},
        {"healthy_tied", {}, {}, make<Tied>, true, shared},
    };
}
