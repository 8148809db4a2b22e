// An eighteenth set of mistakes. Written without reading the analysis: of it only the list of causes in the
// manual was known. Costs in the comments are estimates for an H100 or H200, not measured. What is healthy
// comes in eighteenth_healthy.cpp.
#include "eighteenth.h"

#include <cstdio>

namespace {

using namespace third;
using sixth::toDevice;
using sixth::toHost;
using twelfth::sumOf;

/// Speech is understood by a net of 18 layers of 0.17 ms, and how long each layer takes is logged. The host
/// waits for the event behind each layer to log its time before it issues the next one; mended, it logs the
/// times of two steps ago. 4 to 8 %.
class Listener : public Program {
public:
    explicit Listener(bool mended)
        : mended_(mended) {
        for (size_t n = 0; n < 3 * values; ++n)
            speech_[n] = 0.01f * float(n % 83);
    }
    ~Listener() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Times& times = times_[i % 2];
        if (i > 1) {
            times.layers[layers].await(); // two steps ago
            for (int layer = 0; mended_ && layer < layers; ++layer)
                log(times, layer);
        }
        toDevice(heard_.get(), speech_.get() + size_t(i % 3) * values, values, stream_);
        times.layers[0].record(stream_);
        for (int layer = 0; layer < layers; ++layer) {
            const float* const from = sounds_[layer % 2].get();
            float* const to = sounds_[(layer + 1) % 2].get();
            if (layer % 2 == 0)
                eighteenth::attend(heard_.get(), from, to, rounds, stream_);
            else
                eighteenth::combine(from, to, rounds, stream_);
            times.layers[layer + 1].record(stream_);
            if (!mended_) {
                times.layers[layer + 1].await();
                log(times, layer);
            }
        }
    }
    double result() override { return sumOf(sounds_[0].get(), eighteenth::sounds); }

private:
    static constexpr int layers = 18, rounds = 4500;
    static constexpr size_t values = eighteenth::speechValues;
    struct Times {
        Clock layers[Listener::layers + 1];
    };
    void log(const Times& times, int layer) {
        std::snprintf(line_, sizeof line_, "layer %d: %.3f ms", layer,
                      double(times.layers[layer + 1].since(times.layers[layer])));
    }
    bool mended_;
    char line_[64] = "";
    Pinned<float> speech_ = pinned<float>(3 * values);
    OnDevice<float> heard_ = onDevice<float>(values),
                    sounds_[2] = {onDevice<float>(eighteenth::sounds), onDevice<float>(eighteenth::sounds)};
    Times times_[2];
    Stream stream_;
};

/// A shop recommends goods, eight questions a step of 64 KiB and 0.5 ms each. The table of goods for the next
/// step, 44 MiB, comes meanwhile, about 0.87 ms. It comes in one piece, for which the first question waits;
/// mended, in eight pieces, one before each question. 4 to 10 %.
class Shop : public Program {
public:
    explicit Shop(bool mended)
        : pieces_(mended ? questions : 1) {
        for (size_t n = 0; n < goods; ++n) {
            catalogues_[0][n] = 0.01f * float(n % 89);
            catalogues_[1][n] = 0.01f * float(n % 61);
        }
    }
    ~Shop() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int n = 0; n < questions; ++n) {
            const Question& question = questions_[n % 2];
            question.ranked.await(); // two questions ago
            if (n < pieces_)
                renew(i + 1, n);
            ask(question, i * questions + n);
            if (n == 0)
                tables_[i % 3].loaded.holdUp(compute_);
            eighteenth::rank(tables_[i % 3].goods.get(), question.asked.get(), ranks_.get(), 13300, compute_);
            question.ranked.record(compute_);
        }
    }
    double result() override { return sumOf(ranks_.get(), eighteenth::ranked); }

