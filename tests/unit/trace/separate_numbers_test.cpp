// Which process keeps a number and what the others get, against the same by sets and maps.
#include "radix_sort.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace olab::trace_detail {
namespace {

using User = std::pair<std::uint32_t, std::uint32_t>; // number, process

std::map<User, std::uint32_t> expected(const std::set<User>& users) {
    std::set<std::uint32_t> taken;
    for (const auto& [number, process] : users)
        taken.insert(number);
    std::map<User, std::uint32_t> becomes;
    std::uint32_t unused = 1, last = 0;
    bool any = false;
    for (const User& user : users) {
        const bool isTwin = any && user.first == last;
        while (isTwin && taken.contains(unused))
            ++unused;
        becomes[user] = isTwin ? unused++ : user.first;
        last = user.first, any = true;
    }
    return becomes;
}

void compare(std::uint32_t highest, std::uint32_t processes, std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    SeparateNumbers<std::uint32_t> numbers;
    std::set<User> users;
    for (std::size_t i = 0; i < count; ++i) {
        const User user{random() % highest + (i % 3 == 0 ? 0x80000000u : 1), random() % processes};
        users.insert(user);
        numbers.add(user.second, user.first);
    }
    numbers.settle();
    std::set<std::uint32_t> all;
    for (const auto& [user, number] : expected(users)) {
        ASSERT_EQ(numbers(user.second, user.first), number) << user.first << " of " << user.second;
        ASSERT_TRUE(numbers.knows(user.second, user.first));
        ASSERT_TRUE(all.insert(number).second) << "two of one number";
    }
    EXPECT_FALSE(numbers.knows(processes, 1));
    EXPECT_EQ(numbers(processes, 77), 77u) << "who was not added keeps what it has";
}

TEST(SeparateNumbers, AreThoseOfASet) {
    unsigned seed = 1;
    for (const std::uint32_t highest : {1u, 3u, 50u, 100'000u, 0x7ffffffeu})
        for (const std::uint32_t processes : {1u, 2u, 9u})
            compare(highest, processes, 3000, seed++);
    compare(200'000, 4, 400'000, seed);
}

TEST(SeparateNumbers, OfNobodyAreNone) {
    SeparateNumbers<std::uint64_t> numbers;
    numbers.settle();
    EXPECT_FALSE(numbers.knows(0, 1));
    EXPECT_EQ(numbers(0, 1), 1u);
}

} // namespace
} // namespace olab::trace_detail
