// An eleventh set of mistakes, continued in cuda_eleventh_more.cpp. Written without reading the analysis: of
// it only the list of causes in the manual was known. Costs in the comments are estimates for an H100 or
// H200, not measured. What is healthy comes in cuda_eleventh_healthy.cpp.
#include "eleventh.h"

#include <chrono>
#include <thread>

namespace {

using namespace third;
using eleventh::sumOf;
using sixth::toDevice;
using sixth::toHost;

/// Three options a step are priced, then six times with a number changed: small grids that have nothing to do
/// with each other, in the one stream there is, or in six. 20 to 40 %.
class Sensitivities : public Program {
public:
    explicit Sensitivities(bool mended)
        : mended_(mended) {}
    void step(int) override {
        for (int option = 0; option < 3; ++option) {
            eleventh::follow(base_.get(), 1056, 30000, 0.01f, compute_);
            if (mended_)
                beside();
            else
                for (int n = 0; n < changes; ++n)
                    change(n, compute_);
            eleventh::gather(changed_.get(), blocks, changes, compute_);
        }
    }
    double result() override {
        return sumOf(base_.get(), 1056 * eleventh::threads) + sumOf(changed_.get(), changes * paths);
    }

private:
    static constexpr int changes = 6, blocks = 20;
    static constexpr size_t paths = size_t(blocks) * eleventh::threads;
    void change(int n, cudaStream_t stream) {
        eleventh::follow(changed_.get() + n * paths, blocks, 30000, 0.01f + 0.001f * float(n), stream);
    }
    void beside() {
        begun_.record(compute_);
        for (int n = 0; n < changes; ++n) {
            begun_.holdUp(streams_[n]);
            change(n, streams_[n]);
            done_[n].record(streams_[n]);
        }
        for (const Event& done : done_)
            done.holdUp(compute_);
    }
    bool mended_;
    OnDevice<float> base_ = onDevice<float>(1056 * eleventh::threads),
                    changed_ = onDevice<float>(changes * paths);
    Event begun_, done_[changes];
    Stream compute_, streams_[changes];
};

/// A line that is photographed: eight pictures of 1 Mi pixels a step, softened, and the sums of their rows.
/// The picture itself goes to pinned memory by cudaMemcpy and is looked at there; mended, by a side stream,
/// two slots, and looked at a picture later. 15 to 40 %.
class Line : public Program {
public:
    explicit Line(bool mended)
        : mended_(mended) {}
    ~Line() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[1 - number % 2];
            if (mended_)
                slot.left.holdUp(compute_);
            eleventh::soften(raw_.get() + number % 16, slot.soft.get(), width, height, 22, compute_);
            eleventh::profile(slot.soft.get(), width, height, rows_.get(), compute_);
            if (mended_)
                leave(slot);
            else
                CHECK(cudaMemcpy(slot.host.get(), slot.soft.get(), pixels * 4, cudaMemcpyDeviceToHost));
            if (mended_)
                before.left.await();
            look(mended_ ? before : slot);
        }
    }
    double result() override { return sumOf(slots_[1].soft.get(), pixels) + sumOf(rows_.get(), height); }

private:
    static constexpr int width = 1024, height = 1024;
    static constexpr size_t pixels = size_t(width) * height;
    struct Slot {
        OnDevice<float> soft = onDevice<float>(pixels);
        Pinned<float> host = pinned<float>(pixels);
        Event made, left;
    };
    void leave(const Slot& slot) {
        slot.made.record(compute_);
        slot.made.holdUp(side_);
        toHost(slot.host.get(), slot.soft.get(), pixels, side_);
        slot.left.record(side_);
    }
    void look(const Slot& slot) {
        for (size_t n = 0; n < pixels; n += 64)
            bright_ += slot.host[n] > 0.5f ? 1 : 0;
    }
    bool mended_;
    size_t bright_ = 0;
    OnDevice<float> raw_ = onDevice<float>(pixels + 16), rows_ = onDevice<float>(height);
    Slot slots_[2];
    Stream compute_{cudaStreamDefault}, side_; // cudaMemcpy waits for a blocking stream
};

/// Parts of a video, as large as what moves there: another size for each of six a step. The buffer between
/// the two passes is fitted to each one by cudaFree and cudaMalloc; mended, it is as large as the largest. 5
/// to 20
/// %.
class Fitted : public Program {
public:
    explicit Fitted(bool mended)
        : mended_(mended) {
        fit(mended_ ? largest : heights[0]);
    }
    ~Fitted() override {
        cudaDeviceSynchronize();
        cudaFree(between_);
    }
    void step(int) override {
        for (const int height : heights) {
            if (!mended_ && height != fitted_)
                fit(height);
            eleventh::soften(frame_.get(), between_, width, height, 21, stream_);
            eleventh::soften(between_, frame_.get(), width, height, 21, stream_);
        }
    }
    double result() override { return sumOf(frame_.get(), size_t(width) * largest); }

private:
    static constexpr int width = 1920, largest = 1440;
    static constexpr int heights[] = {1200, 960, 1440, 1080, 1320, 1024};
    void fit(int height) {
        CHECK(cudaFree(between_));
        CHECK(cudaMalloc(&between_, size_t(width) * height * sizeof(float)));
        fitted_ = height;
    }
    bool mended_;
    int fitted_ = 0;
    float* between_ = nullptr;
    OnDevice<float> frame_ = onDevice<float>(size_t(width) * largest);
    Stream stream_;
};

