// What has nothing to mend in the fifteenth set. Like fifteenth.cpp written without reading the analysis.
#include "fifteenth.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: subtitles of a film, eight pieces of sound a step. A thread reads them one or two pieces
/// ahead, which takes it half as long as the graph of three kernels that finds the words. How loud each band
/// is to be, 1 KiB, comes from ordinary memory, but in the stream of the copies. Words leave in a third
/// stream, and the host looks at those of two pieces ago. Three slots with a graph each.
class Subtitles : public Program {
public:
    explicit Subtitles(bool) {
        for (Slot& slot : slots_)
            slot.graph = twelfth::graphOf(compute_, [this, &slot] { find(slot); });
        reader_ = std::thread([this] { readAhead(); });
    }
    ~Subtitles() override {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
        reader_.join();
        cudaDeviceSynchronize();
        for (const Slot& slot : slots_)
            cudaGraphExecDestroy(slot.graph);
    }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            takeOver(slots_[number % slots], number);
            bands_[size_t(number) % bands_.size()] = 1.0f + 0.1f * float(number % 5);
            issue(slots_[number % slots]);
            tell(number + 1);
            const Slot& before = slots_[(number + 1) % slots];
            before.left.await(); // two pieces ago
            shown_ += double(before.text[size_t(number) % shown]);
        }
    }
    double result() override {
        double sum = 0;
        for (const Slot& slot : slots_)
            sum += sumOf(slot.words.get(), fifteenth::heardValues);
        return sum;
    }

private:
    static constexpr int slots = 3;
    static constexpr size_t values = fifteenth::soundValues, shown = 16384;
    struct Slot {
        Pinned<float> read = pinned<float>(values), text = pinned<float>(shown);
        OnDevice<float> sound = onDevice<float>(values), bands = onDevice<float>(fifteenth::bandValues),
                        words = onDevice<float>(fifteenth::heardValues);
        Event loaded, used, left;
        cudaGraphExec_t graph = nullptr;
        int number = -1; ///< of the piece that was read
    };
    void find(const Slot& slot) {
        fifteenth::listen(slot.sound.get(), slot.bands.get(), heard_.get(), 4000, compute_);
        for (int n = 0; n < 2; ++n)
            fifteenth::understand(heard_.get(), slot.words.get(), 4500, compute_);
    }
    void issue(const Slot& slot) {
        slot.used.holdUp(up_);
        toDevice(slot.sound.get(), slot.read.get(), values, up_);
        toDevice(slot.bands.get(), bands_.data(), bands_.size(), up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        slot.left.holdUp(compute_); // three pieces ago
        CHECK(cudaGraphLaunch(slot.graph, compute_));
        slot.used.record(compute_);
        slot.used.holdUp(down_);
        toHost(slot.text.get(), slot.words.get(), shown, down_);
        slot.left.record(down_);
    }
    void readAhead() {
        for (int number = 0;; ++number) {
            Slot& slot = slots_[number % slots];
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this, number] { return ended_ || issued_ > number - slots; });
            if (ended_)
                return;
            lock.unlock();
            slot.loaded.await(); // three pieces ago
            for (size_t n = size_t(number) % 16; n < values; n += 16)
                slot.read[n] = 0.1f * float(number % 10);
            workOnHost(200);
            lock.lock();
            slot.number = number;
            changed_.notify_all();
        }
    }
    void takeOver(const Slot& slot, int number) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&slot, number] { return slot.number == number; });
    }
    void tell(int issued) {
        const std::lock_guard lock(mutex_);
        issued_ = issued;
        changed_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    int issued_ = 0;
    bool ended_ = false;
    double shown_ = 0;
    std::array<float, fifteenth::bandValues> bands_ = {};
    OnDevice<float> heard_ = onDevice<float>(fifteenth::heardValues);
    Slot slots_[slots];
    Stream up_, compute_, down_;
    std::thread reader_;
};

/// Nothing to mend: a net of electricity, eight moments a step. What is drawn from it, 128 KiB, comes from
/// eight stations by a copy each beside the moment before. 64 KiB of each moment are set aside and leave in
/// the NULL stream, which no stream here waits for, as all of them are non-blocking ones. The host judges
/// those of two moments ago for 50 us, when the next one is under way. Two slots.
class Net : public Program {
public:
    explicit Net(bool) {}
    ~Net() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.left.await(); // two moments ago
            judge(slot, number);
            bring(slot, number);
            slot.loaded.holdUp(compute_);
            for (int n = 0; n < 2; ++n)
                fifteenth::balance(nets_[n].get(), slot.drawn.get(), nets_[1 - n].get(), 4000, compute_);
            CHECK(cudaMemcpyAsync(slot.aside.get(), nets_[0].get(), shown * sizeof(float),
                                  cudaMemcpyDeviceToDevice, compute_));
            slot.made.record(compute_);
            slot.made.holdUp(nullptr);
            toHost(slot.out.get(), slot.aside.get(), shown, nullptr);
            slot.left.record(nullptr);
        }
    }
    double result() override { return sumOf(nets_[0].get(), fifteenth::lines); }

private:
    static constexpr size_t values = fifteenth::drawnValues, ofStation = values / 8, shown = 16384;
    struct Slot {
        Pinned<float> in = pinned<float>(values), out = pinned<float>(shown);
        OnDevice<float> drawn = onDevice<float>(values), aside = onDevice<float>(shown);
        Event loaded, made, left;
    };
    void judge(const Slot& slot, int number) {
        worst_ = std::max(worst_, *std::max_element(slot.out.get(), slot.out.get() + shown / 16));
        slot.in[size_t(number) * 37 % values] = 0.1f * float(number % 8);
        workOnHost(50);
    }
    /// What used this slot before has ended, as the host waited for what came behind it.
    void bring(const Slot& slot, int number) const {
        for (size_t n = 0; n < 8; ++n) {
            const size_t begin = (n + size_t(number)) % 8 * ofStation;
            toDevice(slot.drawn.get() + begin, slot.in.get() + begin, ofStation, up_);
        }
        slot.loaded.record(up_);
    }
    float worst_ = 0;
    OnDevice<float> nets_[2] = {onDevice<float>(fifteenth::lines), onDevice<float>(fifteenth::lines)};
    Slot slots_[2];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fifteenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_subtitles_read_ahead", {}, {}, make<Subtitles>, true, shared},
        {"healthy_net_with_null_stream", {}, {}, make<Net>, true, shared},
    };
}
