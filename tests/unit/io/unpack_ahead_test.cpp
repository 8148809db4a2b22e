// What is unpacked on another thread comes in order, its failure behind all that came before it, and whoever
// stops reading waits for nobody.
#include "unpacker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace olab::io {
namespace {

constexpr std::size_t kStep = 100'003; // no whole number of them is a piece

std::byte byteAt(std::size_t place) {
    return static_cast<std::byte>(place * 2654435761u >> 7);
}

/// So many bytes in steps, and then the end or a failure.
UnpackAhead::Make bytes(std::size_t count, bool fails) {
    return [count, fails, at = std::size_t{0}](std::span<std::byte> room, const std::stop_token&) mutable {
        const std::size_t made = std::min({room.size(), kStep, count - at});
        for (std::size_t i = 0; i < made; ++i)
            room[i] = byteAt(at + i);
        at += made;
        if (made == 0 && fails)
            throw std::runtime_error("damaged");
        return made;
    };
}

/// How many bytes came, all of them right.
std::size_t readAll(UnpackAhead& ahead) {
    std::vector<std::byte> room(70'001);
    std::size_t at = 0;
    while (const std::size_t got = ahead.read(room))
        for (std::size_t i = 0; i < got; ++i, ++at)
            if (room[i] != byteAt(at))
                ADD_FAILURE() << "byte " << at;
    return at;
}

TEST(UnpackAhead, GivesAllInOrder) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kStep, std::size_t{40} << 20}) {
        UnpackAhead ahead(bytes(count, false), {});
        EXPECT_FALSE(ahead.hasEnded());
        EXPECT_EQ(readAll(ahead), count);
        EXPECT_TRUE(ahead.hasEnded());
        std::byte one{};
        EXPECT_EQ(ahead.read({&one, 1}), 0u) << "and stays at the end";
    }
}

TEST(UnpackAhead, FailsBehindWhatCameBefore) {
    UnpackAhead ahead(bytes(3'000'000, true), {});
    std::vector<std::byte> room(3'000'000);
    for (std::size_t at = 0; at < room.size();)
        at += ahead.read(std::span(room).subspan(at));
    EXPECT_THROW(ahead.read(room), std::runtime_error);
    EXPECT_TRUE(ahead.hasEnded());
}

TEST(UnpackAhead, NobodyWaitsForAReaderWhoLeft) {
    std::atomic<int> pieces = 0;
    {
        UnpackAhead ahead(
            [&](std::span<std::byte> room, const std::stop_token&) {
                ++pieces;
                return room.size();
            },
            {});
        std::byte one{};
        EXPECT_EQ(ahead.read({&one, 1}), 1u);
    }
    EXPECT_LE(pieces, 9) << "it runs ahead no further than its ring is long";
}

TEST(UnpackAhead, CancelReachesWhatWaitsForBytes) {
    std::stop_source cancel;
    UnpackAhead ahead(
        [](std::span<std::byte>, const std::stop_token& stop) -> std::size_t {
            while (!stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            throw std::runtime_error("cancelled");
        },
        cancel.get_token());
    cancel.request_stop();
    std::byte one{};
    EXPECT_THROW(ahead.read({&one, 1}), std::runtime_error);
}

} // namespace
} // namespace olab::io
