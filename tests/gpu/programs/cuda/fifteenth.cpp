// A fifteenth set of mistakes. Written without reading the analysis: of it only the list of causes in the
// manual was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy
// comes in fifteenth_healthy.cpp.
#include "fifteenth.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Eight conversations a step are answered. What was said is in 96 pages of 32 KiB each, which lie anywhere
/// in a pool of the device, and is put together in front of the answer, which changes a page: by a copy for
/// each page; mended, by one kernel. The host sees the words of two steps ago. 25 to 50 %.
class Chat : public Program {
public:
    explicit Chat(bool mended)
        : mended_(mended) {}
    ~Chat() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        slot.answered.await(); // two steps ago
        said_ += double(slot.words[size_t(i) % words]);
        for (int number = i * 8; number < (i + 1) * 8; ++number) {
            const fifteenth::Pages pages = fifteenth::pagesOf(number);
            putTogether(pages);
            fifteenth::attend(context_.get(), states_.get(), 13000, stream_);
            fifteenth::append(states_.get(), page(pages.numbers[number % fifteenth::pagesOfEach]), stream_);
        }
        toHost(slot.words.get(), states_.get(), words, stream_);
        slot.answered.record(stream_);
    }
    double result() override {
        return sumOf(states_.get(), fifteenth::contextValues) + sumOf(pool_.get(), fifteenth::poolValues);
    }

private:
    static constexpr size_t pageValues = fifteenth::pageValues, words = 256;
    struct Slot {
        Pinned<float> words = pinned<float>(Chat::words);
        Event answered;
    };
    float* page(int number) const { return pool_.get() + size_t(number) * pageValues; }
    void putTogether(const fifteenth::Pages& pages) const {
        if (mended_) {
            fifteenth::gather(pool_.get(), pages, context_.get(), stream_);
            return;
        }
        for (size_t n = 0; n < size_t(fifteenth::pagesOfEach); ++n)
            CHECK(cudaMemcpyAsync(context_.get() + n * pageValues, page(pages.numbers[n]),
                                  pageValues * sizeof(float), cudaMemcpyDeviceToDevice, stream_));
    }
    bool mended_;
    double said_ = 0;
    OnDevice<float> pool_ = onDevice<float>(fifteenth::poolValues),
                    context_ = onDevice<float>(fifteenth::contextValues),
                    states_ = onDevice<float>(fifteenth::contextValues);
    Slot slots_[2];
    Stream stream_;
};

/// A robot with two cameras, eight pictures of each a step, and an arm. Each camera has a blocking stream;
/// pictures take longer or shorter in turns. Beside each of them the arm is steered by a graph of ten small
/// kernels, which is launched in stream 0; mended, in the stream that was made for it. The host sees where
/// the arm was two steps ago. 20 to 40 %.
class Arm : public Program {
public:
    explicit Arm(bool mended)
        : servo_(mended ? cudaStream_t(own_) : nullptr)
        , graph_(twelfth::graphOf(own_, [this] { steer(); })) {}
    ~Arm() override {
        cudaDeviceSynchronize();
        cudaGraphExecDestroy(graph_);
    }
    void step(int i) override {
        const Slot& slot = slots_[i % 2];
        for (const Event& event : slot.done)
            event.await(); // two steps ago
        reached_ += double(slot.joints[size_t(i) % joints]);
        for (int n = 0; n < 8; ++n) {
            for (int k = 0; k < 2; ++k)
                fifteenth::look(pictures_[k].get(), (n + k) % 2 == 0 ? 110000 : 140000, cameras_[k]);
            CHECK(cudaGraphLaunch(graph_, servo_));
        }
        toHost(slot.joints.get(), arm_[0].get(), joints, servo_);
        for (int k = 0; k < 2; ++k)
            slot.done[k].record(cameras_[k]);
        slot.done[2].record(servo_);
    }
    double result() override {
        return sumOf(arm_[0].get(), joints) + sumOf(pictures_[0].get(), fifteenth::seen) +
               sumOf(pictures_[1].get(), fifteenth::seen);
    }

private:
    static constexpr size_t joints = fifteenth::joints;
    struct Slot {
        Pinned<float> joints = pinned<float>(Arm::joints);
        Event done[3];
    };
    void steer() {
        for (int n = 0; n < 10; ++n)
            fifteenth::steer(arm_[n % 2].get(), arm_[1 - n % 2].get(), 4000, own_);
    }
    double reached_ = 0;
    OnDevice<float> arm_[2] = {onDevice<float>(joints), onDevice<float>(joints)},
                    pictures_[2] = {onDevice<float>(fifteenth::seen), onDevice<float>(fifteenth::seen)};
    Slot slots_[2];
    Stream cameras_[2] = {Stream(cudaStreamDefault), Stream(cudaStreamDefault)}, own_{cudaStreamDefault};
    cudaStream_t servo_;
    cudaGraphExec_t graph_;
};

