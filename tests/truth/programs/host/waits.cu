// The host waits: for the device, for more than it needs, while it holds a lock.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

#include <future>
#include <mutex>
#include <thread>

namespace {

/// Points that a lidar saw change a map: 5900 rounds take about 0.22 ms.
constexpr size_t mapCells = 1 << 20, lidarValues = 3 << 19;
__global__ void enter(const float* points, float* map, int rounds) {
    const int i = thread();
    const float near = points[i], far = points[int(mapCells) + i / 2];
    map[i] = settled(0.6f * map[i] + 0.2f * near + 0.1f * far + 0.001f * float(i % 17), rounds);
}

/// The answer to a question of so many values; 2^20 values and 8000 rounds take about 0.3 ms.
constexpr size_t asked = 16384;
__global__ void answer(const float* question, float* values, int rounds) {
    const int i = thread();
    values[i] = settled(0.5f * values[i] + 0.1f * question[i % int(asked)], rounds);
}

/// Chunks in three streams. The host waits for the device after each one, which nothing needs; mended, never.
/// 50 to 67 %.
class WaitEach : public Pipeline {
public:
    explicit WaitEach(bool mended, const Shape& shape = Shape())
        : Pipeline(shape)
        , mended_(mended) {}

protected:
    void chunk(int number, Slot& slot) override {
        Pipeline::chunk(number, slot);
        if (!mended_)
            CHECK(cudaDeviceSynchronize());
    }

private:
    bool mended_;
};

/// The same, and the input comes from memory that is not pinned; mended, neither. 45 to 65 %.
std::unique_ptr<Program> pageableAndWaits(bool mended) {
    Shape shape;
    shape.rounds = 12000;
    shape.pinnedIn = mended;
    return std::make_unique<WaitEach>(mended, shape);
}

/// Two threads, one with eight short requests and one with two long ones, each with a stream of its own; the
/// answer is needed before the next one. Each waits for the device, and so for the other one's request too;
/// mended, for its own stream. 25 to 45 %.
class Threads : public Mendable {
public:
    using Mendable::Mendable;
    void step(int) override {
        std::future<void> other = std::async(std::launch::async, [this] { serve(long_, 2); });
        serve(short_, 8);
        other.get();
    }

private:
    static constexpr size_t values = 1 << 20, answers = 1024;
    struct Service {
        explicit Service(int length)
            : rounds(length) {
            std::fill(by.of, by.of + weights, 0.999f);
        }
        int rounds;
        float seen = 0;
        Weights by;
        OnDevice<float> device = onDevice<float>(values);
        Pinned<float> host = pinned<float>(answers);
        Stream stream;
    };
    void serve(Service& service, int requests) const {
        for (int n = 0; n < requests; ++n) {
            filter(service.device.get(), values, service.by, service.rounds, service.stream);
            toHost(service.host.get(), service.device.get(), answers, service.stream);
            CHECK(mended_ ? cudaStreamSynchronize(service.stream) : cudaDeviceSynchronize());
            service.seen += service.host[0];
        }
    }
    Service short_{80}, long_{320};
};

/// Two workers, each with requests in a stream of its own, share a lock that a request is issued under. Bad:
/// the lock is held until the answer came; mended, until it is issued. 30 to 50 %.
class Locked : public Mendable {
public:
    explicit Locked(bool mended)
        : Mendable(mended) {
        std::fill(by_.of, by_.of + weights, 0.999f);
    }
    void step(int) override {
        std::future<void> other = std::async(std::launch::async, [this] { serve(workers_[1]); });
        serve(workers_[0]);
        other.get();
    }

private:
    static constexpr size_t values = 1 << 20, answers = 4096;
    struct Worker {
        OnDevice<float> device = onDevice<float>(values);
        Pinned<float> host = pinned<float>(answers);
        float seen = 0;
        Stream stream;
    };
    void serve(Worker& worker) {
        for (int n = 0; n < 4; ++n) {
            std::unique_lock<std::mutex> lock(guard_);
            ++issued_;
            filter(worker.device.get(), values, by_, 60, worker.stream);
            toHost(worker.host.get(), worker.device.get(), answers, worker.stream);
            if (mended_)
                lock.unlock();
            CHECK(cudaStreamSynchronize(worker.stream));
            if (!mended_)
                lock.unlock();
            worker.seen += worker.host[0];
            workOnHost(60);
        }
    }
    long issued_ = 0;
    std::mutex guard_;
    Weights by_;
    Worker workers_[2];
};

/// The lidar of a car turns eight times a step. The host puts the points, 6 MiB, in order in 0.14 ms; they
/// come to one of two slots, 0.13 ms, and change a map, 0.22 ms. There is one pinned buffer, and so the host
/// waits until it was sent before it puts the next points there; mended, there are two, and it waits for the
/// turn before. 15 to 30 %.
class Lidar : public Program {
public:
    explicit Lidar(bool mended)
        : buffers_(mended ? 2 : 1) {}
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Buffer& buffer = buffers_[size_t(number) % buffers_.size()];
            buffer.sent.await();
            putInOrder(buffer.points.get(), number);
            const Slot& slot = slots_[number % 2];
            slot.used.holdUp(up_);
            toDevice(slot.points.get(), buffer.points.get(), lidarValues, up_);
            buffer.sent.order(up_, compute_);
            enter<<<blocksOf(mapCells), threads, 0, compute_>>>(slot.points.get(), map_.get(), 5900);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(map_, mapCells); }

private:
    struct Buffer {
        Pinned<float> points = pinned<float>(lidarValues);
        Event sent;
    };
    struct Slot {
        OnDevice<float> points = onDevice<float>(lidarValues);
        Event used;
    };
    /// The same places each time, so that nothing of another turn is left.
    static void putInOrder(float* points, int number) {
        for (size_t n = 0; n < lidarValues; n += 128)
            points[n] = 0.01f * float((n / 128 + size_t(number) * 5) % 83);
        workOnHost(125);
    }
    std::vector<Buffer> buffers_;
    OnDevice<float> map_ = onDevice<float>(mapCells);
    Slot slots_[2];
    Stream up_, compute_;
};