/// 320 channels of samples a step: the 16 values of the peak of each one come from a row of its own, 320
/// copies of 64 bytes, or all by one copy of a rectangle. They are looked at a step later. 8 to 30 %.
class Peaks : public Program {
public:
    explicit Peaks(bool mended)
        : mended_(mended) {}
    ~Peaks() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        eleventh::peaks(samples_.get(), channels, 16384, 8000, found_.get(), pitch, stream_);
        if (mended_)
            CHECK(cudaMemcpy2DAsync(slot.host.get(), 64, found_.get(), pitch * 4, 64, channels,
                                    cudaMemcpyDeviceToHost, stream_));
        else
            for (int n = 0; n < channels; ++n)
                toHost(slot.host.get() + 16 * n, found_.get() + n * pitch, 16, stream_);
        slot.there.record(stream_);
        slots_[1 - i % 2].there.await();
        highest_ = std::max(highest_, slots_[1 - i % 2].host[0]);
    }
    double result() override {
        CHECK(cudaDeviceSynchronize());
        double sum = 0;
        for (int n = 0; n < 16 * channels; ++n)
            sum += slots_[0].host[n];
        return sum;
    }

private:
    static constexpr int channels = 320;
    static constexpr size_t pitch = 256;
    struct Slot {
        Pinned<float> host = pinned<float>(16 * channels);
        Event there;
    };
    bool mended_;
    float highest_ = 0;
    OnDevice<float> samples_ = onDevice<float>(size_t(channels) * 16384),
                    found_ = onDevice<float>(channels * pitch);
    Slot slots_[2];
    Stream stream_;
};

/// Two messages a step are decoded by a trellis of 800 moments, a small grid each; one by one, or as a graph.
/// 15 to 45 %.
class Decoded : public Program {
public:
    explicit Decoded(bool mended)
        : mended_(mended) {
        if (!mended_)
            return;
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        decode();
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    ~Decoded() override {
        cudaStreamSynchronize(stream_);
        if (mended_)
            cudaGraphExecDestroy(graph_);
    }
    void step(int) override {
        for (int message = 0; message < 2; ++message) {
            eleventh::likely(metrics_.get(), 1 << 20, 4000, stream_);
            if (mended_)
                CHECK(cudaGraphLaunch(graph_, stream_));
            else
                decode();
        }
    }
    double result() override { return sumOf(states_[0].get(), 1024); }

private:
    void decode() {
        for (int n = 0; n < 800; ++n)
            eleventh::survive(states_[n % 2].get(), states_[1 - n % 2].get(), metrics_.get(), n, stream_);
    }
    bool mended_;
    cudaGraphExec_t graph_ = nullptr;
    OnDevice<float> metrics_ = onDevice<float>(1 << 20);
    OnDevice<float> states_[2] = {onDevice<float>(1024), onDevice<float>(1024)};
    Stream stream_;
};

/// 20 orders a step, each of which is judged by a grid of 0.4 ms. The thread that takes them looks for new
/// ones twice a millisecond, though there always are some; mended, it takes the next one at once. Not more
/// than two orders are under way. 10 to 45 %.
class Orders : public Program {
public:
    explicit Orders(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 20; number < (i + 1) * 20; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.read.await();
            slot.order[0] = float(number % 5);
            toDevice(book_.get() + number % 2, slot.order.get(), 1, stream_);
            slot.read.record(stream_);
            mix(book_.get(), book, 2700, stream_);
            if (!mended_)
                std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
    }
    double result() override { return sumOf(book_.get(), book); }

private:
    static constexpr size_t book = 4 << 20;
    struct Slot {
        Pinned<float> order = pinned<float>(1);
        Event read;
    };
    bool mended_;
    OnDevice<float> book_ = onDevice<float>(book);
    Slot slots_[2];
    Stream stream_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> eleventhPairs() {
    const std::vector<std::string> shared = {"stretched"}, reads = {"readback", "host-sync"};
    const std::vector<std::string> alone = {"same-stream", "too-few-streams"};
    const std::vector<std::string> memory = {"allocation", "device-barrier"};
    const std::vector<std::string> copies = {"small-copies", "launch-bound", "same-stream"};
    return {
        {"sensitivities_in_one_stream", alone, alone, make<Sensitivities>, false, shared},
        {"pictures_by_blocking_copy", reads, reads, make<Line>, false, shared},
        {"buffer_fitted_to_each_part", memory, memory, make<Fitted>},
        {"peaks_fetched_one_by_one", copies, copies, make<Peaks>, false, {"same-stream"}},
        {"trellis_moment_by_moment", {"launch-bound"}, {"launch-bound"}, make<Decoded>},
        {"orders_looked_for_by_clock", {"host-late"}, {"host-late"}, make<Orders>},
    };
}
