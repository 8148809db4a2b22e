// Host functions in a stream.
#include "kernel_parts.cuh"
#include "parts.h"
#include "pipeline.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace {

/// A tile of a picture follows from so many triangles; 2^20 pixels and 6700 rounds take about 0.25 ms.
constexpr size_t triangles = 8192;
__global__ void draw(const float* list, float* tile, int rounds) {
    const int i = thread();
    tile[i] = settled(0.5f * tile[i] + 0.1f * list[i % int(triangles)], rounds);
}

/// 2^22 values and 4000 rounds take about 0.6 ms.
__global__ void heat(float* fuel, int rounds) {
    const int i = thread();
    fuel[i] = settled(0.5f * fuel[i] + 0.002f * float(i % 9), rounds);
}

/// Chunks in two streams. Something is reported after the kernel of each, which takes 0.2 ms: by a function
/// in the stream, which the copy back waits for; mended, by the host an iteration later. 10 to 25 %.
class Reported : public Pipeline {
public:
    explicit Reported(bool mended)
        : Pipeline(shape())
        , mended_(mended) {}
    void step(int i) override {
        Pipeline::step(i);
        if (!mended_ || i == 0)
            return;
        for (int number = (i - 1) * shape_.chunks; number < i * shape_.chunks; ++number) {
            worked_[number % 8].await();
            report(nullptr);
        }
    }

protected:
    static Shape shape() {
        Shape s;
        s.streams = 2;
        return s;
    }
    static void CUDART_CB report(void*) { workOnHost(200); }
    void chunk(int number, Slot& slot) override {
        copyIn(slot);
        work(slot);
        if (mended_)
            worked_[number % 8].record(slot.stream);
        else
            CHECK(cudaLaunchHostFunc(slot.stream, report, nullptr));
        copyOut(slot);
    }

private:
    bool mended_;
    Event worked_[8]; // of the last two iterations of four chunks
};

/// 20 tiles of a picture a step, each drawn from a list of triangles that the host changes a little. There
/// are four buffers for the lists. A host function behind each tile gives its buffer back to those that are
/// free, where the host takes one; mended, the host waits for an event behind the last tile of the buffer. 3
/// to 10 %.
class Tiles : public Mendable {
public:
    explicit Tiles(bool mended)
        : Mendable(mended) {
        for (Buffer& buffer : buffers_) {
            buffer.owner = this;
            free_.push_back(&buffer);
        }
    }
    void step(int i) override {
        for (int number = i * 20; number < (i + 1) * 20; ++number) {
            Buffer& buffer = mended_ ? buffers_[number % 4] : freeOne();
            if (mended_)
                buffer.drawn.await();
            buffer.host[size_t(number) % triangles] = 0.1f * float(number % 10);
            toDevice(buffer.list.get(), buffer.host.get(), triangles, up_);
            buffer.loaded.order(up_, compute_);
            draw<<<blocksOf(pixels), threads, 0, compute_>>>(buffer.list.get(), tile_.get(), 6700);
            if (mended_)
                buffer.drawn.record(compute_);
            else
                CHECK(cudaLaunchHostFunc(compute_, giveBack, &buffer));
        }
    }
    double result() override { return sumOf(tile_, pixels); }

private:
    static constexpr size_t pixels = 1 << 20;
    struct Buffer {
        Tiles* owner = nullptr;
        Pinned<float> host = pinned<float>(triangles);
        OnDevice<float> list = onDevice<float>(triangles);
        Event loaded, drawn;
    };
    Buffer& freeOne() {
        std::unique_lock<std::mutex> lock(mutex_);
        given_.wait(lock, [this] { return !free_.empty(); });
        Buffer& buffer = *free_.front();
        free_.pop_front();
        return buffer;
    }
    static void CUDART_CB giveBack(void* given) {
        Buffer* const buffer = static_cast<Buffer*>(given);
        Tiles& tiles = *buffer->owner;
        const std::lock_guard<std::mutex> lock(tiles.mutex_);
        tiles.free_.push_back(buffer);
        tiles.given_.notify_one();
    }
    std::mutex mutex_;
    std::condition_variable given_;
    std::deque<Buffer*> free_;
    OnDevice<float> tile_ = onDevice<float>(pixels);
    Buffer buffers_[4];
    Stream up_, compute_;
};

/// Nothing to mend: ten moments of a reactor a step. 64 KiB of each one are set aside and leave in a side
/// stream, where a host function writes them to a log, beside the next moment. Two slots.
class Reactor : public Program {
public:
    void step(int i) override {
        for (int number = i * 10; number < (i + 1) * 10; ++number) {
            Slot& slot = slots_[number % 2];
            heat<<<blocksOf(count), threads, 0, compute_>>>(fuel_.get(), 4000);
            slot.logged.holdUp(compute_); // two moments ago
            onDeviceTo(slot.aside.get(), fuel_.get(), shown, compute_);
            slot.made.order(compute_, side_);
            toHost(slot.host.get(), slot.aside.get(), shown, side_);
            CHECK(cudaLaunchHostFunc(side_, writeDown, &slot));
            slot.logged.record(side_);
        }
    }
    double result() override { return sumOf(fuel_, count); }

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

} // namespace

std::vector<Pair> callbackPairs() {
    const Texts shared = {"stretched"};
    return {
        {"reports_by_host_function", {"callback"}, make<Reported>, {"host-sync", "stretched", "callback"}},
        {"buffers_given_back_by_host_function", {"callback"}, make<Tiles>, shared},
        healthy<Reactor>("healthy_reactor_log", shared),
    };
}
