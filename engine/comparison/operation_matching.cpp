#include "operation_matching.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

namespace olab::comparison {

namespace {

constexpr std::size_t kMostSteps = 100'000'000; ///< along diagonals: some tenths of a second

/// The furthest position on each diagonal, for each number of edits.
class Search {
public:
    Search(std::span<const Label> before, std::span<const Label> after, std::size_t mostEdits)
        : m_before(before)
        , m_after(after)
        , m_most(std::min(mostEdits, before.size() + after.size())) {}

    /// Nothing: more edits than allowed.
    std::optional<std::vector<Match>> find() {
        for (std::size_t edits = 0; edits <= m_most && m_steps < kMostSteps; ++edits)
            if (advance(static_cast<std::ptrdiff_t>(edits)))
                return walkBack();
        return std::nullopt;
    }

private:
    /// The diagonals -edits, -edits + 2, ... edits of a round.
    using Round = std::vector<std::uint32_t>;
    static std::ptrdiff_t reach(const Round& round, std::ptrdiff_t edits, std::ptrdiff_t diagonal) {
        return round[static_cast<std::size_t>((diagonal + edits) / 2)];
    }
    /// The start of a diagonal in this round: one label of `after` inserted, or one of `before` removed.
    bool comesDown(std::ptrdiff_t edits, std::ptrdiff_t diagonal) const {
        return diagonal == -edits ||
               (diagonal != edits &&
                reach(m_rounds[static_cast<std::size_t>(edits - 1)], edits - 1, diagonal - 1) <
                    reach(m_rounds[static_cast<std::size_t>(edits - 1)], edits - 1, diagonal + 1));
    }
    std::ptrdiff_t startOf(std::ptrdiff_t edits, std::ptrdiff_t diagonal) const {
        if (edits == 0)
            return 0;
        const Round& last = m_rounds[static_cast<std::size_t>(edits - 1)];
        return comesDown(edits, diagonal) ? reach(last, edits - 1, diagonal + 1)
                                          : reach(last, edits - 1, diagonal - 1) + 1;
    }
    /// @returns whether the ends of both sequences were reached
    bool advance(std::ptrdiff_t edits) {
        const auto n = static_cast<std::ptrdiff_t>(m_before.size()),
                   m = static_cast<std::ptrdiff_t>(m_after.size());
        Round round;
        round.reserve(static_cast<std::size_t>(edits) + 1);
        bool done = false;
        for (std::ptrdiff_t diagonal = -edits; diagonal <= edits; diagonal += 2) {
            std::ptrdiff_t x = startOf(edits, diagonal), y = x - diagonal;
            while (x < n && y < m && y >= 0 &&
                   m_before[static_cast<std::size_t>(x)] == m_after[static_cast<std::size_t>(y)]) {
                ++x, ++y;
                ++m_steps;
            }
            round.push_back(static_cast<std::uint32_t>(x));
            done = done || (diagonal == n - m && x >= n);
        }
        m_rounds.push_back(std::move(round));
        return done;
    }
    std::vector<Match> walkBack() const {
        std::vector<Match> found;
        auto x = static_cast<std::ptrdiff_t>(m_before.size()),
             y = static_cast<std::ptrdiff_t>(m_after.size());
        for (auto edits = static_cast<std::ptrdiff_t>(m_rounds.size()) - 1; edits >= 0; --edits) {
            const std::ptrdiff_t diagonal = x - y, start = startOf(edits, diagonal);
            while (x > start) {
                --x, --y;
                found.emplace_back(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
            }
            if (edits > 0)
                comesDown(edits, diagonal) ? --y : --x;
        }
        std::ranges::reverse(found);
        return found;
    }
    std::span<const Label> m_before, m_after;
    std::size_t m_most, m_steps = 0;
    std::vector<Round> m_rounds;
};

} // namespace

std::vector<Match> matchInTurn(std::span<const Label> before, std::span<const Label> after) {
    std::map<Label, std::deque<std::size_t>> open;
    for (std::size_t i = 0; i < before.size(); ++i)
        open[before[i]].push_back(i);
    std::vector<Match> found;
    for (std::size_t i = 0; i < after.size(); ++i)
        if (const auto at = open.find(after[i]); at != open.end() && !at->second.empty()) {
            found.emplace_back(at->second.front(), i);
            at->second.pop_front();
        }
    return found;
}

std::vector<Match> matchInOrder(std::span<const Label> before, std::span<const Label> after,
                                std::size_t mostEdits) {
    return Search(before, after, mostEdits).find().value_or(matchInTurn(before, after));
}

} // namespace olab::comparison
