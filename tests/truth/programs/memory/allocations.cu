// Memory that is allocated, pinned or given back in the loop.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

#include <cstdint>
#include <cstring>

namespace {

/// The spectrum of each row of 1024 complex values, in place, by its definition: each value turns with its
/// own step around the circle.
constexpr int rowLength = 1024;
__global__ void transform(float2* rows) {
    __shared__ float2 row[rowLength];
    float2* values = rows + size_t(blockIdx.x) * rowLength;
    for (int n = int(threadIdx.x); n < rowLength; n += threads)
        row[n] = values[n];
    __syncthreads();
    for (int k = int(threadIdx.x); k < rowLength; k += threads) {
        float stepX, stepY, x = 1, y = 0;
        sincospif(-2.0f * float(k) / rowLength, &stepY, &stepX);
        float2 sum = {0, 0};
        for (int n = 0; n < rowLength; ++n) {
            sum.x += row[n].x * x - row[n].y * y;
            sum.y += row[n].x * y + row[n].y * x;
            const float turned = x * stepX - y * stepY;
            y = x * stepY + y * stepX;
            x = turned;
        }
        values[k] = {sum.x / 32, sum.y / 32}; // of the same size as before
    }
}

__global__ void power(const float2* rows, int count, float* sum) {
    float here = 0;
    for (int i = thread(); i < count; i += threadsOfGrid())
        here = fmaxf(here, rows[i].x * rows[i].x + rows[i].y * rows[i].y);
    for (int lane = 16; lane; lane /= 2)
        here = fmaxf(here, __shfl_xor_sync(~0u, here, lane));
    if (threadIdx.x % 32 == 0)
        atomicMax(reinterpret_cast<int*>(sum), __float_as_int(here)); // as ints in the same order
}

/// Scratch memory for each chunk of three streams: by cudaMalloc() and cudaFree(); mended, from the pool of
/// the stream, which keeps it. 30 to 70 %.
class Scratch : public Pipeline {
public:
    explicit Scratch(bool mended)
        : Pipeline(Shape())
        , mended_(mended) {
        cudaMemPool_t pool = nullptr;
        uint64_t all = UINT64_MAX;
        CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
        CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    }

protected:
    void chunk(int, Slot& slot) override {
        copyIn(slot);
        void* scratch = nullptr;
        CHECK(mended_ ? cudaMallocAsync(&scratch, shape_.bytes, slot.stream)
                      : cudaMalloc(&scratch, shape_.bytes));
        CHECK(cudaMemcpyAsync(scratch, slot.device, shape_.bytes, cudaMemcpyDeviceToDevice, slot.stream));
        work(slot);
        CHECK(mended_ ? cudaFreeAsync(scratch, slot.stream) : cudaFree(scratch));
        copyOut(slot);
    }

private:
    bool mended_;
};

/// Memory of malloc is pinned for each chunk, and let go when the chunk was read; mended, it is pinned once.
/// 30 to 70 %.
class Register : public Pipeline {
public:
    explicit Register(bool mended)
        : Pipeline(shape())
        , mended_(mended) {
        for (const Slot& slot : slots_)
            if (mended_)
                pin(slot);
    }
    ~Register() override {
        for (const Slot& slot : slots_)
            if (mended_)
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
    void pin(const Slot& slot) { CHECK(cudaHostRegister(slot.in, shape_.bytes, cudaHostRegisterDefault)); }
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

/// Input is written to pinned memory of 4 MiB that is allocated for each chunk, by cudaMallocHost(); mended,
/// that each of two slots keeps. 30 to 70 %.
class PinEachChunk : public Pipeline {
public:
    explicit PinEachChunk(bool mended)
        : Pipeline(shape())
        , mended_(mended) {}

protected:
    static Shape shape() {
        Shape s;
        s.streams = 2;
        s.bytes = 4 << 20;
        s.rounds = 12000;
        return s;
    }
    void chunk(int number, Slot& slot) override {
        Input& input = inputs_[&slot - slots_.data()];
        input.read.await(); // two chunks ago
        if (!mended_) {
            void* memory = nullptr;
            input.memory.reset();
            CHECK(cudaMallocHost(&memory, shape_.bytes));
            input.memory.reset(static_cast<char*>(memory));
        }
        std::memset(input.memory.get(), number % 16, shape_.bytes);
        CHECK(cudaMemcpyAsync(slot.device, input.memory.get(), shape_.bytes, cudaMemcpyHostToDevice,
                              slot.stream));
        input.read.record(slot.stream);
        work(slot);
        copyOut(slot);
    }

private:
    bool mended_;
    struct Input {
        Pinned<char> memory = pinned<char>(4 << 20);
        Event read;
    };
    Input inputs_[2];
};

/// Four buffers of 64 MiB, half of each padding, from a pool that gives its memory back at each wait, as
/// pools do unless told otherwise; mended, the pool keeps it. The results are waited for. 5 to 10 %.
class Pooled : public Program {
public:
    explicit Pooled(bool mended) {
        cudaMemPoolProps properties = {};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
        CHECK(cudaMemPoolCreate(&pool_, &properties));
        uint64_t kept = mended ? UINT64_MAX : 0;
        CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept));
    }
    ~Pooled() override { cudaMemPoolDestroy(pool_); }
    void step(int) override {
        void* buffers[4] = {};
        for (void*& buffer : buffers)
            CHECK(cudaMallocFromPoolAsync(&buffer, values * sizeof(float2), pool_, stream_));
        for (void* buffer : buffers) {
            float2* const spectra = static_cast<float2*>(buffer);
            onDeviceTo(spectra, signal_.get(), values, stream_);
            transform<<<rows / 2, threads, 0, stream_>>>(spectra);
            power<<<1056, threads, 0, stream_>>>(spectra, int(values / 2), sum_.get());
        }
        for (void* buffer : buffers)
            CHECK(cudaFreeAsync(buffer, stream_));
        toHost(result_.get(), sum_.get(), 1, stream_);
        CHECK(cudaStreamSynchronize(stream_));
        total_ += result_[0];
    }

private:
    static constexpr int rows = 8192;
    static constexpr size_t values = size_t(rows) * rowLength;
    cudaMemPool_t pool_ = nullptr;
    OnDevice<float2> signal_ = onDevice<float2>(values);
    OnDevice<float> sum_ = onDevice<float>(1);
    Pinned<float> result_ = pinned<float>(1);
    Stream stream_;
    float total_ = 0;
};

} // namespace

std::vector<Pair> allocationPairs() {
    const Texts causes = {"allocation", "device-barrier", "host-late"}, shared = {"stretched"};
    return {
        {"malloc_in_loop", causes, make<Scratch>, {}, {"allocation", "device-barrier"}},
        {"register_in_loop", causes, make<Register>},
        {"pin_each_chunk", causes, make<PinEachChunk>, shared},
        {"pool_gives_back", causes, make<Pooled>},
    };
}
