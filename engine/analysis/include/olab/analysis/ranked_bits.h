// Some of the numbers from 0 on, and how many of them come before each: 2 bits for each number. What is known
// of these numbers alone has an entry for each of them, not for all.
#pragma once

#include <olab/trace/columns.h>

#include <bit>
#include <cstdint>

namespace olab::analysis {

class RankedBits {
public:
    static constexpr std::size_t kGroup = 64;
    void resize(std::size_t size) { m_words.resize(size / kGroup + 1, Word{}); } ///< none of them
    /// Numbers of one group of 64 are for one thread; before rank().
    void add(std::size_t number) { m_words[number / kGroup].bits |= std::uint64_t{1} << number % kGroup; }
    void finish() {
        std::size_t before = 0;
        for (Word& word : m_words) {
            word.before = before;
            before += static_cast<std::size_t>(std::popcount(word.bits));
        }
    }
    bool empty() const { return m_words.empty(); }
    bool contains(std::size_t number) const {
        return (m_words[number / kGroup].bits >> number % kGroup & 1) != 0;
    }
    /// How many come before `number`, which may be one more than there are.
    std::size_t rank(std::size_t number) const {
        const Word& word = m_words[number / kGroup];
        const std::uint64_t below = word.bits & ((std::uint64_t{1} << number % kGroup) - 1);
        return word.before + static_cast<std::size_t>(std::popcount(below));
    }
    std::size_t memoryBytes() const { return m_words.capacity() * sizeof(Word); }

private:
    struct Word {
        std::uint64_t bits = 0;
        std::size_t before = 0;
    };
    Column<Word> m_words;
};

} // namespace olab::analysis
