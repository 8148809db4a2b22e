// Events that hold up more than they have to.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

namespace {

/// What a camera saw of a circuit board.
constexpr size_t boardPixels = 5 << 19;

/// 600 rounds take about 0.06 ms.
__global__ void develop(const float* raw, float* picture, int rounds) {
    const int i = thread();
    picture[i] = settled(0.3f * picture[i] + 0.4f * raw[i], rounds);
}

/// 1600 rounds take about 0.15 ms.
__global__ void examine(const float* from, float* to, int rounds) {
    const int i = thread();
    const float before = from[i > 0 ? i - 1 : 0], next = from[i + 1 < int(boardPixels) ? i + 1 : i];
    to[i] = settled(0.6f * from[i] + 0.1f * before + 0.2f * next + 0.001f * float(i % 19), rounds);
}

/// 2^21 points and 11000 rounds take about 0.8 ms.
__global__ void gather(const float* points, float* cells, int rounds) {
    const int i = thread();
    cells[i] = settled(0.5f * cells[i] + 0.1f * points[i], rounds);
}

/// Chunks in three streams, which do not need each other. Each waits for an event behind the one before;
/// mended, none does. 50 to 67 %.
class EventChain : public Pipeline {
public:
    explicit EventChain(bool mended)
        : Pipeline(Shape())
        , mended_(mended) {}

protected:
    void chunk(int number, Slot& slot) override {
        if (!mended_ && number)
            done_.holdUp(slot.stream);
        Pipeline::chunk(number, slot);
        done_.record(slot.stream);
    }

private:
    bool mended_;
    Event done_;
};

/// A stream for each part of a chunk: to the device, kernel, back. Two slots. A kernel may overwrite a slot
/// after its results of two chunks ago were taken. Bad: it is the copy to the device that waits for results,
/// and for those of the chunk before, which has the other slot; that is enough for the data, but no two
/// chunks meet. 40 to 60 %.
class Relay : public Mendable {
public:
    explicit Relay(bool mended, size_t values = 2 << 20, int rounds = 4000)
        : Mendable(mended)
        , values_(values)
        , rounds_(rounds) {}
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number)
            chunk(slots_[number % 2], slots_[1 - number % 2]);
    }

private:
    size_t values_;
    int rounds_;
    struct Slot {
        explicit Slot(size_t count)
            : in(pinned<float>(count))
            , out(pinned<float>(count))
            , source(onDevice<float>(count))
            , values(onDevice<float>(count)) {}
        Pinned<float> in, out;
        OnDevice<float> source, values;
        Event filled, worked, taken;
    };
    void chunk(const Slot& slot, const Slot& other) const {
        if (mended_) {
            slot.worked.holdUp(up_);
            slot.taken.holdUp(compute_);
        } else {
            other.taken.holdUp(up_);
        }
        toDevice(slot.source.get(), slot.in.get(), values_, up_);
        slot.filled.order(up_, compute_);
        onDeviceTo(slot.values.get(), slot.source.get(), values_, compute_);
        mix(slot.values.get(), values_, rounds_, compute_);
        slot.worked.order(compute_, down_);
        toHost(slot.out.get(), slot.values.get(), values_, down_);
        slot.taken.record(down_);
    }
    Slot slots_[2] = {Slot(values_), Slot(values_)};
    Stream up_, compute_, down_;
};

/// Nothing to mend.
struct HealthyRelay : Relay {
    HealthyRelay()
        : Relay(true, 1 << 19, 30000) {}
};

/// Six circuit boards a step are looked at. What the camera saw, 10 MiB, comes to one buffer, about 0.21 ms,
/// is developed, 0.06 ms, and three passes go over the picture, 0.15 ms each. The next board may come when
/// the buffer is free: the copy waits for an event behind the last pass; mended, for one behind developing,
/// which alone reads the buffer. 22 to 34 %.
class Boards : public Mendable {
public:
    explicit Boards(bool mended)
        : Mendable(mended) {
        fill(boards_, boardPixels);
    }
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            free_.holdUp(up_);
            toDevice(raw_.get(), boards_[number % 3].get(), boardPixels, up_);
            loaded_.order(up_, compute_);
            develop<<<blocksOf(boardPixels), threads, 0, compute_>>>(raw_.get(), pictures_[0].get(), 600);
            if (mended_)
                free_.record(compute_);
            for (int pass = 0; pass < 3; ++pass)
                examine<<<blocksOf(boardPixels), threads, 0, compute_>>>(pictures_[pass % 2].get(),
                                                                         pictures_[1 - pass % 2].get(), 1600);
            if (!mended_)
                free_.record(compute_);
        }
        ended_[i % 2].record(compute_);
    }
    double result() override { return sumOf(pictures_[0], boardPixels) + sumOf(pictures_[1], boardPixels); }

private:
    Pinned<float> boards_[3];
    OnDevice<float> raw_ = onDevice<float>(boardPixels),
                    pictures_[2] = {onDevice<float>(boardPixels), onDevice<float>(boardPixels)};
    Event free_, loaded_, ended_[2];
    Stream up_, compute_;
};

/// Ten turns of a laser scanner a step, 8 MiB of points each, come a turn ahead. Two slots, but one event
/// that says that points are there. It is recorded for the next turn before the kernel of this one waits for
/// it, and so no copy is beside a kernel; mended, each slot has its own. 12 to 25 %.
class Scanner : public Mendable {
public:
    explicit Scanner(bool mended)
        : Mendable(mended) {
        fill(turns_, count);
        load(0);
    }
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            const Slot& slot = slots_[number % 2];
            load(number + 1);
            loaded(slot).holdUp(compute_);
            gather<<<blocksOf(count), threads, 0, compute_>>>(slot.points.get(), cells_.get(), 11000);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(cells_, count); }

private:
    static constexpr size_t count = 2 << 20;
    struct Slot {
        OnDevice<float> points = onDevice<float>(count);
        Event loaded, used;
    };
    const Event& loaded(const Slot& slot) const { return mended_ ? slot.loaded : loaded_; }
    void load(int number) {
        const Slot& slot = slots_[number % 2];
        slot.used.holdUp(up_);
        toDevice(slot.points.get(), turns_[number % 3].get(), count, up_);
        loaded(slot).record(up_);
    }
    Pinned<float> turns_[3];
    OnDevice<float> cells_ = onDevice<float>(count);
    Event loaded_;
    Slot slots_[2];
    Stream up_, compute_;
};

} // namespace

std::vector<Pair> eventPairs() {
    const Texts causes = {"event-order"}, shared = {"stretched"};
    return {
        {"chunks_chained_by_events", causes, make<EventChain>, shared},
        {"wait_on_wrong_stream", causes, make<Relay>, shared},
        {"board_waits_for_last_pass", causes, make<Boards>, shared},
        {"one_event_for_both_slots", causes, make<Scanner>, shared},
        healthy<HealthyRelay>("healthy_relay", shared),
    };
}
