// A ninth set of mistakes, continued in cuda_ninth_more.cpp. Written without reading the analysis: of it only
// the list of causes in the manual was known. Costs in the comments are estimates for an H100 or H200, not
// measured.
#include "ninth.h"

namespace {

using namespace third;
using ninth::million;
using sixth::toDevice;
using sixth::toHost;

/// A linear system of 160^3 equations by conjugate gradients, 16 rounds a step. The two numbers of each round
/// are quotients that the host finds from what it reads; mended, the kernels find them. 4 to 12 %.
class Solver : public Program {
public:
    explicit Solver(bool mended)
        : mended_(mended) {
        ninth::fillMatrix(side, columns_.get(), values_.get(), goal_.get());
    }
    void step(int) override { solve(); }

protected:
    void solve() {
        ninth::begin(goal_.get(), x_.get(), left_.get(), direction_.get(), rows, sums_.get(), stream_);
        ninth::addProduct(left_.get(), left_.get(), rows, sums_.get(), stream_);
        before_ = mended_ ? 0 : read(0);
        for (int n = 0; n < 16; ++n)
            round(n % 2, 1 - n % 2);
    }
    Stream stream_;

private:
    static constexpr int side = 160, rows = side * side * side, cross = 2;
    void round(int now, int next) {
        float* const sums = sums_.get();
        ninth::multiply(matrix_, direction_.get(), product_.get(), sums + cross, sums + next, stream_);
        ninth::addProduct(direction_.get(), product_.get(), rows, sums + cross, stream_);
        const ninth::Ratio length =
            mended_ ? ninth::Ratio{0, sums + now, sums + cross} : ninth::Ratio{before_ / read(cross)};
        ninth::advance(x_.get(), left_.get(), direction_.get(), product_.get(), rows, length, stream_);
        ninth::addProduct(left_.get(), left_.get(), rows, sums + next, stream_);
        ninth::turn(direction_.get(), left_.get(), rows,
                    mended_ ? ninth::Ratio{0, sums + next, sums + now} : after(next), stream_);
    }
    ninth::Ratio after(int next) {
        const float before = before_;
        before_ = read(next);
        return {before_ / before};
    }
    float read(int sum) const {
        float value = 0;
        toHost(&value, sums_.get() + sum, 1, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        return value;
    }
    bool mended_;
    float before_ = 0;
    OnDevice<int> columns_ = onDevice<int>(size_t(ninth::entries) * rows);
    OnDevice<float> values_ = onDevice<float>(size_t(ninth::entries) * rows), goal_ = onDevice<float>(rows),
                    x_ = onDevice<float>(rows), left_ = onDevice<float>(rows),
                    direction_ = onDevice<float>(rows), product_ = onDevice<float>(rows),
                    sums_ = onDevice<float>(3);
    ninth::Matrix matrix_{rows, columns_.get(), values_.get()};
};

/// Nothing to mend: the same as a graph.
class SolverGraph : public Solver {
public:
    explicit SolverGraph(bool)
        : Solver(true) {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        solve();
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    ~SolverGraph() override {
        cudaStreamSynchronize(stream_);
        cudaGraphExecDestroy(graph_);
    }
    void step(int) override { CHECK(cudaGraphLaunch(graph_, stream_)); }

private:
    cudaGraphExec_t graph_ = nullptr;
};

constexpr int width = 3840, height = 2160;

/// A 4K picture is made soft along its rows, its columns and its rows again, by way of two pitched pictures
/// that are allocated for each one of three, or once. 10 to 40 %.
class Softened : public Program {
public:
    explicit Softened(bool mended)
        : mended_(mended) {
        if (mended_)
            allocate();
    }
    ~Softened() override {
        cudaStreamSynchronize(stream_);
        if (mended_)
            free();
    }
    void step(int) override {
        for (int n = 0; n < 3; ++n) {
            if (!mended_)
                allocate();
            ninth::soften(from_, rows_, width, height, false, 128, stream_);
            ninth::soften(rows_, columns_, width, height, true, 128, stream_);
            ninth::soften(columns_, to_, width, height, false, 32, stream_);
            if (!mended_)
                free();
        }
    }

private:
    void allocate() {
        for (ninth::Picture* picture : {&rows_, &columns_}) {
            size_t bytes = 0;
            CHECK(cudaMallocPitch(&picture->pixels, &bytes, width * sizeof(float), height));
            picture->pitch = bytes / sizeof(float);
        }
    }
    void free() {
        CHECK(cudaFree(rows_.pixels));
        CHECK(cudaFree(columns_.pixels));
    }
    bool mended_;
    OnDevice<float> in_ = onDevice<float>(width * height), out_ = onDevice<float>(width * height);
    ninth::Picture from_{in_.get(), width}, to_{out_.get(), width}, rows_{}, columns_{};
    Stream stream_;
};

/// 2^21 paths of chance are followed twice a step, and what each one pays, 8 MiB, is looked at by the host:
/// in a vector, as soon as it is there; mended, in pinned memory, two slots, beside the next ones. 25 to 45
/// %.
class Paths : public Program {
public:
    explicit Paths(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 2; number < (i + 1) * 2; ++number) {
            Slot& slot = slots_[number % 2];
            if (mended_)
                beside(slot, number);
            else
                inLine(slot, number);
        }
    }

private:
    static constexpr int paths = 2 * million, moments = 600;
    struct Slot {
        OnDevice<float> device = onDevice<float>(paths);
        Pinned<float> host = pinned<float>(paths);
        Event made, left;
    };
    void inLine(Slot& slot, int number) {
        ninth::pay(slot.device.get(), paths, unsigned(number), moments, compute_);
        toHost(vector_.data(), slot.device.get(), paths, compute_);
        CHECK(cudaStreamSynchronize(compute_));
        paid_ += vector_[0];
    }
    void beside(Slot& slot, int number) {
        slot.left.await();
        paid_ += slot.host[0];
        ninth::pay(slot.device.get(), paths, unsigned(number), moments, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.host.get(), slot.device.get(), paths, down_);
        slot.left.record(down_);
    }
    bool mended_;
    float paid_ = 0;
    std::vector<float> vector_ = std::vector<float>(paths);
    Slot slots_[2];
    Stream compute_, down_;
};

/// A product of matrices, one of which is too large for the device: 2048 of its rows come, 16 MiB, and as
/// many of the result leave, four times a step; all in one stream, or in three with three slots. 25 to 50 %.
class Panels : public Program {
public:
    explicit Panels(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number)
            multiply(slots_[number % 3]);
    }

private:
    static constexpr int size = 2048;
    static constexpr size_t count = size_t(size) * size;
    struct Slot {
        Pinned<float> in = pinned<float>(count), out = pinned<float>(count);
        OnDevice<float> from = onDevice<float>(count), to = onDevice<float>(count);
        Event loaded, made, left;
    };
    void multiply(const Slot& slot) {
        const cudaStream_t up = mended_ ? up_ : compute_, down = mended_ ? down_ : compute_;
        slot.made.holdUp(up);
        toDevice(slot.from.get(), slot.in.get(), count, up);
        slot.loaded.record(up);
        slot.loaded.holdUp(compute_);
        slot.left.holdUp(compute_);
        ninth::product(slot.from.get(), factor_.get(), slot.to.get(), size, size, size, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down);
        toHost(slot.out.get(), slot.to.get(), count, down);
        slot.left.record(down);
    }
    bool mended_;
    OnDevice<float> factor_ = onDevice<float>(count);
    Slot slots_[3];
    Stream up_, compute_, down_;
};

/// Nothing to mend: frames come, are made soft and leave, in a stream for each of the three.
class Frames : public Program {
public:
    explicit Frames(bool) {}
    void step(int i) override {
        for (int number = i * 3; number < (i + 1) * 3; ++number)
            soften(slots_[number % 2]);
    }

private:
    static constexpr int across = 2560, down = 1440;
    static constexpr size_t count = across * down;
    struct Slot {
        Pinned<float> in = pinned<float>(count), out = pinned<float>(count);
        OnDevice<float> from = onDevice<float>(count), to = onDevice<float>(count);
        Event loaded, made, left;
    };
    void soften(const Slot& slot) {
        slot.made.holdUp(up_);
        toDevice(slot.from.get(), slot.in.get(), count, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        slot.left.holdUp(compute_);
        ninth::soften({slot.from.get(), across}, {rows_.get(), across}, across, down, false, 240, compute_);
        ninth::soften({rows_.get(), across}, {slot.to.get(), across}, across, down, true, 240, compute_);
        slot.made.record(compute_);
        slot.made.holdUp(out_);
        toHost(slot.out.get(), slot.to.get(), count, out_);
        slot.left.record(out_);
    }
    OnDevice<float> rows_ = onDevice<float>(count);
    Slot slots_[2];
    Stream up_, compute_, out_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> ninthPairs() {
    const std::vector<std::string> reads = {"readback", "host-sync"}, shared = {"stretched"};
    const std::vector<std::string> memory = {"allocation", "device-barrier", "host-late", "host-sync"};
    const std::vector<std::string> paths = {"pageable", "readback", "host-sync"};
    return {
        {"quotients_found_by_host", reads, reads, make<Solver>},
        {"pictures_allocated_each_time", memory, memory, make<Softened>},
        {"paths_paid_into_vector", paths, paths, make<Paths>, false, shared},
        {"panels_in_and_out", {"same-stream"}, {"same-stream"}, make<Panels>, false, shared},
        {"healthy_solver_graph", {}, {}, make<SolverGraph>, true},
        {"healthy_frames", {}, {}, make<Frames>, true, shared},
    };
}
