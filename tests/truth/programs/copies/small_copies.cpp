// Many small copies where one would do.
#include "parts.h"
#include "pipeline.h"

namespace {

/// 300 pieces of 4 KiB, which lie behind each other in pinned memory, come before a kernel: by a copy each;
/// mended, by one copy of all. 30 to 60 %.
class PiecesToDevice : public Pipeline {
public:
    explicit PiecesToDevice(bool mended)
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

/// 160 columns of a table are copied into another one of the device: by a copy each; mended, as one
/// rectangle. 5 to 35 %.
class ColumnsOnDevice : public Mendable {
public:
    using Mendable::Mendable;
    void step(int) override {
        if (mended_)
            CHECK(cudaMemcpy2DAsync(to_.get(), size * sizeof(float), from_.get(), apart * sizeof(float),
                                    size * sizeof(float), columns, cudaMemcpyDeviceToDevice, stream_));
        else
            for (size_t n = 0; n < columns; ++n)
                onDeviceTo(to_.get() + n * size, from_.get() + n * apart, size, stream_);
        mix(values_.get(), count, 20000, stream_);
    }

private:
    static constexpr size_t columns = 160, size = 1024, apart = 2048, count = 1 << 20;
    OnDevice<float> from_ = onDevice<float>(columns * apart), to_ = onDevice<float>(columns * size),
                    values_ = onDevice<float>(count);
    Stream stream_;
};

} // namespace

std::vector<Pair> smallCopyPairs() {
    const Texts causes = {"small-copies", "launch-bound"};
    return {
        {"pieces_copied_one_by_one", causes, make<PiecesToDevice>},
        {"columns_one_by_one", causes, make<ColumnsOnDevice>},
    };
}
