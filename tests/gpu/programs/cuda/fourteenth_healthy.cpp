// What has nothing to mend in the fourteenth set. Like fourteenth.cpp written without reading the analysis.
#include "fourteenth.h"

#include <mutex>
#include <thread>

namespace {

using namespace third;
using fourteenth::Ranked;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: eight pictures of a car's camera a step. What is in front of it is found by a chain of
/// four small grids, which go first, while the map is drawn by grids that fill the device. The host takes
/// what was found two pictures ago.
class Car : public Program {
public:
    explicit Car(bool) {}
    ~Car() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.found.await();
            slot.charted.await();
            ahead_ += double(slot.out[size_t(number) % count]);
            slot.in[size_t(number) % count] = 0.1f * float(number % 6);
            find(slot);
            fourteenth::chart(map_.get(), places, 4000, later_);
            slot.charted.record(later_);
        }
    }
    double result() override { return sumOf(map_.get(), places) + sumOf(seen_.get(), count); }

private:
    static constexpr size_t count = fourteenth::detected, places = 4 << 20;
    struct Slot {
        Pinned<float> in = pinned<float>(count), out = pinned<float>(count);
        Event found, charted;
    };
    void find(const Slot& slot) {
        toDevice(picture_.get(), slot.in.get(), count, first_);
        fourteenth::detect(picture_.get(), seen_.get(), 8000, first_);
        for (int n = 0; n < 3; ++n)
            fourteenth::detect(seen_.get(), seen_.get(), 8000, first_);
        toHost(slot.out.get(), seen_.get(), count, first_);
        slot.found.record(first_);
    }
    double ahead_ = 0;
    OnDevice<float> map_ = onDevice<float>(places), picture_ = onDevice<float>(count),
                    seen_ = onDevice<float>(count);
    Slot slots_[2];
    Ranked first_{true}, later_{false};
};

/// Nothing to mend: the climate of a house, six hours a step. 64 tables come for each hour by a copy each,
/// but a stream of its own brings them while the hour before is computed, which takes far longer. Two slots.
class House : public Program {
public:
    explicit House(bool) {}
    ~House() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.loaded.await(); // two hours ago
            slot.host[size_t(number) % values] = 0.1f * float(number % 8);
            slot.used.holdUp(up_);
            for (size_t n = 0; n < values; n += length)
                toDevice(slot.tables.get() + n, slot.host.get() + n, length, up_);
            slot.loaded.record(up_);
            slot.loaded.holdUp(compute_);
            fourteenth::forecast(slot.tables.get(), climate_.get(), count, 8000, compute_);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(climate_.get(), count); }

private:
    static constexpr size_t values = fourteenth::tableValues, length = values / 64, count = 2 << 20;
    struct Slot {
        Pinned<float> host = pinned<float>(values);
        OnDevice<float> tables = onDevice<float>(values);
        Event loaded, used;
    };
    OnDevice<float> climate_ = onDevice<float>(count);
    Slot slots_[2];
    Stream up_, compute_;
};

/// Nothing to mend: two desks that answer questions, ten each a step, a thread and a stream for each one. A
/// kernel fills the device, and while one desk's question comes or its answer leaves the other one's kernel
/// runs. They share a journal and its lock, which is held to write a number only. Two slots.
class Desks : public Program {
public:
    explicit Desks(bool) {}
    ~Desks() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        std::thread other([this, i] { serve(desks_[1], i); });
        serve(desks_[0], i);
        other.join();
    }
    double result() override {
        return sumOf(desks_[0].values.get(), count) + sumOf(desks_[1].values.get(), count);
    }

private:
    static constexpr size_t asked = fourteenth::asked, count = 1 << 20;
    struct Slot {
        Pinned<float> question = pinned<float>(asked), answer = pinned<float>(asked);
        OnDevice<float> there = onDevice<float>(asked);
        Event answered;
    };
    struct Desk {
        OnDevice<float> values = onDevice<float>(count);
        Slot slots[2];
        Stream stream;
    };
    void serve(const Desk& desk, int i) {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            const Slot& slot = desk.slots[number % 2];
            slot.answered.await(); // two questions ago
            note(double(slot.answer[size_t(number) % asked]));
            slot.question[size_t(number) % asked] = 0.1f * float(number % 7);
            toDevice(slot.there.get(), slot.question.get(), asked, desk.stream);
            fourteenth::answer(slot.there.get(), desk.values.get(), count, 8000, desk.stream);
            toHost(slot.answer.get(), desk.values.get(), asked, desk.stream);
            slot.answered.record(desk.stream);
        }
    }
    void note(double value) {
        const std::lock_guard lock(mutex_);
        journal_ += value;
    }
    std::mutex mutex_;
    double journal_ = 0;
    Desk desks_[2];
};

/// Nothing to mend: ten moments of a reactor a step. 64 KiB of each one are set aside and leave in a side
/// stream, where a host function writes them to a log, beside the next moment. Two slots.
class Reactor : public Program {
public:
    explicit Reactor(bool) {}
    ~Reactor() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            Slot& slot = slots_[number % 2];
            fourteenth::chart(fuel_.get(), count, 4000, compute_);
            slot.logged.holdUp(compute_); // two moments ago
            CHECK(cudaMemcpyAsync(slot.aside.get(), fuel_.get(), shown * sizeof(float),
                                  cudaMemcpyDeviceToDevice, compute_));
            slot.made.record(compute_);
            slot.made.holdUp(side_);
            toHost(slot.host.get(), slot.aside.get(), shown, side_);
            CHECK(cudaLaunchHostFunc(side_, writeDown, &slot));
            slot.logged.record(side_);
        }
    }
    double result() override { return sumOf(fuel_.get(), count); }

private:
    static constexpr size_t count = 4 << 20, shown = 16384;
    struct Slot {
        OnDevice<float> aside = onDevice<float>(shown);
        Pinned<float> host = pinned<float>(shown);
        double hottest = 0;
        Event made, logged;
    };
    static void CUDART_CB writeDown(void* given) {
        Slot& slot = *static_cast<Slot*>(given);
        slot.hottest = double(*std::max_element(slot.host.get(), slot.host.get() + shown));
        workOnHost(30);
    }
    OnDevice<float> fuel_ = onDevice<float>(count);
    Slot slots_[2];
    Stream compute_, side_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fourteenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_car_before_map", {}, {}, make<Car>, true, shared},
        {"healthy_tables_of_house_beside_hour", {}, {}, make<House>, true, shared},
        {"healthy_desks_with_journal", {}, {}, make<Desks>, true, shared},
        {"healthy_reactor_log", {}, {}, make<Reactor>, true, shared},
    };
}
