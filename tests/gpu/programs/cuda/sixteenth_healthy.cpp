// What has nothing to mend in the sixteenth set. Like sixteenth.cpp written without reading the analysis.
#include "sixteenth.h"

#include <array>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: a robot that operates, eight moments a step. Tissue gives way in one kernel, 0.3 ms.
/// Beside it twelve tiny kernels, launched one by one, find where the tool will be in the next moment: about
/// 0.06 ms. Settings, 1 KiB, come from ordinary memory, but in the stream of the tool. The host reads the
/// force of two moments ago, when the next moment is under way, and works for 40 us. Two slots.
class Surgery : public Program {
public:
    explicit Surgery(bool) {}
    ~Surgery() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot &slot = slots_[number % 2], &before = slots_[(number + 1) % 2];
            slot.felt.await(); // two moments ago
            force_ += double(slot.force[size_t(number) * 7 % values]);
            settings_[size_t(number) % settings_.size()] = 0.1f * float(number % 6);
            workOnHost(40);
            const float* const tissue = tissue_[number % 2].get();
            before.turned.holdUp(compute_);
            sixteenth::deform(tissue, before.tool.get(), tissue_[(number + 1) % 2].get(), 125000, compute_);
            slot.deformed.record(compute_);
            before.deformed.holdUp(steering_);
            steer(before.tool.get(), tissue, slot.tool.get());
            slot.turned.record(steering_);
            toHost(slot.force.get(), slot.tool.get(), values, steering_);
            slot.felt.record(steering_);
        }
    }
    double result() override {
        return force_ + sumOf(tissue_[0].get(), sixteenth::tissueValues) +
               sumOf(slots_[0].tool.get(), values);
    }

private:
    static constexpr size_t values = sixteenth::toolValues;
    struct Slot {
        OnDevice<float> tool = onDevice<float>(values);
        Pinned<float> force = pinned<float>(values);
        Event deformed, turned, felt;
    };
    /// The tissue is not changed meanwhile: the kernel that will do so waits for the tool.
    void steer(const float* from, const float* tissue, float* to) {
        toDevice(wanted_.get(), settings_.data(), settings_.size(), steering_);
        for (int n = 0; n < 12; ++n) {
            float* const next = n == 11 ? to : between_[n % 2].get();
            sixteenth::turn(from, tissue, wanted_.get(), next, steering_);
            from = next;
        }
    }
    double force_ = 0;
    std::array<float, sixteenth::settingValues> settings_ = {};
    OnDevice<float> tissue_[2] = {onDevice<float>(sixteenth::tissueValues),
                                  onDevice<float>(sixteenth::tissueValues)},
                    between_[2] = {onDevice<float>(values), onDevice<float>(values)},
                    wanted_ = onDevice<float>(sixteenth::settingValues);
    Slot slots_[2];
    Stream compute_, steering_;
};

/// Nothing to mend: vineyards seen from above, six a step. Weather, 4 MiB, comes a vineyard ahead; two
/// kernels take 0.36 ms, between events that measure them. What is borne, 4 MiB, leaves in a third stream,
/// where a host function counts and writes a log for 15 us. Right after it issued a vineyard the host waits
/// for the one before and sorts for 60 us, while the device has enough to do. Two slots.
class Vineyards : public Program {
public:
    explicit Vineyards(bool) {
        sixteenth::fill(weather_, vines);
        bring(0);
    }
    ~Vineyards() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot& slot = slots_[number % 2];
            issue(slot);
            bring(number + 1);
            if (number == 0)
                continue;
            const Slot& before = slots_[(number + 1) % 2];
            before.left.await(); // one vineyard ago
            took_ += before.ended.since(before.begun);
            sorted_ += double(before.borne[size_t(number) * 31 % vines]);
            workOnHost(60);
        }
    }
    double result() override {
        const double sum = sumOf(plants_.get(), vines) + sumOf(slots_[0].grapes.get(), vines);
        return sum + sorted_ + logged_;
    }

private:
    static constexpr size_t vines = sixteenth::vines;
    struct Slot {
        OnDevice<float> weather = onDevice<float>(vines), grapes = onDevice<float>(vines);
        Pinned<float> borne = pinned<float>(vines);
        Event loaded, grown, made, left;
        Clock begun, ended;
    };
    void bring(int number) {
        const Slot& slot = slots_[number % 2];
        slot.grown.holdUp(up_);
        toDevice(slot.weather.get(), weather_[number % 3].get(), vines, up_);
        slot.loaded.record(up_);
    }
    /// The host has waited until what was here before had left.
    void issue(const Slot& slot) {
        slot.loaded.holdUp(compute_);
        slot.begun.record(compute_);
        sixteenth::grow(slot.weather.get(), plants_.get(), 4700, compute_);
        slot.grown.record(compute_);
        sixteenth::bear(plants_.get(), slot.grapes.get(), 4700, compute_);
        slot.ended.record(compute_);
        slot.made.record(compute_);
        slot.made.holdUp(down_);
        toHost(slot.borne.get(), slot.grapes.get(), vines, down_);
        CHECK(cudaLaunchHostFunc(down_, writeLog, this));
        slot.left.record(down_);
    }
    static void CUDART_CB writeLog(void* given) {
        workOnHost(15);
        static_cast<Vineyards*>(given)->logged_ += 1;
    }
    float took_ = 0;
    double sorted_ = 0, logged_ = 0;
    Pinned<float> weather_[3];
    OnDevice<float> plants_ = onDevice<float>(vines);
    Slot slots_[2];
    Stream up_, compute_, down_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> sixteenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_surgery_with_tiny_kernels", {}, {}, make<Surgery>, true, shared},
        {"healthy_vineyards_with_log", {}, {}, make<Vineyards>, true, shared},
    };
}