private:
    static constexpr int questions = 8;
    static constexpr size_t goods = eighteenth::goodsValues, values = eighteenth::questionValues;
    struct Table {
        OnDevice<float> goods = onDevice<float>(Shop::goods);
        Event loaded;
    };
    struct Question {
        Pinned<float> text = pinned<float>(values);
        OnDevice<float> asked = onDevice<float>(values);
        Event sent, ranked;
    };
    /// The table was last used two steps ago, by questions for which the host has waited.
    void renew(int number, int piece) {
        const Table& table = tables_[number % 3];
        const size_t count = goods / size_t(pieces_), first = size_t(piece) * count;
        toDevice(table.goods.get() + first, catalogues_[number % 2].get() + first, count, renew_);
        if (piece + 1 == pieces_)
            table.loaded.record(renew_);
    }
    void ask(const Question& question, int number) {
        for (size_t n = 0; n < values; n += 4)
            question.text[n] = 0.01f * float((n + size_t(number) * 13) % 71);
        toDevice(question.asked.get(), question.text.get(), values, up_);
        question.sent.record(up_);
        question.sent.holdUp(compute_);
    }
    int pieces_;
    Pinned<float> catalogues_[2] = {pinned<float>(goods), pinned<float>(goods)};
    OnDevice<float> ranks_ = onDevice<float>(eighteenth::ranked);
    Table tables_[3];
    Question questions_[2];
    Stream renew_, up_, compute_;
};

/// A bank prices two books day by day, in a blocking stream each, twelve days a step. A day takes 0.4 or 0.2
/// ms, a long one of the one book beside a short one of the other. The margin of the first book, 0.06 ms a
/// day, is found without a stream, which holds both books up; mended, in a stream of its own. 25 to 40 %.
class Bank : public Program {
public:
    explicit Bank(bool mended)
        : margins_(mended ? cudaStream_t(own_) : nullptr) {
        for (size_t n = 0; n < 4 * eighteenth::quoteValues; ++n)
            quotes_[n] = 0.01f * float(n % 103);
    }
    ~Bank() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        rates_.ended[i % 2].await(); // two steps ago
        shares_.ended[i % 2].await();
        for (int day = 0; day < days; ++day) {
            const int longer = 2 * rounds, from = day % 2, to = 1 - from;
            quote(rates_, day);
            quote(shares_, day + 1);
            required_[to].holdUp(rates_.stream); // it has read that two days ago
            eighteenth::priceRates(rates_.quotes.get(), rates_.values[from].get(), rates_.values[to].get(),
                                   day % 2 == 0 ? longer : rounds, rates_.stream);
            priced_.record(rates_.stream);
            eighteenth::priceShares(shares_.quotes.get(), shares_.values[from].get(),
                                    shares_.values[to].get(), day % 2 == 0 ? rounds : longer, shares_.stream);
            priced_.holdUp(margins_);
            eighteenth::require(rates_.values[to].get(), margin_.get(), 26000, margins_);
            required_[to].record(margins_);
        }
        rates_.ended[i % 2].record(rates_.stream);
        shares_.ended[i % 2].record(shares_.stream);
    }
    double result() override {
        return sumOf(margin_.get(), eighteenth::marginValues) +
               sumOf(rates_.values[0].get(), eighteenth::contracts) +
               sumOf(shares_.values[0].get(), eighteenth::contracts);
    }

private:
    static constexpr int days = 12, rounds = 88000;
    struct Book {
        OnDevice<float> quotes = onDevice<float>(eighteenth::quoteValues),
                        values[2] = {onDevice<float>(eighteenth::contracts),
                                     onDevice<float>(eighteenth::contracts)};
        Event ended[2];
        Stream stream{cudaStreamDefault};
    };
    void quote(const Book& book, int day) {
        toDevice(book.quotes.get(), quotes_.get() + size_t(day % 4) * eighteenth::quoteValues,
                 eighteenth::quoteValues, book.stream);
    }
    Pinned<float> quotes_ = pinned<float>(4 * eighteenth::quoteValues);
    OnDevice<float> margin_ = onDevice<float>(eighteenth::marginValues);
    Book rates_, shares_;
    Event priced_, required_[2];
    Stream own_;
    cudaStream_t margins_;
};

/// Music is mixed, six blocks of 0.4 ms a step. The settings of 128 tracks, 2 KiB each, come before each
/// block, and the block leaves in a second stream. The settings of each track are a copy of their own;
/// mended, those of all tracks, which lie behind each other, are one. 25 to 45 %.
class Music : public Program {
public:
    explicit Music(bool mended)
        : copies_(mended ? 1 : eighteenth::tracks) {}
    ~Music() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        for (int number = i * 6; number < (i + 1) * 6; ++number) {
            const Block &block = blocks_[number % 2], &before = blocks_[(number + 1) % 2];
            block.left.await(); // two blocks ago
            heard_ += double(block.heard[size_t(number) * 67 % eighteenth::blockValues]);
            for (size_t n = 0; n < values; n += 8)
                block.settings[n] = 0.01f * float((n / 8 + size_t(number) * 5) % 97);
            const size_t count = values / copies_;
            for (size_t n = 0; n < copies_; ++n)
                toDevice(settings_.get() + n * count, block.settings.get() + n * count, count, compute_);
            eighteenth::mixTracks(settings_.get(), before.mixed.get(), block.mixed.get(), 10600, compute_);
            block.made.record(compute_);
            block.made.holdUp(down_);
            toHost(block.heard.get(), block.mixed.get(), eighteenth::blockValues, down_);
            block.left.record(down_);
        }
    }
    double result() override { return heard_ + sumOf(blocks_[1].mixed.get(), eighteenth::blockValues); }

