// A fourteenth set of mistakes, continued in fourteenth_more.cpp. Written without reading the analysis: of it
// only the list of causes in the manual was known. Costs in the comments are estimates for an H100 or H200,
// not measured. What is healthy comes in fourteenth_healthy.cpp.
#include "fourteenth.h"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace {

using namespace third;
using fourteenth::Ranked;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Reads of DNA, eight rounds a step. Five passes fill the device and align them, then a few warps trace the
/// best ones back. How good the reads are is judged beside that, by a large grid in a stream of its own. As
/// it is the longest kernel, it was given the higher priority, and so the second pass begins when it is
/// nearly done and nothing is left to go beside the few warps; mended, the reads have the higher priority. 15
/// to 35 %.
class Reads : public Program {
public:
    explicit Reads(bool mended)
        : aligned_(mended)
        , judged_(!mended) {
        fourteenth::linkUp(links_.get(), aligned_);
    }
    ~Reads() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int round = 0; round < 8; ++round) {
            begun_.record(aligned_);
            begun_.holdUp(judged_);
            fourteenth::align(reads_.get(), scores_.get(), 8000, aligned_);
            for (int pass = 1; pass < 5; ++pass)
                fourteenth::align(scores_.get(), scores_.get(), 8000, aligned_);
            fourteenth::traceBack(links_.get(), scores_.get(), ends_.get(), 2000, aligned_);
            fourteenth::judge(reads_.get(), sums_.get(), 1100, judged_);
            known_.record(judged_);
            known_.holdUp(aligned_);
            fourteenth::correct(reads_.get(), scores_.get(), ends_.get(), sums_.get(), aligned_);
        }
    }
    double result() override { return sumOf(reads_.get(), fourteenth::reads); }

private:
    OnDevice<unsigned> links_ = onDevice<unsigned>(fourteenth::places);
    OnDevice<float> reads_ = onDevice<float>(fourteenth::reads), scores_ = onDevice<float>(fourteenth::reads),
                    ends_ = onDevice<float>(fourteenth::traces),
                    sums_ = onDevice<float>(fourteenth::judgements);
    Event begun_, known_;
    Ranked aligned_, judged_;
};

/// Sound of the sea, eight pieces of 16 MiB a step, is scaled and searched for calls of whales; two slots, so
/// that the next piece comes beside the search. Both streams are blocking ones. The stream is the last
/// argument of scale(), has a default and was forgotten: scaling waits for the next piece too, and the search
/// for scaling. 25 to 45 %.
class Whales : public Program {
public:
    explicit Whales(bool mended)
        : mended_(mended) {
        for (Pinned<float>& piece : pieces_) {
            piece = pinned<float>(count);
            std::fill(piece.get(), piece.get() + count, 1.0f + 0.1f * float(&piece - pieces_));
        }
        load(0);
    }
    ~Whales() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const Slot& slot = slots_[number % 2];
            load(number + 1);
            slot.loaded.holdUp(compute_);
            if (mended_)
                fourteenth::scale(slot.samples.get(), count, 0.25f, compute_);
            else
                fourteenth::scale(slot.samples.get(), count, 0.25f);
            fourteenth::search(slot.samples.get(), calls_.get(), count, 4000, compute_);
            slot.used.record(compute_);
        }
    }
    double result() override { return sumOf(calls_.get(), count); }

private:
    static constexpr size_t count = 4 << 20;
    struct Slot {
        OnDevice<float> samples = onDevice<float>(count);
        Event loaded, used;
    };
    void load(int number) {
        const Slot& slot = slots_[number % 2];
        slot.used.holdUp(up_);
        toDevice(slot.samples.get(), pieces_[number % 3].get(), count, up_);
        slot.loaded.record(up_);
    }
    bool mended_;
    Pinned<float> pieces_[3];
    OnDevice<float> calls_ = onDevice<float>(count);
    Slot slots_[2];
    Stream up_{cudaStreamDefault}, compute_{cudaStreamDefault};
};

/// A magnet of 4 Mi spins, six moments of six sweeps a step. After each moment 6 MiB of it are set aside and
/// leave in a side stream. The sweeps may overwrite what is aside only when it has left, and so they wait:
/// right behind the copy; mended, in front of the next one. 4 to 12 %.
class Magnet : public Program {
public:
    explicit Magnet(bool mended)
        : mended_(mended) {}
    ~Magnet() override { cudaDeviceSynchronize(); }
    void step(int) override {
        for (int moment = 0; moment < 6; ++moment) {
            for (int n = 0; n < 6; ++n)
                fourteenth::sweep(spins_[n % 2].get(), spins_[1 - n % 2].get(), count, 1650, compute_);
            if (mended_)
                left_.holdUp(compute_);
            CHECK(cudaMemcpyAsync(aside_.get(), spins_[0].get(), seen * sizeof(float),
                                  cudaMemcpyDeviceToDevice, compute_));
            made_.record(compute_);
            made_.holdUp(side_);
            toHost(host_.get(), aside_.get(), seen, side_);
            left_.record(side_);
            if (!mended_)
                left_.holdUp(compute_);
        }
    }
    double result() override { return sumOf(spins_[0].get(), count); }

private:
    static constexpr size_t count = 4 << 20, seen = 3 << 19;
    bool mended_;
    OnDevice<float> spins_[2] = {onDevice<float>(count), onDevice<float>(count)},
                    aside_ = onDevice<float>(seen);
    Pinned<float> host_ = pinned<float>(seen);
    Event made_, left_;
    Stream compute_, side_;
};

