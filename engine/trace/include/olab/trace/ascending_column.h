// Ascending times (or sums of times), a little over 4 bytes each: stored relative to the first of 64, as
// LengthColumn stores lengths. Filled from front to back; any thread may read.
#pragma once

#include <olab/trace/length_column.h>

namespace olab {

class AscendingColumn {
public:
    void reserve(std::size_t most);
    void push_back(Ns time) {
        if (m_since.size() % kGroup == 0)
            m_bases.push_back(time);
        m_since.push_back(since(time, m_bases.size() - 1));
    }
    /// For several threads that each fill whole groups from front to back. After sizing, every entry must be
    /// set.
    void resize(std::size_t size);
    /// As LengthColumn::set(): stores the value if it fits; `false`: keep it for addLong().
    bool set(std::size_t i, Ns time) {
        if (i % kGroup == 0)
            m_bases[i / kGroup] = time;
        return m_since.set(i, since(time, i / kGroup));
    }
    void addLong(std::size_t i, Ns time) { m_since.addLong(i, since(time, i / kGroup)); } ///< by ascending i
    static constexpr std::size_t kGroup = 64;
    std::size_t size() const { return m_since.size(); }
    bool empty() const { return m_since.empty(); }
    [[gnu::always_inline]] Ns operator[](std::size_t i) const {
        return static_cast<Ns>(unsignedOf(m_bases[i / kGroup]) + unsignedOf(m_since[i]));
    }
    void prefetch(std::size_t i) const { m_since.prefetch(i); }
    void fit(); ///< releases unused memory
    std::size_t memoryBytes() const;
    friend bool operator==(const AscendingColumn&, const AscendingColumn&) = default;

private:
    Ns since(Ns time, std::size_t group) const {
        return static_cast<Ns>(unsignedOf(time) - unsignedOf(m_bases[group]));
    }
    /// Correct even if values are further apart than Ns can represent.
    static std::uint64_t unsignedOf(Ns time) { return static_cast<std::uint64_t>(time); }
    Column<Ns> m_bases;
    LengthColumn m_since;
};

} // namespace olab
