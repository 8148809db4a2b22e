// A subset of the numbers from 0 on, with the count of members before each number: 2 bits per number. Data
// that exists only for members is stored with one entry per member.
#pragma once

#include <olab/trace/columns.h>

#include <bit>
#include <cstdint>

namespace olab::analysis {

class RankedBits {
public:
    static constexpr std::size_t kGroup = 64;
    void resize(std::size_t size) { m_words.resize(size / kGroup + 1, Word{}); } ///< all unset
    /// One thread per group of 64 numbers; call before rank().
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
    /// The count of members before `number`, which may be the size.
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