/// Nothing to mend: two desks that answer questions, ten each a step, a thread and a stream for each one. A
/// kernel fills the device, and while one desk's question comes or its answer leaves the other one's kernel
/// runs. They share a journal and its lock, which is held to write a number only. Two slots.
class Desks : public Program {
public:
    void step(int i) override {
        std::thread other([this, i] { serve(desks_[1], i); });
        serve(desks_[0], i);
        other.join();
    }
    double result() override { return sumOf(desks_[0].values, count) + sumOf(desks_[1].values, count); }

private:
    static constexpr size_t count = 1 << 20;
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
            answer<<<blocksOf(count), threads, 0, desk.stream>>>(slot.there.get(), desk.values.get(), 8000);
            toHost(slot.answer.get(), desk.values.get(), asked, desk.stream);
            slot.answered.record(desk.stream);
        }
    }
    void note(double value) {
        const std::lock_guard<std::mutex> lock(mutex_);
        journal_ += value;
    }
    std::mutex mutex_;
    double journal_ = 0;
    Desk desks_[2];
};

} // namespace

std::vector<Pair> waitPairs() {
    const Texts shared = {"stretched"}, late = {"host-sync", "host-late"};
    const Texts waits = {"host-sync", "device-barrier"},
                needed = {"host-late", "host-sync", "readback"}; // each answer
    return {
        {"sync_each_chunk", {"host-sync"}, make<WaitEach>, shared},
        {"pageable_and_sync", {"pageable", "host-sync"}, pageableAndWaits},
        {"threads_wait_for_device", waits, make<Threads>, needed},
        {"lock_held_while_waiting",
         {"host-sync", "host-late", "readback"},
         make<Locked>,
         {"host-late", "host-sync", "readback", "stretched"},
         late},
        {"points_in_one_pinned_buffer", late, make<Lidar>, shared, {"host-sync"}},
        healthy<Desks>("healthy_desks_with_journal", shared),
    };
}
