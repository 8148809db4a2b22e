// Mistakes on the host: launches, callbacks, work between the calls.
#include "pipeline.h"

#include <future>

namespace {

/// 2000 kernels of a microsecond or two, launched one by one or as a graph.
class TinyKernels : public Program {
public:
    TinyKernels(bool mended, int count)
        : count_(count) {
        CHECK(cudaMalloc(&values_, 1 << 20));
        CHECK(cudaMemset(values_, 0, 1 << 20));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        if (mended)
            capture();
    }
    ~TinyKernels() override {
        cudaDeviceSynchronize();
        if (graph_)
            cudaGraphExecDestroy(graph_);
        cudaStreamDestroy(stream_);
        cudaFree(values_);
    }
    void step(int) override {
        if (graph_)
            CHECK(cudaGraphLaunch(graph_, stream_));
        else
            launch();
    }

private:
    void launch() {
        for (int n = 0; n < count_; ++n)
            touch(values_, stream_);
    }
    void capture() {
        cudaGraph_t graph = nullptr;
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        launch();
        CHECK(cudaStreamEndCapture(stream_, &graph));
        CHECK(cudaGraphInstantiate(&graph_, graph, 0));
        CHECK(cudaGraphDestroy(graph));
    }
    int count_;
    float* values_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t graph_ = nullptr;
};

/// Every second chunk meets a kernel that was never used, or all were used before.
class FirstLaunch : public Pipeline {
public:
    explicit FirstLaunch(bool mended)
        : Pipeline(shape()) {
        for (int n = 0; mended && n < 64; ++n)
            mixOneOf64(n, slots_[0].device, 1, 1, slots_[0].stream);
        mix(slots_[0].device, 1, 1, slots_[0].stream);
        CHECK(cudaDeviceSynchronize());
    }

protected:
    static Shape shape() {
        Shape s;
        s.chunks = 2;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        copyIn(slot);
        mixOneOf64(number, slot.device, shape_.bytes / sizeof(float), shape_.rounds, slot.stream);
        copyOut(slot);
    }
};

/// Something is reported after the kernel of each chunk, by a function in the stream or by the host an
/// iteration later.
class Reported : public Pipeline {
public:
    Reported(bool mended, int microseconds)
        : Pipeline(shape())
        , mended_(mended)
        , microseconds_(microseconds) {
        for (cudaEvent_t& event : worked_)
            CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~Reported() override {
        cudaDeviceSynchronize();
        for (cudaEvent_t event : worked_)
            cudaEventDestroy(event);
    }
    void step(int i) override {
        Pipeline::step(i);
        if (!mended_ || i == 0)
            return;
        for (int number = (i - 1) * shape_.chunks; number < i * shape_.chunks; ++number) {
            CHECK(cudaEventSynchronize(worked_[number % 8]));
            workOnHost(microseconds_);
        }
    }

protected:
    static Shape shape() {
        Shape s;
        s.streams = 2;
        return s;
    }
    static void CUDART_CB report(void* self) { workOnHost(static_cast<Reported*>(self)->microseconds_); }
    void chunk(int number, Slot& slot) override {
        copyIn(slot);
        work(slot);
        scratch(slot);
        if (mended_)
            CHECK(cudaEventRecord(worked_[number % 8], slot.stream));
        else
            CHECK(cudaLaunchHostFunc(slot.stream, report, this));
        copyOut(slot);
    }
    virtual void scratch(Slot&) {}

private:
    bool mended_;
    int microseconds_;
    cudaEvent_t worked_[8] = {}; // of the last two iterations of four chunks
};

/// The same with scratch memory that is allocated for each chunk, or once.
class ReportedWithScratch : public Reported {
public:
    explicit ReportedWithScratch(bool mended)
        : Reported(false, 100)
        , mended_(mended) {
        for (float*& memory : kept_)
            CHECK(cudaMalloc(&memory, shape_.bytes));
    }
    ~ReportedWithScratch() override {
        cudaDeviceSynchronize();
        for (float* memory : kept_)
            cudaFree(memory);
    }

protected:
    void scratch(Slot& slot) override {
        float* memory = kept_[&slot - slots_.data()];
        if (!mended_)
            CHECK(cudaMalloc(&memory, shape_.bytes));
        CHECK(cudaMemcpyAsync(memory, slot.device, shape_.bytes, cudaMemcpyDeviceToDevice, slot.stream));
        if (!mended_)
            CHECK(cudaFree(memory));
    }

private:
    bool mended_;
    float* kept_[2] = {};
};

/// The next input is prepared on the host after the results came, or by a thread while the device works.
class Prepared : public Pipeline {
public:
    Prepared(bool mended, int microseconds)
        : Pipeline(shape())
        , mended_(mended)
        , microseconds_(microseconds) {}
    void step(int i) override {
        if (next_.valid())
            next_.get();
        else
            prepare();
        Pipeline::step(i);
        if (mended_)
            next_ = std::async(std::launch::async, [this] { prepare(); });
        for (Slot& slot : slots_)
            CHECK(cudaStreamSynchronize(slot.stream)); // the results are needed
    }
    void finish() override {
        if (next_.valid())
            next_.get();
    }

protected:
    static Shape shape() {
        Shape s;
        s.chunks = 9;
        return s;
    }
    void prepare() { workOnHost(microseconds_); }

private:
    bool mended_;
    int microseconds_;
    std::future<void> next_;
};

std::unique_ptr<Program> tinyKernels(bool mended) {
    return std::make_unique<TinyKernels>(mended, 2000);
}

std::unique_ptr<Program> healthyGraph(bool) {
    return std::make_unique<TinyKernels>(true, 2000);
}

std::unique_ptr<Program> callbacks(bool mended) {
    return std::make_unique<Reported>(mended, 200);
}

std::unique_ptr<Program> callbacksSmall(bool mended) {
    return std::make_unique<Reported>(mended, 50);
}

std::unique_ptr<Program> hostWork(bool mended) {
    return std::make_unique<Prepared>(mended, 2000);
}

std::unique_ptr<Program> hostWorkSmall(bool mended) {
    return std::make_unique<Prepared>(mended, 200);
}

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> hostPairs() {
    const std::vector<std::string> waits = {"host-sync", "stretched", "callback"};
    return {
        {"tiny_kernels", {"launch-bound"}, {"launch-bound"}, tinyKernels},
        {"first_launch", {"first-launch"}, {"first-launch"}, make<FirstLaunch>, false, {"stretched"}, true},
        {"callbacks", {"callback"}, {"callback"}, callbacks, false, waits},
        {"callbacks_small", {"callback"}, {"callback"}, callbacksSmall, false, waits},
        {"malloc_and_callback",
         {"allocation", "device-barrier", "callback"},
         {"allocation", "device-barrier"},
         make<ReportedWithScratch>,
         false,
         waits},
        {"host_work", {"host-late", "host-sync"}, {"host-late"}, hostWork, false, waits},
        {"host_work_small", {"host-late", "host-sync"}, {"host-late"}, hostWorkSmall, false, waits},
        {"healthy_graph", {}, {}, healthyGraph, true},
    };
}