/// Twelve batches of positions of a board game a step are judged, 0.2 ms each, six slots. The host finds
/// them by playing on, which takes it 0.3 ms: the thread that issues the work does it; mended, three
/// others do, each every third batch and some batches ahead. 20 to 45 %.
class Game : public Program {
public:
    explicit Game(bool mended) {
        for (int n = 0; mended && n < players; ++n)
            threads_.emplace_back([this, n] { playAhead(n); });
    }
    ~Game() override {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
        cudaDeviceSynchronize();
    }
    void step(int i) override {
        for (int number = i * 12; number < (i + 1) * 12; ++number) {
            const Slot& slot = slots_[number % slots];
            if (threads_.empty())
                play(slot, number);
            else
                takeOver(slot, number);
            issue(slot);
            const std::lock_guard lock(mutex_);
            issued_ = number + 1;
            changed_.notify_all();
        }
    }
    double result() override { return sumOf(worths_.get(), fifteenth::worths); }

private:
    static constexpr int slots = 6, players = 3;
    static constexpr size_t values = fifteenth::positionValues;
    struct Slot {
        Pinned<float> positions = pinned<float>(values);
        OnDevice<float> there = onDevice<float>(values);
        Event loaded, used;
        int played = -1; ///< the batch that the positions are of
    };
    static void play(const Slot& slot, int number) {
        slot.loaded.await(); // six batches ago
        for (size_t n = 0; n < values; ++n)
            slot.positions[n] = 0.01f * float((n + size_t(number) * 7) % 61);
        workOnHost(270);
    }
    void playAhead(int first) {
        for (int number = first;; number += players) {
            Slot& slot = slots_[number % slots];
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this, number] { return ended_ || issued_ > number - slots; });
            if (ended_)
                return;
            lock.unlock();
            play(slot, number);
            lock.lock();
            slot.played = number;
            changed_.notify_all();
        }
    }
    void takeOver(const Slot& slot, int number) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&slot, number] { return slot.played == number; });
    }
    void issue(const Slot& slot) {
        slot.used.holdUp(up_);
        toDevice(slot.there.get(), slot.positions.get(), values, up_);
        slot.loaded.record(up_);
        slot.loaded.holdUp(compute_);
        fifteenth::judge(slot.there.get(), worths_.get(), 5300, compute_);
        slot.used.record(compute_);
    }
    std::mutex mutex_;
    std::condition_variable changed_;
    int issued_ = 0;
    bool ended_ = false;
    OnDevice<float> worths_ = onDevice<float>(fifteenth::worths);
    Slot slots_[slots];
    Stream up_, compute_;
    std::vector<std::thread> threads_;
};

/// Ten pictures of an open world a step, three passes each, about 0.6 ms. Where the players are, 32 KiB,
/// comes a picture ahead. In each step the part of the world that the next one shows comes too, 56 MiB in a
/// stream of its own, about 1.2 ms: in one piece, which the players wait for; mended, a tenth of it behind
/// the players of each picture. Three parts of the world, two slots. 4 to 12 %.
class World : public Program {
public:
    explicit World(bool mended)
        : mended_(mended) {
        for (Pinned<float>& part : parts_) {
            part = pinned<float>(fifteenth::worldValues);
            std::fill(part.get(), part.get() + fifteenth::worldValues, 0.5f + 0.5f * float(&part - parts_));
        }
    }
    ~World() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Place &here = places_[i % 3], &next = places_[(i + 1) % 3];
        const float* const part = parts_[i % 2].get();
        next.left.holdUp(side_); // two steps ago
        here.loaded.holdUp(compute_);
        for (size_t n = 0; n < pictures; ++n) {
            const Slot& slot = slots_[n % 2];
            slot.drawn.await(); // two pictures ago
            if (!mended_ && n == 0)
                toDevice(next.world.get(), part, fifteenth::worldValues, side_);
            slot.host[(size_t(i) + n * 800) % values] = 0.1f * float(n);
            toDevice(slot.players.get(), slot.host.get(), values, up_);
            slot.loaded.record(up_);
            if (mended_)
                toDevice(next.world.get() + n * piece, part + n * piece, piece, side_);
            slot.loaded.holdUp(compute_);
            for (int pass = 0; pass < 3; ++pass)
                fifteenth::shade(here.world.get(), slot.players.get(), picture_.get(), 3000, compute_);
            slot.drawn.record(compute_);
        }
        next.loaded.record(side_);
        here.left.record(compute_);
    }
    double result() override { return sumOf(picture_.get(), fifteenth::pixels); }

private:
    static constexpr size_t pictures = fifteenth::worldPieces, piece = fifteenth::worldPiece,
                            values = fifteenth::playerValues;
    struct Place {
        OnDevice<float> world = onDevice<float>(fifteenth::worldValues);
        Event loaded, left;
    };
    struct Slot {
        Pinned<float> host = pinned<float>(values);
        OnDevice<float> players = onDevice<float>(values);
        Event loaded, drawn;
    };
    bool mended_;
    Pinned<float> parts_[2];
    OnDevice<float> picture_ = onDevice<float>(fifteenth::pixels);
    Place places_[3];
    Slot slots_[2];
    Stream up_, side_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> fifteenthPairs() {
    const std::vector<std::string> shared = {"stretched"}, copies = {"small-copies", "launch-bound"};
    const std::vector<std::string> taken = {"host-late", "host-sync", "stretched"};
    return {
        {"pages_put_together_one_by_one", copies, copies, make<Chat>},
        {"arm_graph_in_stream_0", {"null-stream"}, {"null-stream"}, make<Arm>, false, shared},
        {"positions_found_by_issuing_thread", {"host-late"}, {"host-late"}, make<Game>, false, taken},
        {"players_behind_world", {"head-of-line"}, {"head-of-line"}, make<World>, false, shared},
    };
}