/// 20 tiles of a picture a step, each drawn from a list of triangles that the host changes a little. There
/// are four buffers for the lists. A host function behind each tile gives its buffer back to those that are
/// free, where the host takes one; mended, the host waits for an event behind the last tile of the buffer. 3
/// to 10 %.
class Tiles : public Program {
public:
    explicit Tiles(bool mended)
        : mended_(mended) {
        for (Buffer& buffer : buffers_) {
            buffer.owner = this;
            free_.push_back(&buffer);
        }
    }
    ~Tiles() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 20; number < (i + 1) * 20; ++number) {
            Buffer& buffer = mended_ ? buffers_[number % 4] : freeOne();
            if (mended_)
                buffer.drawn.await();
            buffer.host[size_t(number) % triangles] = 0.1f * float(number % 10);
            toDevice(buffer.list.get(), buffer.host.get(), triangles, up_);
            buffer.loaded.record(up_);
            buffer.loaded.holdUp(compute_);
            fourteenth::draw(buffer.list.get(), tile_.get(), pixels, 6700, compute_);
            if (mended_)
                buffer.drawn.record(compute_);
            else
                CHECK(cudaLaunchHostFunc(compute_, giveBack, &buffer));
        }
    }
    double result() override { return sumOf(tile_.get(), pixels); }

private:
    static constexpr size_t pixels = 1 << 20, triangles = fourteenth::triangles;
    struct Buffer {
        Tiles* owner = nullptr;
        Pinned<float> host = pinned<float>(triangles);
        OnDevice<float> list = onDevice<float>(triangles);
        Event loaded, drawn;
    };
    Buffer& freeOne() {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [this] { return !free_.empty(); });
        Buffer& buffer = *free_.front();
        free_.pop_front();
        return buffer;
    }
    static void CUDART_CB giveBack(void* given) {
        Buffer* const buffer = static_cast<Buffer*>(given);
        Tiles& tiles = *buffer->owner;
        const std::lock_guard lock(tiles.mutex_);
        tiles.free_.push_back(buffer);
        tiles.given_.notify_one();
    }
    bool mended_;
    std::mutex mutex_;
    std::condition_variable given_;
    std::deque<Buffer*> free_;
    OnDevice<float> tile_ = onDevice<float>(pixels);
    Buffer buffers_[4];
    Stream up_, compute_;
};

/// 24 batches of short strings of DNA a step are counted in a table. A kernel says in pinned memory if a
/// count does not fit; then the table would have to grow, which has time. The host waits for each batch to
/// look; mended, it looks four batches later. 3 to 9 %.
class Counted : public Program {
public:
    explicit Counted(bool mended)
        : mended_(mended) {}
    ~Counted() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 24; number < (i + 1) * 24; ++number) {
            const Slot& slot = slots_[number % 4];
            if (mended_) {
                slot.counted.await();
                look(slot);
            }
            fourteenth::insert(table_.get(), entries, keys, unsigned(number), 5300, slot.full.get(), stream_);
            slot.counted.record(stream_);
            if (!mended_) {
                CHECK(cudaStreamSynchronize(stream_));
                look(slot);
            }
        }
    }
    double result() override { return full_ + sumOf(table_.get(), entries); }

private:
    static constexpr size_t entries = 1 << 20, keys = 1 << 20;
    struct Slot {
        Pinned<int> full = pinned<int>(1);
        Event counted;
    };
    void look(const Slot& slot) {
        full_ += slot.full[0];
        slot.full[0] = 0;
    }
    bool mended_;
    int full_ = 0;
    OnDevice<unsigned> table_ = onDevice<unsigned>(entries);
    Slot slots_[4];
    Stream stream_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fourteenthPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"judgement_before_reads", {"priority"}, {"priority"}, make<Reads>, false, shared},
        {"scaled_without_stream", {"null-stream"}, {"null-stream"}, make<Whales>, false, shared},
        {"snapshot_waited_for_at_once", {"event-order"}, {"event-order"}, make<Magnet>, false, shared},
        {"buffers_given_back_by_host_function", {"callback"}, {"callback"}, make<Tiles>, false, shared},
        {"table_checked_after_each_batch", {"host-sync"}, {"host-sync"}, make<Counted>},
    };
}
