// Mistakes with streams, events and waits.
#include "pipeline.h"

namespace {

/// Waits for the device after each chunk, or never.
class WaitEach : public Pipeline {
public:
    WaitEach(const Shape& shape, bool wait)
        : Pipeline(shape)
        , wait_(wait) {}

protected:
    void chunk(int number, Slot& slot) override {
        Pipeline::chunk(number, slot);
        if (wait_)
            CHECK(cudaDeviceSynchronize());
    }

private:
    bool wait_;
};

/// A kernel of its own, over other data, in the NULL stream: blocking streams wait for it and it for them.
class NullStream : public Pipeline {
public:
    explicit NullStream(bool mended)
        : Pipeline(shape(mended)) {
        CHECK(cudaMalloc(&statistics_, 1 << 20));
        CHECK(cudaMemset(statistics_, 0, 1 << 20));
    }
    ~NullStream() override {
        cudaDeviceSynchronize();
        cudaFree(statistics_);
    }

protected:
    static Shape shape(bool mended) {
        Shape s;
        s.streamFlags = mended ? cudaStreamNonBlocking : cudaStreamDefault;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        Pipeline::chunk(number, slot);
        touch(statistics_, nullptr);
    }

private:
    float* statistics_ = nullptr;
};

/// Chunks that do not need each other, each after the one before.
class EventChain : public Pipeline {
public:
    explicit EventChain(bool mended)
        : Pipeline(Shape())
        , mended_(mended) {
        CHECK(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    }
    ~EventChain() override { cudaEventDestroy(done_); }

protected:
    void chunk(int number, Slot& slot) override {
        if (!mended_ && number)
            CHECK(cudaStreamWaitEvent(slot.stream, done_, 0));
        Pipeline::chunk(number, slot);
        CHECK(cudaEventRecord(done_, slot.stream));
    }

private:
    bool mended_;
    cudaEvent_t done_ = nullptr;
};

/// A flag of four bytes is read after each chunk, by cudaMemcpy or an iteration later.
class PolledFlag : public Pipeline {
public:
    explicit PolledFlag(bool mended)
        : Pipeline(shape())
        , mended_(mended) {
        CHECK(cudaMallocHost(&flags_, 8 * sizeof(float)));
        for (cudaEvent_t& event : copied_)
            CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~PolledFlag() override {
        cudaDeviceSynchronize();
        cudaFreeHost(flags_);
        for (cudaEvent_t event : copied_)
            cudaEventDestroy(event);
    }
    void step(int i) override {
        Pipeline::step(i);
        if (!mended_ || i == 0)
            return;
        for (int number = (i - 1) * shape_.chunks; number < i * shape_.chunks; ++number) {
            CHECK(cudaEventSynchronize(copied_[number % 8]));
            sum_ += flags_[number % 8];
        }
    }

protected:
    static Shape shape() {
        Shape s;
        s.streamFlags = cudaStreamDefault; // so that cudaMemcpy is ordered with them
        s.rounds = 6000;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        copyIn(slot);
        work(slot);
        if (mended_) {
            CHECK(cudaMemcpyAsync(&flags_[number % 8], slot.device, sizeof(float), cudaMemcpyDeviceToHost,
                                  slot.stream));
            CHECK(cudaEventRecord(copied_[number % 8], slot.stream));
        } else {
            float flag = 0;
            CHECK(cudaMemcpy(&flag, slot.device, sizeof(float), cudaMemcpyDeviceToHost));
            sum_ += flag;
        }
        copyOut(slot);
    }

private:
    bool mended_;
    float* flags_ = nullptr;
    cudaEvent_t copied_[8] = {}; // of the last two iterations of four chunks
    float sum_ = 0;
};

Shape streams(int count) {
    Shape s;
    s.streams = count;
    return s;
}

Shape smallCopies(int count) {
    Shape s;
    s.streams = count;
    s.bytes = 4 << 20;
    s.rounds = 40000;
    return s;
}

Shape shortKernels() {
    Shape s;
    s.streams = 2;
    s.bytes = 1 << 20;
    s.rounds = 60000;
    s.chunks = 8;
    return s;
}

std::unique_ptr<Program> oneStream(bool mended) {
    return std::make_unique<Pipeline>(streams(mended ? 3 : 1));
}

std::unique_ptr<Program> oneStreamSmall(bool mended) {
    return std::make_unique<Pipeline>(smallCopies(mended ? 3 : 1));
}

std::unique_ptr<Program> syncEachChunk(bool mended) {
    return std::make_unique<WaitEach>(streams(3), !mended);
}

std::unique_ptr<Program> syncEachChunkSmall(bool mended) {
    return std::make_unique<WaitEach>(shortKernels(), !mended);
}

std::unique_ptr<Program> pageableAndSync(bool mended) {
    Shape shape = streams(3);
    shape.rounds = 12000;
    shape.pinnedIn = mended;
    return std::make_unique<WaitEach>(shape, !mended);
}

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

std::unique_ptr<Program> threeStreams(bool) {
    return std::make_unique<Pipeline>(streams(3));
}

std::unique_ptr<Program> longKernels(bool) {
    return std::make_unique<Pipeline>(smallCopies(3));
}

} // namespace

std::vector<Pair> orderPairs() {
    return {
        {"one_stream", {"same-stream"}, {"same-stream"}, oneStream, false, {"stretched"}},
        {"one_stream_small", {"same-stream"}, {"same-stream"}, oneStreamSmall, false, {"stretched"}},
        {"sync_each_chunk", {"host-sync"}, {"host-sync"}, syncEachChunk, false, {"stretched"}},
        {"sync_each_chunk_small", {"host-sync"}, {"host-sync"}, syncEachChunkSmall, false, {"stretched"}},
        {"null_stream", {"null-stream"}, {"null-stream"}, make<NullStream>, false, {"stretched"}},
        {"event_chain", {"event-order"}, {"event-order"}, make<EventChain>, false, {"stretched"}},
        {"polled_flag",
         {"host-sync", "readback", "null-stream", "pageable"},
         {"host-sync", "readback", "null-stream", "pageable"},
         make<PolledFlag>,
         false,
         {"stretched"}},
        {"pageable_and_sync", {"pageable", "host-sync"}, {"pageable", "host-sync"}, pageableAndSync},
        {"healthy_three_streams", {}, {}, threeStreams, true, {"stretched"}},
        {"healthy_long_kernels", {}, {}, longKernels, true, {"stretched"}},
    };
}
