// What has nothing to mend in the seventeenth set. Like seventeenth.cpp written without reading the analysis.
#include "seventeenth.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Nothing to mend: slides under a microscope, eight strips a step. A strip of 4 MiB comes to one of three
/// slots a strip ahead, joins the strip before it in 0.35 ms, and leaves in a third stream. The host looks at
/// the strip of three before, works for 40 us, and issues the next one. Strips need each other in their
/// order.
class Slides : public Program {
public:
    explicit Slides(bool) {
        seventeenth::fill(scanned_, pixels);
        bring(0);
    }
    ~Slides() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot &slot = slots_[number % 3], &before = slots_[(number + 2) % 3];
            slot.left.await(); // three strips ago
            seen_ += double(slot.picture[size_t(number) * 61 % pixels]);
            workOnHost(40);
            bring(number + 1);
            slot.loaded.holdUp(compute_);
            seventeenth::join(slot.strip.get(), before.joined.get(), slot.joined.get(), 9400, compute_);
            slot.made.record(compute_);
            slot.made.holdUp(down_);
            toHost(slot.picture.get(), slot.joined.get(), pixels, down_);
            slot.left.record(down_);
        }
    }
    double result() override {
        double sum = seen_;
        for (const Slot& slot : slots_)
            sum += sumOf(slot.joined.get(), pixels);
        return sum;
    }

private:
    static constexpr size_t pixels = seventeenth::stripPixels;
    struct Slot {
        OnDevice<float> strip = onDevice<float>(pixels), joined = onDevice<float>(pixels);
        Pinned<float> picture = pinned<float>(pixels);
        Event loaded, made, left;
    };
    void bring(int number) {
        const Slot& slot = slots_[number % 3];
        slot.made.holdUp(up_);
        toDevice(slot.strip.get(), scanned_[number % 4].get(), pixels, up_);
        slot.loaded.record(up_);
    }
    double seen_ = 0;
    Pinned<float> scanned_[4];
    Slot slots_[3];
    Stream up_, compute_, down_;
};

/// Nothing to mend: an illness in four regions, a graph of ten days a step, made once for each of two slots.
/// The regions of a day are four kernels beside each other, 0.25 ms of 32 blocks each, and a short one says
/// who travels. What was reported, 128 KiB, comes beside the first day. The host writes the reports of a step
/// in 0.3 ms while the step before runs, and reads what came of two steps ago.
class Epidemic : public Program {
public:
    explicit Epidemic(bool) {
        for (Slot& slot : slots_)
            slot.graph = twelfth::graphOf(stream_, [&] { issue(slot); });
    }
    ~Epidemic() override {
        cudaDeviceSynchronize();
        for (const Slot& slot : slots_)
            cudaGraphExecDestroy(slot.graph);
    }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        slot.passed.await(); // two steps ago
        seen_ += double(slot.after[size_t(i) * 53 % people]);
        for (size_t n = 0; n < people; ++n)
            slot.reports[n] = 0.01f * float((n + size_t(i) * 11) % 79);
        workOnHost(280);
        CHECK(cudaGraphLaunch(slot.graph, stream_));
        slot.passed.record(stream_);
    }
    double result() override { return seen_ + sumOf(people_[0].get(), people); }

private:
    static constexpr int days = 10, regions = int(seventeenth::regions);
    static constexpr size_t people = seventeenth::peopleValues;
    struct Slot {
        Pinned<float> reports = pinned<float>(people), after = pinned<float>(people);
        OnDevice<float> reported = onDevice<float>(people);
        Event passed;
        cudaGraphExec_t graph = nullptr;
    };
    /// Captured: other streams join by events.
    void issue(const Slot& slot) {
        begun_.record(stream_);
        begun_.holdUp(up_);
        toDevice(slot.reported.get(), slot.reports.get(), people, up_);
        loaded_.record(up_);
        for (int day = 0; day < days; ++day) {
            begun_.record(stream_);
            for (int region = 0; region < regions; ++region) {
                const size_t first = size_t(region) * seventeenth::regionValues;
                const cudaStream_t stream = region == 0 ? cudaStream_t(stream_) : others_[region - 1];
                if (region > 0)
                    begun_.holdUp(stream);
                seventeenth::infect(people_[0].get() + first, people_[1].get() + first, 110000, stream);
                if (region > 0) {
                    ended_[region - 1].record(stream);
                    ended_[region - 1].holdUp(stream_);
                }
            }
            if (day == 0)
                loaded_.holdUp(stream_);
            seventeenth::travel(people_[1].get(), slot.reported.get(), people_[0].get(), stream_);
        }
        toHost(slot.after.get(), people_[0].get(), people, stream_);
    }
    double seen_ = 0;
    OnDevice<float> people_[2] = {onDevice<float>(people), onDevice<float>(people)};
    Slot slots_[2];
    Event begun_, loaded_, ended_[regions - 1];
    Stream stream_, up_, others_[regions - 1];
};

