// The host is late: with input, with the next launch, with its own work, with what it makes for each task.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

#include <chrono>
#include <cstring>
#include <future>
#include <thread>

namespace {

/// By 64 blocks, so that two run beside each other; 2^16 values and 60000 rounds take about 0.5 ms.
__global__ void unpack(const float* from, float* to, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        to[i] = settled(0.5f * from[i] + 0.002f * float(i % 13), rounds);
}

__global__ void inspect(const float* from, float* to, int count, int rounds) {
    for (int i = thread(); i < count; i += threadsOfGrid())
        to[i] = 0.5f * to[i] + settled(from[i], rounds);
}

/// Nine chunks a step, whose results are needed. The host prepares the next input for two milliseconds: after
/// the results came; mended, by a thread while the device works. 30 to 40 %.
class Prepared : public Pipeline {
public:
    explicit Prepared(bool mended)
        : Pipeline(shape())
        , mended_(mended) {}
    void step(int i) override {
        if (next_.valid())
            next_.get();
        else
            workOnHost(2000);
        Pipeline::step(i);
        if (mended_)
            next_ = std::async(std::launch::async, [] { workOnHost(2000); });
        for (Slot& slot : slots_)
            CHECK(cudaStreamSynchronize(slot.stream));
    }
    void finish() override {
        if (next_.valid())
            next_.get();
    }

protected:
    static Shape shape() {
        Shape s;
        s.chunks = 9;
        return s;
    }

private:
    bool mended_;
    std::future<void> next_;
};

/// 12 blocks of samples a step are unpacked in one stream and looked through in another, 64 blocks of threads
/// each and two slots. The host asks every 0.3 ms if one is unpacked before it launches what looks through
/// it; mended, the other stream waits for an event. 20 to 45 %.
class Samples : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number) {
            const Slot& slot = slots_[number % 2];
            slot.inspected.holdUp(first_);
            unpack<<<64, threads, 0, first_>>>(raw_.get(), slot.samples.get(), count, 50000);
            slot.unpacked.record(first_);
            if (mended_)
                slot.unpacked.holdUp(second_);
            else
                while (cudaEventQuery(slot.unpacked) == cudaErrorNotReady)
                    std::this_thread::sleep_for(std::chrono::microseconds(300));
            inspect<<<64, threads, 0, second_>>>(slot.samples.get(), found_.get(), count, 45000);
            slot.inspected.record(second_);
        }
    }
    double result() override { return sumOf(found_, count); }

private:
    static constexpr int count = 1 << 16;
    struct Slot {
        OnDevice<float> samples = onDevice<float>(count);
        Event unpacked, inspected;
    };
    OnDevice<float> raw_ = onDevice<float>(count), found_ = onDevice<float>(count);
    Slot slots_[2];
    Stream first_, second_;
};

/// A simulation of four steps in time, after which 16 MiB of its field are written, here to memory. Bad: the
/// loop takes and writes them; mended, a copy stream and a thread do it. 10 to 25 %.
class Written : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        Slot& slot = slots_[i % 2];
        for (int n = 0; n < 4; ++n) {
            if (n == 1)
                taken_.holdUp(compute_); // this one overwrites what was to be written
            advanceField(from_.get(), to_.get(), values, settings_.get(), 15000, compute_);
            from_.swap(to_);
        }
        if (mended_)
            behind(slot);
        else
            inLoop(slot);
    }

private:
    static constexpr size_t values = 1 << 22;
    struct Slot {
        Pinned<float> host = pinned<float>(values);
        std::vector<float> file = std::vector<float>(values);
        Event there;
        std::future<void> written; // the first to be destroyed, as it uses the others
        void write() { std::memcpy(file.data(), host.get(), values * sizeof(float)); }
    };
    void inLoop(Slot& slot) {
        toHost(slot.host.get(), from_.get(), values, compute_);
        CHECK(cudaStreamSynchronize(compute_));
        slot.write();
    }
    void behind(Slot& slot) {
        if (slot.written.valid())
            slot.written.get();
        made_.order(compute_, down_);
        toHost(slot.host.get(), from_.get(), values, down_);
        taken_.record(down_);
        slot.there.record(down_);
        slot.written = std::async(std::launch::async, [&slot] {
            slot.there.await();
            slot.write();
        });
    }
    OnDevice<float> from_ = onDevice<float>(values), to_ = onDevice<float>(values);
    OnDevice<float> settings_ = onDevice<float>(4096);
    Slot slots_[2];
    Event made_, taken_;
    Stream compute_, down_;
};

/// A task has input, a kernel and a result; four are under way. Each has a stream and an event that are made
/// for it and destroyed after it; mended, they are kept. 5 to 25 %.
class Tasks : public Mendable {
public:
    explicit Tasks(bool mended)
        : Mendable(mended) {
        std::fill(by_.of, by_.of + weights, 0.999f);
    }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number)
            task(slots_[number % 4]);
    }

private:
    static constexpr size_t values = 1 << 20, input = 1 << 16;
    struct Queue {
        Stream stream;
        Event done;
    };
    struct Slot {
        OnDevice<float> device = onDevice<float>(values);
        Pinned<float> in = pinned<float>(input), out = pinned<float>(input);
        std::unique_ptr<Queue> queue = std::make_unique<Queue>();
    };
    void task(Slot& slot) {
        slot.queue->done.await();
        seen_ += slot.out[0];
        if (!mended_) {
            slot.queue.reset();
            slot.queue = std::make_unique<Queue>();
        }
        const Stream& stream = slot.queue->stream;
        toDevice(slot.device.get(), slot.in.get(), input, stream);
        filter(slot.device.get(), values, by_, 50, stream);
        toHost(slot.out.get(), slot.device.get(), input, stream);
        slot.queue->done.record(stream);
    }
    float seen_ = 0;
    Weights by_;
    Slot slots_[4];
};

} // namespace

std::vector<Pair> latePairs() {
    const Texts late = {"host-late", "host-sync"}, shared = {"stretched"};
    return {
        {"input_prepared_after_results",
         late,
         make<Prepared>,
         {"host-sync", "stretched", "callback"},
         {"host-late"}},
        {"samples_asked_for_by_clock", late, make<Samples>, shared},
        {"field_written_in_loop",
         {"host-sync", "readback", "host-late", "same-stream"},
         make<Written>,
         shared},
        {"streams_made_each_task",
         {"host-late", "host-sync", "launch-bound", "allocation", "device-barrier"},
         make<Tasks>,
         {"host-sync", "host-late", "stretched"}},
    };
}
