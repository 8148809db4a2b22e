// Mistakes with memory and copies.
#include "pipeline.h"

#include <cstdlib>
#include <cstring>

namespace {

/// 300 pieces of 4 KiB, one by one or at once, and a kernel.
class SmallCopies : public Pipeline {
public:
    explicit SmallCopies(bool mended)
        : Pipeline(shape())
        , mended_(mended) {}

protected:
    static constexpr size_t piece = 4096;
    static Shape shape() {
        Shape s;
        s.streams = 2;
        s.bytes = 300 * piece;
        s.rounds = 40000;
        s.chunks = 2;
        return s;
    }
    void copyIn(Slot& slot) override {
        const size_t size = mended_ ? shape_.bytes : piece;
        for (size_t at = 0; at < shape_.bytes; at += size)
            CHECK(cudaMemcpyAsync(reinterpret_cast<char*>(slot.device) + at, static_cast<char*>(slot.in) + at,
                                  size, cudaMemcpyHostToDevice, slot.stream));
    }

private:
    bool mended_;
};

/// Scratch memory for each chunk: cudaMalloc and cudaFree, or the stream's pool.
class Scratch : public Pipeline {
public:
    explicit Scratch(bool mended)
        : Pipeline(Shape())
        , mended_(mended) {
        cudaMemPool_t pool = nullptr;
        unsigned long long all = ~0ull;
        CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
        CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    }

protected:
    void chunk(int, Slot& slot) override {
        copyIn(slot);
        float* scratch = nullptr;
        if (mended_)
            CHECK(cudaMallocAsync(reinterpret_cast<void**>(&scratch), shape_.bytes, slot.stream));
        else
            CHECK(cudaMalloc(&scratch, shape_.bytes));
        CHECK(cudaMemcpyAsync(scratch, slot.device, shape_.bytes, cudaMemcpyDeviceToDevice, slot.stream));
        work(slot);
        if (mended_)
            CHECK(cudaFreeAsync(scratch, slot.stream));
        else
            CHECK(cudaFree(scratch));
        copyOut(slot);
    }

private:
    bool mended_;
};

/// Memory of malloc that is pinned for each chunk, or once.
class Register : public Pipeline {
public:
    explicit Register(bool mended)
        : Pipeline(shape())
        , mended_(mended) {
        if (mended_)
            for (Slot& slot : slots_)
                pin(slot);
    }
    ~Register() override {
        cudaDeviceSynchronize();
        if (mended_)
            for (Slot& slot : slots_)
                cudaHostUnregister(slot.in);
    }

protected:
    static Shape shape() {
        Shape s;
        s.pinnedIn = false;
        s.rounds = 12000;
        s.chunks = 3;
        return s;
    }
    void pin(Slot& slot) { CHECK(cudaHostRegister(slot.in, shape_.bytes, cudaHostRegisterDefault)); }
    void chunk(int, Slot& slot) override {
        if (!mended_)
            pin(slot);
        copyIn(slot);
        if (!mended_) {
            CHECK(cudaStreamSynchronize(slot.stream)); // it must stay pinned until it was read
            CHECK(cudaHostUnregister(slot.in));
        }
        work(slot);
        copyOut(slot);
    }

private:
    bool mended_;
};

/// cudaMemcpy of pinned memory, or cudaMemcpyAsync.
class SynchronousCopies : public Pipeline {
public:
    explicit SynchronousCopies(bool mended)
        : Pipeline(shape())
        , mended_(mended) {}

protected:
    static Shape shape() {
        Shape s;
        s.streamFlags = cudaStreamDefault; // so that cudaMemcpy is ordered with them
        s.rounds = 8000;
        s.chunks = 3;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        if (mended_) {
            Pipeline::chunk(number, slot);
            return;
        }
        CHECK(cudaMemcpy(slot.device, slot.in, shape_.bytes, cudaMemcpyHostToDevice));
        work(slot);
        CHECK(cudaMemcpy(slot.out, slot.device, shape_.bytes, cudaMemcpyDeviceToHost));
    }

private:
    bool mended_;
};

/// Managed memory that the host and the device write in turn.
class Managed : public Program {
public:
    explicit Managed(bool mended)
        : mended_(mended) {
        CHECK(cudaMallocManaged(&values_, bytes));
        CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        std::memset(values_, 0, bytes);
    }
    ~Managed() override {
        cudaDeviceSynchronize();
        cudaFree(values_);
        cudaStreamDestroy(stream_);
    }
    void step(int) override {
        prefetch(cudaMemLocationTypeHost);
        CHECK(cudaStreamSynchronize(stream_));
        for (size_t at = 0; at < bytes / sizeof(float); at += 1024)
            values_[at] = 1;
        prefetch(cudaMemLocationTypeDevice);
        mix(values_, bytes / sizeof(float), 4000, stream_);
    }

private:
    static constexpr size_t bytes = 32 << 20;
    void prefetch(cudaMemLocationType where) {
        cudaMemLocation location = {};
        location.type = where;
        location.id = 0;
        if (mended_)
            CHECK(cudaMemPrefetchAsync(values_, bytes, location, 0, stream_));
    }
    bool mended_;
    float* values_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

Shape pageableIn(bool mended) {
    Shape s;
    s.rounds = 7000;
    s.pinnedIn = mended;
    return s;
}

Shape pageableOut(bool mended) {
    Shape s;
    s.rounds = 12000;
    s.pinnedOut = mended;
    return s;
}

Shape pageableSmall(bool mended) {
    Shape s;
    s.streams = 1;
    s.bytes = 1 << 20;
    s.rounds = 60000;
    s.chunks = 3;
    s.pinnedIn = mended;
    return s;
}

template <Shape (*shape)(bool)>
std::unique_ptr<Program> pipeline(bool mended) {
    return std::make_unique<Pipeline>(shape(mended));
}

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> copyPairs() {
    return {
        {"pageable_in", {"pageable"}, {"pageable"}, pipeline<pageableIn>},
        {"pageable_out", {"pageable", "readback"}, {"pageable", "readback"}, pipeline<pageableOut>},
        {"pageable_small", {"pageable"}, {"pageable"}, pipeline<pageableSmall>, false, {"same-stream"}},
        {"small_copies",
         {"small-copies", "launch-bound"},
         {"small-copies", "launch-bound"},
         make<SmallCopies>},
        {"malloc_in_loop",
         {"allocation", "device-barrier", "host-late"},
         {"allocation", "device-barrier"},
         make<Scratch>},
        {"register_in_loop",
         {"allocation", "device-barrier", "host-late"},
         {"allocation", "device-barrier", "host-late"},
         make<Register>},
        {"synchronous_copies",
         {"host-sync", "null-stream", "same-stream", "readback"},
         {"host-sync", "null-stream", "same-stream", "readback"},
         make<SynchronousCopies>},
        {"managed", {"unified-memory"}, {"unified-memory"}, make<Managed>, false, {"host-sync", "host-late"}},
    };
}
