// Makes per-process numbers unique: of processes that use the same number the first keeps it, the others get
// unused ones. Sorted once and then looked up near the last hit, because rows arrive nearly in the order of
// their numbers: a tree of two million took a second.
#pragma once

#include "radix_sort.h"

#include <bit>

namespace olab::trace_detail {

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
