// Stable sort of many keys by a number, O(n): by the highest digit on all threads, then each group, which
// fits into the cache if the numbers are spread, by the remaining digits, least significant first.
#pragma once

#include <olab/trace/columns.h>
#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace olab::trace_detail {

template <typename T, typename NumberOf>
class RadixSort {
public:
    RadixSort(NumberOf numberOf, std::size_t threads)
        : m_numberOf(numberOf)
        , m_threads(threads) {}
    /// By numbers below 2^`bits`.
    void operator()(Column<T>& values, unsigned bits) {
        if (std::ranges::is_sorted(values, {}, m_numberOf))
            return;
        Column<T> other(values.size());
        const unsigned below = bits > kDigitBits ? bits - kDigitBits : 0;
        const auto ends = share(values, other, below);
        sideBySide(kDigits, m_threads, [&](std::size_t digit) {
            const std::size_t from = digit == 0 ? 0 : ends[digit - 1], count = ends[digit] - from;
            sortPart({other.data() + from, count}, {values.data() + from, count}, below);
        });
        values.swap(other);
    }

private:
    static constexpr unsigned kDigitBits = 11;
    static constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
    static constexpr std::size_t kFew = 128; // for fewer, counting digits takes longer than comparing
    using Counts = std::array<std::size_t, kDigits>;

    std::size_t digitOf(const T& value, unsigned shift) const {
        return (m_numberOf(value) >> shift) & (kDigits - 1);
    }
    /// Moves each item to the group of its highest digit, and returns the ends of the groups.
    Counts share(const Column<T>& from, Column<T>& to, unsigned shift) const {
        std::vector<Counts> at(m_threads);
        const auto eachOf = [&](std::size_t stretch, auto visit) {
            const Stretch part = stretchOf(stretch, m_threads, from.size());
            for (std::size_t i = part.begin; i < part.end; ++i)
                visit(from[i], at[stretch][digitOf(from[i], shift)]);
        };
        sideBySide(m_threads, m_threads,
                   [&](std::size_t s) { eachOf(s, [](const T&, std::size_t& count) { ++count; }); });
        Counts ends;
        std::size_t sum = 0;
        for (std::size_t digit = 0; digit < kDigits; ++digit) {
            for (Counts& stretch : at)
                sum += std::exchange(stretch[digit], sum);
            ends[digit] = sum;
        }
        sideBySide(m_threads, m_threads, [&](std::size_t s) {
            eachOf(s, [&to](const T& value, std::size_t& place) { to[place++] = value; });
        });
        return ends;
    }
    /// By the lowest `bits`; overwrites `scratch`.
    void sortPart(std::span<T> values, std::span<T> scratch, unsigned bits) const {
        if (std::ranges::is_sorted(values, {}, m_numberOf))
            return;
        if (values.size() <= kFew) {
            std::ranges::stable_sort(values, {}, m_numberOf);
            return;
        }
        std::span<T> from = values, to = scratch;
        Counts at;
        for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
            at.fill(0);
            for (const T& value : from)
                ++at[digitOf(value, shift)];
            std::size_t sum = 0;
            for (std::size_t& count : at)
                sum += std::exchange(count, sum);
            for (const T& value : from)
                to[at[digitOf(value, shift)]++] = value;
            std::swap(from, to);
        }
        if (from.data() != values.data())
            std::ranges::copy(from, values.begin());
    }

    NumberOf m_numberOf;
    std::size_t m_threads;
};

/// Sort keys are below 2^`bits`.
template <typename T, typename NumberOf>
void radixSort(Column<T>& values, unsigned bits, NumberOf numberOf) {
    RadixSort<T, NumberOf>(numberOf, threadsFor(values.size()))(values, bits);
}

/// Makes per-process numbers unique: of processes that use the same number the first keeps it, the others get
/// unused ones. Sorted once and then looked up near the last hit, because rows arrive nearly in the order of
/// their numbers: a tree of two million took a second.
template <typename Number>
class SeparateNumbers {
public:
    void add(std::uint32_t process, Number number) {
        m_users.push_back({number, process, number});
        m_highest = std::max(m_highest, number);
    }
    /// Once, after the last add().
    void settle() {
        radixSort(m_users, static_cast<unsigned>(std::bit_width(m_highest)),
                  [](const User& user) { return user.number; });
        sortProcesses();
        m_users.erase(std::unique(m_users.begin(), m_users.end()), m_users.end());
        renumber();
    }
    bool knows(std::uint32_t process, Number number) { return find({number, process}) != nullptr; }
    /// The new number; a number that was not added stays.
    Number operator()(std::uint32_t process, Number number) {
        const User* user = find({number, process});
        return user ? user->becomes : number;
    }

private:
    struct User {
        Number number{};
        std::uint32_t process = 0;
        Number becomes{};
        friend bool operator==(const User& a, const User& b) {
            return a.number == b.number && a.process == b.process;
        }
    };
    static bool isLess(const User& a, const User& b) {
        return a.number < b.number || (a.number == b.number && a.process < b.process);
    }
    void sortProcesses() {
        for (auto from = m_users.begin(); from != m_users.end();) {
            const auto to = std::find_if(from, m_users.end(),
                                         [&](const User& user) { return user.number != from->number; });
            std::sort(from, to, isLess);
            from = to;
        }
    }
    void renumber() {
        Number unused = 1;
        std::size_t used = 0; // the first whose number is not below `unused`
        for (std::size_t i = 1; i < m_users.size(); ++i) {
            if (m_users[i].number != m_users[i - 1].number)
                continue;
            for (; used < m_users.size() && m_users[used].number <= unused; ++used)
                unused += m_users[used].number == unused ? 1 : 0;
            m_users[i].becomes = unused++;
        }
    }
    const User* find(const User& wanted) {
        constexpr std::size_t kNear = 8;
        const std::size_t until = std::min(m_users.size(), m_found + kNear);
        for (std::size_t i = m_found; i < until; ++i)
            if (m_users[i] == wanted)
                return &m_users[m_found = i];
        const auto at = std::lower_bound(m_users.begin(), m_users.end(), wanted, isLess);
        if (at == m_users.end() || !(*at == wanted))
            return nullptr;
        m_found = static_cast<std::size_t>(at - m_users.begin());
        return &*at;
    }
    Column<User> m_users;
    Number m_highest = 0;
    std::size_t m_found = 0; ///< where the last lookup ended
};

} // namespace olab::trace_detail
