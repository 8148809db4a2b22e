// A second set of mistakes, to test on what the analysis was not made with; of the analysis only the table of
// causes in the manual was read before. Costs in the comments are estimates for an H200, not measured.
#include "pipeline.h"

#include <cstring>

namespace {

using Events = std::vector<cudaEvent_t>;

Events makeEvents(int count) {
    Events events(static_cast<size_t>(count));
    for (cudaEvent_t& event : events)
        CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return events;
}

void destroy(const Events& events) {
    cudaDeviceSynchronize();
    for (cudaEvent_t event : events)
        cudaEventDestroy(event);
}

/// The host adds up 1 MiB of results of each chunk: at once, by cudaMemcpy, or before their slot is used
/// again.
class ResultsEachChunk : public Pipeline {
public:
    explicit ResultsEachChunk(bool mended)
        : Pipeline(shape())
        , mended_(mended)
        , copied_(makeEvents(shape_.streams)) {}
    ~ResultsEachChunk() override { destroy(copied_); }

protected:
    static constexpr size_t results = 1 << 20;
    static Shape shape() {
        Shape s;
        s.streamFlags = cudaStreamDefault; // so that cudaMemcpy is ordered with them
        s.bytes = 8 << 20;
        s.rounds = 4000;
        s.chunks = 6;
        return s;
    }
    void use(const Slot& slot) {
        const float* values = static_cast<const float*>(slot.out);
        for (size_t at = 0; at < results / sizeof(float); at += 1024)
            sum_ += values[at];
    }
    void chunk(int number, Slot& slot) override {
        const cudaEvent_t copied = copied_[size_t(&slot - slots_.data())];
        if (mended_ && number >= shape_.streams) {
            CHECK(cudaEventSynchronize(copied));
            use(slot);
        }
        copyIn(slot);
        work(slot);
        if (mended_) {
            CHECK(cudaMemcpyAsync(slot.out, slot.device, results, cudaMemcpyDeviceToHost, slot.stream));
            CHECK(cudaEventRecord(copied, slot.stream));
        } else {
            CHECK(cudaMemcpy(slot.out, slot.device, results, cudaMemcpyDeviceToHost));
            use(slot);
        }
    }

private:
    bool mended_;
    Events copied_;
    float sum_ = 0;
};

/// Kernels of 0.2 ms in turns in two streams; the host waits for each, or for none. 4 to 8 %.
class WaitEachKernel : public Program {
public:
    explicit WaitEachKernel(bool mended)
        : mended_(mended) {
        for (int n = 0; n < 2; ++n) {
            CHECK(cudaMalloc(&values_[n], bytes));
            CHECK(cudaMemset(values_[n], 0, bytes));
            CHECK(cudaStreamCreateWithFlags(&streams_[n], cudaStreamNonBlocking));
        }
        CHECK(cudaDeviceSynchronize());
    }
    ~WaitEachKernel() override {
        cudaDeviceSynchronize();
        for (int n = 0; n < 2; ++n) {
            cudaFree(values_[n]);
            cudaStreamDestroy(streams_[n]);
        }
    }
    void step(int) override {
        for (int n = 0; n < 12; ++n) {
            mix(values_[n % 2], bytes / sizeof(float), 5600, streams_[n % 2]);
            if (!mended_)
                CHECK(cudaStreamSynchronize(streams_[n % 2]));
        }
    }

private:
    static constexpr size_t bytes = 4 << 20;
    bool mended_;
    float* values_[2] = {};
    cudaStream_t streams_[2] = {};
};

/// A stream for each part of a chunk: to the device, kernel, back. Two slots. A kernel may overwrite a slot
/// after its results of two chunks ago were taken. Bad: it is the copy to the device that waits for results,
/// and for those of the chunk before, which has the other slot; that is enough for the data, but no two
/// chunks meet.
class Relay : public Program {
public:
    Relay(bool mended, size_t bytes, int rounds)
        : mended_(mended)
        , bytes_(bytes)
        , rounds_(rounds)
        , filled_(makeEvents(2))
        , worked_(makeEvents(2))
        , taken_(makeEvents(2)) {
        for (Buffers& slot : slots_) {
            CHECK(cudaMallocHost(&slot.in, bytes_));
            CHECK(cudaMallocHost(&slot.out, bytes_));
            CHECK(cudaMalloc(&slot.source, bytes_));
            CHECK(cudaMalloc(&slot.values, bytes_));
            std::memset(slot.in, 0, bytes_);
        }
        for (cudaStream_t* stream : {&up_, &compute_, &down_})
            CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    ~Relay() override {
        for (const Events& events : {filled_, worked_, taken_})
            destroy(events);
        for (const Buffers& slot : slots_) {
            cudaFreeHost(slot.in);
            cudaFreeHost(slot.out);
            cudaFree(slot.source);
            cudaFree(slot.values);
        }
        for (cudaStream_t stream : {up_, compute_, down_})
            cudaStreamDestroy(stream);
    }
    void step(int i) override {
        for (int number = i * chunks; number < (i + 1) * chunks; ++number)
            chunk(size_t(number % 2));
    }

private:
    struct Buffers {
        void* in = nullptr;
        void* out = nullptr;
        float* source = nullptr;
        float* values = nullptr;
    };
    static constexpr int chunks = 6;
    void chunk(size_t n) {
        const Buffers& slot = slots_[n];
        if (mended_) {
            CHECK(cudaStreamWaitEvent(up_, worked_[n], 0));
            CHECK(cudaStreamWaitEvent(compute_, taken_[n], 0));
        } else {
            CHECK(cudaStreamWaitEvent(up_, taken_[1 - n], 0));
        }
        CHECK(cudaMemcpyAsync(slot.source, slot.in, bytes_, cudaMemcpyHostToDevice, up_));
        CHECK(cudaEventRecord(filled_[n], up_));
        CHECK(cudaStreamWaitEvent(compute_, filled_[n], 0));
        CHECK(cudaMemcpyAsync(slot.values, slot.source, bytes_, cudaMemcpyDeviceToDevice, compute_));
        mix(slot.values, bytes_ / sizeof(float), rounds_, compute_);
        CHECK(cudaEventRecord(worked_[n], compute_));
        CHECK(cudaStreamWaitEvent(down_, worked_[n], 0));
        CHECK(cudaMemcpyAsync(slot.out, slot.values, bytes_, cudaMemcpyDeviceToHost, down_));
        CHECK(cudaEventRecord(taken_[n], down_));
    }
    bool mended_;
    size_t bytes_;
    int rounds_;
    Events filled_, worked_, taken_;
    Buffers slots_[2];
    cudaStream_t up_ = nullptr, compute_ = nullptr, down_ = nullptr;
};

/// Input is written to pinned memory of 4 MiB that each chunk allocates anew, or that each slot keeps.
class PinEachChunk : public Pipeline {
public:
    explicit PinEachChunk(bool mended)
        : Pipeline(shape())
        , mended_(mended)
        , read_(makeEvents(shape_.streams))
        , pinned_(slots_.size()) {
        for (void*& memory : pinned_)
            CHECK(cudaMallocHost(&memory, shape_.bytes));
    }
    ~PinEachChunk() override {
        destroy(read_);
        for (void* memory : pinned_)
            cudaFreeHost(memory);
    }

protected:
    static Shape shape() {
        Shape s;
        s.streams = 2;
        s.bytes = 4 << 20;
        s.rounds = 12000;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        const size_t n = size_t(&slot - slots_.data());
        CHECK(cudaEventSynchronize(read_[n])); // two chunks ago
        if (!mended_) {
            CHECK(cudaFreeHost(pinned_[n]));
            CHECK(cudaMallocHost(&pinned_[n], shape_.bytes));
        }
        std::memset(pinned_[n], number % 16, shape_.bytes);
        CHECK(cudaMemcpyAsync(slot.device, pinned_[n], shape_.bytes, cudaMemcpyHostToDevice, slot.stream));
        CHECK(cudaEventRecord(read_[n], slot.stream));
        work(slot);
        copyOut(slot);
    }

private:
    bool mended_;
    Events read_;
    std::vector<void*> pinned_;
};

/// A counter of each chunk is cleared by cudaMemset, which other streams wait for, or in the stream of the
/// chunk. 5 to 10 %.
class ClearedCounter : public Pipeline {
public:
    explicit ClearedCounter(bool mended)
        : Pipeline(shape())
        , mended_(mended) {
        for (float*& counter : counters_)
            CHECK(cudaMalloc(&counter, counterBytes));
    }
    ~ClearedCounter() override {
        cudaDeviceSynchronize();
        for (float* counter : counters_)
            cudaFree(counter);
    }

protected:
    static constexpr size_t counterBytes = 4096;
    static Shape shape() {
        Shape s;
        s.streamFlags = cudaStreamDefault; // so that cudaMemset is ordered with them
        s.streams = 2;
        s.bytes = 1 << 20;
        s.rounds = 60000;
        s.chunks = 6;
        return s;
    }
    void chunk(int, Slot& slot) override {
        float* counter = counters_[&slot - slots_.data()];
        if (mended_)
            CHECK(cudaMemsetAsync(counter, 0, counterBytes, slot.stream));
        else
            CHECK(cudaMemset(counter, 0, counterBytes));
        copyIn(slot);
        work(slot);
        touch(counter, slot.stream);
        copyOut(slot);
    }

private:
    bool mended_;
    float* counters_[2] = {};
};

/// 250 rows of 4 KiB are cleared one by one, or at once.
class ClearedRows : public Pipeline {
public:
    explicit ClearedRows(bool mended)
        : Pipeline(shape())
        , mended_(mended) {
        for (float*& rows : rows_)
            CHECK(cudaMalloc(&rows, count * row));
    }
    ~ClearedRows() override {
        cudaDeviceSynchronize();
        for (float* rows : rows_)
            cudaFree(rows);
    }

protected:
    static constexpr size_t row = 4096;
    static constexpr size_t count = 250;
    static Shape shape() {
        Shape s;
        s.bytes = 4 << 20;
        s.rounds = 8000;
        return s;
    }
    void chunk(int, Slot& slot) override {
        float* rows = rows_[&slot - slots_.data()];
        const size_t size = mended_ ? count * row : row;
        for (size_t at = 0; at < count * row; at += size)
            CHECK(cudaMemsetAsync(reinterpret_cast<char*>(rows) + at, 0, size, slot.stream));
        copyIn(slot);
        work(slot);
        touch(rows, slot.stream);
        copyOut(slot);
    }

private:
    bool mended_;
    float* rows_[3] = {};
};

/// The host takes 300 us for the next input, after the results came or while the kernels run. 6 to 9 %.
class Preprocessed : public Pipeline {
public:
    explicit Preprocessed(bool mended)
        : Pipeline(shape())
        , mended_(mended) {
        CHECK(cudaMallocHost(&inputs_[0], shape_.bytes));
        CHECK(cudaMallocHost(&inputs_[1], shape_.bytes));
    }
    ~Preprocessed() override {
        cudaDeviceSynchronize();
        for (void* memory : inputs_)
            cudaFreeHost(memory);
    }
    void step(int i) override {
        const Slot& slot = slots_[0];
        if (!mended_ || i == 0)
            prepare(i);
        CHECK(
            cudaMemcpyAsync(slot.device, inputs_[i % 2], shape_.bytes, cudaMemcpyHostToDevice, slot.stream));
        for (int n = 0; n < 12; ++n)
            work(slots_[0]);
        copyOut(slots_[0]);
        if (mended_)
            prepare(i + 1); // the copy of this memory ended before the last results came
        CHECK(cudaStreamSynchronize(slot.stream)); // the results are needed
    }

protected:
    static Shape shape() {
        Shape s;
        s.streams = 1;
        s.bytes = 2 << 20;
        s.rounds = 16000;
        return s;
    }
    void prepare(int i) {
        std::memset(inputs_[i % 2], i % 16, 4096);
        workOnHost(300);
    }

private:
    bool mended_;
    void* inputs_[2] = {};
};

std::unique_ptr<Program> relay(bool mended) {
    return std::make_unique<Relay>(mended, 8 << 20, 4000);
}

/// 5 to 9 %.
std::unique_ptr<Program> relaySmall(bool mended) {
    return std::make_unique<Relay>(mended, 1 << 20, 80000);
}

std::unique_ptr<Program> healthyRelay(bool) {
    return std::make_unique<Relay>(true, 2 << 20, 30000);
}

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> morePairs() {
    const std::vector<std::string> results = {"host-sync", "null-stream", "readback"};
    const std::vector<std::string> memory = {"allocation", "device-barrier", "host-late"};
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"results_each_chunk", results, results, make<ResultsEachChunk>, false, {"stretched", "host-sync"}},
        {"wait_each_kernel", {"host-sync"}, {"host-sync"}, make<WaitEachKernel>, false, shared},
        {"wait_on_wrong_stream", {"event-order"}, {"event-order"}, relay, false, shared},
        {"wait_on_wrong_stream_small", {"event-order"}, {"event-order"}, relaySmall, false, shared},
        {"pin_each_chunk", memory, memory, make<PinEachChunk>, false, shared},
        {"cleared_in_null_stream", {"null-stream"}, {"null-stream"}, make<ClearedCounter>, false, shared},
        {"tiny_memsets", {"launch-bound"}, {"launch-bound"}, make<ClearedRows>, false, shared},
        {"preprocessed", {"host-late", "host-sync"}, {"host-late"}, make<Preprocessed>, false, {"host-sync"}},
        {"healthy_relay", {}, {}, healthyRelay, true, shared},
    };
}
