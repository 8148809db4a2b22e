// What has nothing to mend in the eighteenth set. Like eighteenth.cpp written without reading the analysis.
#include "eighteenth.h"

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: sign language is read aloud, six batches a step. Hands, signs and words are three stages
/// with a stream each, of 40 blocks and 0.5 ms, and each stage works on another batch. 40 KiB come and leave
/// in further streams. A stage needs what it remembers of the batch before, and the stage before it. The host
/// looks at the batch of five before, works for 40 us, and writes the next one.
class Signs : public Program {
public:
    explicit Signs(bool) {}
    ~Signs() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Batch& batch = batches_[number % 5];
            batch.left.await(); // five batches ago
            heard_ += double(batch.spoken[size_t(number) * 59 % values]);
            for (size_t n = 0; n < values; n += 4)
                batch.picture[n] = 0.01f * float((n + size_t(number) * 17) % 73);
            workOnHost(40);
            toDevice(batch.shown.get(), batch.picture.get(), values, up_);
            batch.loaded.record(up_);
            batch.loaded.holdUp(first_);
            eighteenth::findHands(batch.shown.get(), memory_[0].get(), batch.hands.get(), 220000, first_);
            batch.found.record(first_);
            batch.found.holdUp(second_);
            eighteenth::readSigns(batch.hands.get(), memory_[1].get(), batch.signs.get(), 214000, second_);
            batch.read.record(second_);
            batch.read.holdUp(third_);
            eighteenth::sayWords(batch.signs.get(), memory_[2].get(), batch.words.get(), 214000, third_);
            batch.said.record(third_);
            batch.said.holdUp(down_);
            toHost(batch.spoken.get(), batch.words.get(), values, down_);
            batch.left.record(down_);
        }
    }
    double result() override {
        double sum = heard_;
        for (const OnDevice<float>& memory : memory_)
            sum += sumOf(memory.get(), values);
        return sum;
    }

private:
    static constexpr size_t values = eighteenth::signValues;
    /// Nothing of it is written again before it has left.
    struct Batch {
        Pinned<float> picture = pinned<float>(values), spoken = pinned<float>(values);
        OnDevice<float> shown = onDevice<float>(values), hands = onDevice<float>(values),
                        signs = onDevice<float>(values), words = onDevice<float>(values);
        Event loaded, found, read, said, left;
    };
    double heard_ = 0;
    OnDevice<float> memory_[3] = {onDevice<float>(values), onDevice<float>(values), onDevice<float>(values)};
    Batch batches_[5];
    Stream up_, first_, second_, third_, down_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> eighteenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_signs_by_three_stages", {}, {}, make<Signs>, true, shared},
    };
}