private:
    static constexpr size_t values = eighteenth::tracks * eighteenth::trackValues;
    struct Block {
        Pinned<float> settings = pinned<float>(values), heard = pinned<float>(eighteenth::blockValues);
        OnDevice<float> mixed = onDevice<float>(eighteenth::blockValues);
        Event made, left;
    };
    size_t copies_;
    double heard_ = 0;
    OnDevice<float> settings_ = onDevice<float>(values);
    Block blocks_[2];
    Stream compute_, down_;
};

/// Memory that host and device share.
OnDevice<float> managed(size_t count) {
    void* memory = nullptr;
    CHECK(cudaMallocManaged(&memory, count * sizeof(float)));
    float* const values = static_cast<float*>(memory);
    std::fill(values, values + count, 0.0f);
    return OnDevice<float>(values);
}

/// An arm finds its way between obstacles that move, four kernels of 0.6 ms a step. The host writes the
/// obstacles of a step, 4 MiB, while the step before runs. They are in managed memory, whose pages the first
/// kernel fetches; mended, in pinned memory, from which one copy takes them to the device. 15 to 45 %.
class Reach : public Program {
public:
    explicit Reach(bool mended)
        : mended_(mended) {
        for (Map& map : maps_) {
            if (mended_) {
                map.pinned = pinned<float>(values);
                map.device = onDevice<float>(values);
            } else {
                map.device = managed(values);
            }
        }
    }
    ~Reach() override { cudaDeviceSynchronize(); }
    void step(int i) override {
        const Map& map = maps_[i % 2];
        map.used.await(); // two steps ago
        float* const obstacles = mended_ ? map.pinned.get() : map.device.get();
        for (size_t n = 0; n < values; n += 16)
            obstacles[n] = 0.01f * float((n / 16 + size_t(i) * 7) % 79);
        if (mended_) {
            toDevice(map.device.get(), map.pinned.get(), values, up_);
            map.loaded.record(up_);
            map.loaded.holdUp(compute_);
        }
        eighteenth::keepAway(map.device.get(), ways_[0].get(), ways_[1].get(), rounds, compute_);
        map.used.record(compute_);
        eighteenth::findWays(ways_[1].get(), ways_[0].get(), rounds, compute_);
        eighteenth::findWays(ways_[0].get(), ways_[1].get(), rounds, compute_);
        eighteenth::findWays(ways_[1].get(), ways_[0].get(), rounds, compute_);
    }
    double result() override { return sumOf(ways_[0].get(), values); }

private:
    static constexpr int rounds = 16000;
    static constexpr size_t values = eighteenth::places;
    struct Map {
        Pinned<float> pinned;
        OnDevice<float> device;
        Event loaded, used;
    };
    bool mended_;
    OnDevice<float> ways_[2] = {onDevice<float>(values), onDevice<float>(values)};
    Map maps_[2];
    Stream up_, compute_;
};

template <class P>
std::unique_ptr<Program> make(bool mended) {
    return std::make_unique<P>(mended);
}

} // namespace

std::vector<Pair> eighteenthPairs() {
    const std::vector<std::string> shared = {"stretched"};
    return {
        {"layers_timed_as_they_run", {"host-sync"}, {"host-sync"}, make<Listener>, false, shared},
        {"question_behind_table_of_goods", {"head-of-line"}, {"head-of-line"}, make<Shop>, false, shared},
        {"margin_without_stream", {"null-stream"}, {"null-stream"}, make<Bank>, false, shared},
        {"settings_of_tracks_one_by_one", {"small-copies"}, {"small-copies"}, make<Music>, false, shared},
        {"obstacles_in_managed", {"unified-memory"}, {"unified-memory"}, make<Reach>, false, shared},
    };
}