/// Has a thread that answers one question after the other, in its own stream.
class Desk {
public:
    Desk()
        : thread_([this] { work(); }) {}
    ~Desk() { close(); }
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    void ask(int count) {
        const std::lock_guard lock(mutex_);
        asked_ += count;
        changed_.notify_all();
    }
    /// Waits until so many questions are answered.
    void await(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return answered_ >= count; });
    }
    void close() {
        if (!thread_.joinable())
            return;
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            changed_.notify_all();
        }
        thread_.join();
    }
    /// After all is answered.
    double result() {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return answered_ == asked_; });
        }
        return best_ + sumOf(suits_[0].get(), seventeenth::adverts);
    }

private:
    static constexpr size_t values = seventeenth::personValues, shown = 4096;
    void work() {
        CHECK(cudaSetDevice(0));
        for (int number = 0;; ++number) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [&] { return closed_ || number < asked_; });
                if (number >= asked_)
                    return;
            }
            answer(number);
            const std::lock_guard lock(mutex_);
            ++answered_;
            changed_.notify_all();
        }
    }
    void answer(int number) {
        std::fill(person_.get(), person_.get() + 4096, 0.1f * float(number % 7));
        toDevice(who_.get(), person_.get(), values, stream_);
        seventeenth::suit(who_.get(), suits_[0].get(), suits_[1].get(), 4000, stream_);
        seventeenth::suit(who_.get(), suits_[1].get(), suits_[0].get(), 4000, stream_);
        toHost(found_.get(), suits_[0].get(), shown, stream_);
        left_.record(stream_);
        left_.await();
        workOnHost(40);
        best_ += double(*std::max_element(found_.get(), found_.get() + shown));
    }
    int asked_ = 0, answered_ = 0;
    bool closed_ = false;
    double best_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    Pinned<float> person_ = pinned<float>(values), found_ = pinned<float>(shown);
    OnDevice<float> who_ = onDevice<float>(values), suits_[2] = {onDevice<float>(seventeenth::adverts),
                                                                 onDevice<float>(seventeenth::adverts)};
    Event left_;
    Stream stream_;
    std::thread thread_; // the last member: it uses all others
};

/// Nothing to mend: adverts for whoever asks, by three threads with a stream each, four questions a thread
/// and step. 1 MiB comes, two kernels that fill the device take 0.15 ms each, 16 KiB leave. Each thread waits
/// for its answer and sorts it for 40 us; the other two keep the device busy meanwhile. The questions of a
/// step are asked before the step before is answered.
class Adverts : public Program {
public:
    explicit Adverts(bool) {}
    void step(int i) override {
        for (Desk& desk : desks_)
            desk.ask(4);
        for (Desk& desk : desks_)
            desk.await(i * 4); // all of the step before
    }
    void finish() override {
        for (Desk& desk : desks_)
            desk.close();
    }
    double result() override {
        double sum = 0;
        for (Desk& desk : desks_)
            sum += desk.result();
        return sum;
    }

private:
    Desk desks_[3];
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> seventeenthHealthyPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"healthy_slides_join_strips", {}, {}, make<Slides>, true, shared},
        {"healthy_epidemic_graph_of_regions", {}, {}, make<Epidemic>, true, shared},
        {"healthy_adverts_by_three_threads", {}, {}, make<Adverts>, true, shared},
    };
}
