// The third set: copies and memory.
#include "third.h"

#include <cstring>

namespace {

using namespace third;

/// Requests to a recommender look 128 rows up in a table on the host. Each row is copied for itself; mended,
/// the host gathers them and copies once. 20 to 40 %.
class Requests : public Program {
public:
    explicit Requests(bool mended)
        : mended_(mended)
        , table_(pinned<float>(size_t(entries) * width))
        , vectors_(onDevice<float>(values))
        , columns_(onDevice<float>(size_t(items) * width))
        , best_(onDevice<int>(rows)) {
        settle(columns_.get(), size_t(items) * width, stream_);
    }
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            if (mended_)
                inOnePiece(number);
            else
                rowByRow(number);
            score(vectors_.get(), rows, columns_.get(), items, best_.get(), stream_);
        }
    }

private:
    static constexpr int entries = 1 << 16, width = 256, rows = 128, items = 1 << 18;
    static constexpr size_t values = rows * width, row = width * sizeof(float);
    const float* wanted(int number, int n) const {
        return &table_[size_t(unsigned(number * 7919 + n * 104729) % entries) * width];
    }
    void rowByRow(int number) {
        for (int n = 0; n < rows; ++n)
            CHECK(cudaMemcpyAsync(vectors_.get() + n * width, wanted(number, n), row, cudaMemcpyHostToDevice,
                                  stream_));
    }
    void inOnePiece(int number) {
        const int slot = number % 2;
        float* gathered = gathered_[slot].get();
        copied_[slot].await(); // two requests ago
        for (int n = 0; n < rows; ++n)
            std::memcpy(gathered + n * width, wanted(number, n), row);
        CHECK(cudaMemcpyAsync(vectors_.get(), gathered, rows * row, cudaMemcpyHostToDevice, stream_));
        copied_[slot].record(stream_);
    }
    bool mended_;
    Pinned<float> table_;
    OnDevice<float> vectors_, columns_;
    OnDevice<int> best_;
    Pinned<float> gathered_[2] = {pinned<float>(values), pinned<float>(values)};
    Event copied_[2];
    Stream stream_;
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
        uint64_t kept = mended ? ~uint64_t(0) : 0;
        CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept));
    }
    ~Pooled() override {
        cudaDeviceSynchronize();
        cudaMemPoolDestroy(pool_);
    }
    void step(int) override {
        float2* buffers[4] = {};
        for (float2*& buffer : buffers)
            CHECK(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&buffer), bytes, pool_, stream_));
        for (float2* buffer : buffers) {
            CHECK(cudaMemcpyAsync(buffer, signal_.get(), bytes, cudaMemcpyDeviceToDevice, stream_));
            transform(buffer, rows / 2, stream_);
            power(buffer, rows * 1024 / 2, sum_.get(), stream_);
        }
        for (float2* buffer : buffers)
            CHECK(cudaFreeAsync(buffer, stream_));
        CHECK(cudaMemcpyAsync(result_.get(), sum_.get(), sizeof(float), cudaMemcpyDeviceToHost, stream_));
        CHECK(cudaStreamSynchronize(stream_));
        total_ += result_[0];
    }

private:
    static constexpr int rows = 8192;
    static constexpr size_t bytes = size_t(rows) * 1024 * sizeof(float2);
    cudaMemPool_t pool_ = nullptr;
    OnDevice<float2> signal_ = onDevice<float2>(size_t(rows) * 1024);
    OnDevice<float> sum_ = onDevice<float>(1);
    Pinned<float> result_ = pinned<float>(1);
    Stream stream_;
    float total_ = 0;
};

/// A table in managed memory that the host changes and the device looks values up in; mended, it is moved
/// before it is used.
class ManagedTable : public Program {
public:
    explicit ManagedTable(bool mended)
        : mended_(mended)
        , values_(onDevice<float>(count)) {
        CHECK(cudaMallocManaged(&table_, entries * sizeof(float)));
        std::memset(table_, 0, entries * sizeof(float));
    }
    ~ManagedTable() override {
        cudaDeviceSynchronize();
        cudaFree(table_);
    }
    void step(int i) override {
        move(cudaMemLocationTypeHost);
        CHECK(cudaStreamSynchronize(stream_));
        for (size_t at = 0; at < entries; at += 1024)
            table_[at] += float(i % 3);
        move(cudaMemLocationTypeDevice);
        settle(table_, entries, stream_);
        lookUp(table_, entries, values_.get(), count, 100, stream_);
    }

private:
    static constexpr size_t entries = 2 << 20, count = 2 << 20;
    void move(cudaMemLocationType where) {
        cudaMemLocation location = {};
        location.type = where;
        location.id = 0;
        if (mended_)
            CHECK(cudaMemPrefetchAsync(table_, entries * sizeof(float), location, 0, stream_));
    }
    bool mended_;
    float* table_ = nullptr;
    OnDevice<float> values_;
    Stream stream_;
};

/// While a picture is shaded, the next scene comes. Its head is copied, a part cleared, its body copied;
/// the shader fills the device, and the memset waits for its end. Mended, the memset comes before the shader,
/// in its stream. 20 to 40 %.
class Scenes : public Program {
public:
    explicit Scenes(bool mended)
        : mended_(mended) {}
    void step(int i) override {
        for (int number = i * 4; number < (i + 1) * 4; ++number) {
            Slot& slot = slots_[number % 2];
            load(slot);
            slot.loaded.holdUp(compute_);
            shade(pixels_.get(), reinterpret_cast<float*>(slot.scene.get()), layers, 9000, compute_);
            if (mended_)
                clear(slot, compute_);
            slot.free.record(compute_);
        }
    }

private:
    static constexpr int layers = 4;
    static constexpr size_t head = 2 << 20, cleared = 16 << 20, body = 32 << 20;
    struct Slot {
        OnDevice<char> scene = onDevice<char>(head + cleared + body);
        Event loaded, free;
    };
    void clear(const Slot& slot, cudaStream_t stream) {
        CHECK(cudaMemsetAsync(slot.scene.get() + head, 0, cleared, stream));
    }
    void load(const Slot& slot) {
        slot.free.holdUp(up_);
        CHECK(cudaMemcpyAsync(slot.scene.get(), in_.get(), head, cudaMemcpyHostToDevice, up_));
        if (!mended_)
            clear(slot, up_);
        CHECK(
            cudaMemcpyAsync(slot.scene.get() + head + cleared, in_.get(), body, cudaMemcpyHostToDevice, up_));
        slot.loaded.record(up_);
    }
    bool mended_;
    Pinned<char> in_ = pinned<char>(body);
    OnDevice<float> pixels_ = onDevice<float>(layers * 811008);
    Slot slots_[2];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> thirdMemoryPairs() {
    const std::vector<std::string> pieces = {"small-copies", "launch-bound"};
    const std::vector<std::string> memory = {"allocation", "device-barrier", "host-late"};
    const std::vector<std::string> waits = {"host-sync", "host-late"}; // the host reads what the device wrote
    return {
        {"rows_one_by_one", pieces, pieces, make<Requests>},
        {"pool_gives_back", memory, memory, make<Pooled>},
        {"managed_table", {"unified-memory"}, {"unified-memory"}, make<ManagedTable>, false, waits},
        {"memset_beside_shader", {"memset-full-grid"}, {"memset-full-grid"}, make<Scenes>},
    };
}
