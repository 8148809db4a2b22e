// What has nothing to mend in the nineteenth set. Like nineteenth.cpp written without reading the analysis.
#include "nineteenth.h"

namespace {

using namespace third;
using nineteenth::values;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: a heart is put together from slices, six a step. 8 MiB of echoes come, become a slice in
/// a stream (0.35 ms), which is joined to the heart of the slices before in another (0.25 ms), and 4 MiB
/// leave. Both kernels fill the device. The host looks at the slice of four before and works for 30 us.
class Heart : public Program {
public:
    explicit Heart(bool) {
        for (int source = 0; source < 3; ++source)
            for (size_t n = 0; n < nineteenth::echoValues; ++n)
                heard_[source][n] = 0.01f * float((n + size_t(source) * 37) % 109);
    }
    ~Heart() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slice& slice = slices_[number % 4];
            slice.left.await(); // four slices ago
            seen_ += double(slice.seen[size_t(number) * 47 % values]);
            workOnHost(30);
            toDevice(slice.echoes.get(), heard_[number % 3].get(), nineteenth::echoValues, up_);
            slice.loaded.record(up_);
            slice.loaded.holdUp(transform_);
            nineteenth::transform(slice.echoes.get(), slice.flat.get(), 9300, transform_);
            slice.transformed.record(transform_);
            slice.transformed.holdUp(join_);
            nineteenth::join(slice.flat.get(), heart_.get(), slice.shown.get(), 6600, join_);
            slice.joined.record(join_);
            slice.joined.holdUp(down_);
            toHost(slice.seen.get(), slice.shown.get(), values, down_);
            slice.left.record(down_);
        }
    }
    double result() override { return seen_ + sumOf(heart_.get(), values); }

private:
    /// Nothing of it is written again before it has left.
    struct Slice {
        Pinned<float> seen = pinned<float>(values);
        OnDevice<float> echoes = onDevice<float>(nineteenth::echoValues), flat = onDevice<float>(values),
                        shown = onDevice<float>(values);
        Event loaded, transformed, joined, left;
    };
    double seen_ = 0;
    Pinned<float> heard_[3] = {pinned<float>(nineteenth::echoValues), pinned<float>(nineteenth::echoValues),
                               pinned<float>(nineteenth::echoValues)};
    OnDevice<float> heart_ = onDevice<float>(values);
    Slice slices_[4];
    Stream up_, transform_, join_, down_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> nineteenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_heart_by_slices", {}, {}, make<Heart>, true, shared},
    };
}
