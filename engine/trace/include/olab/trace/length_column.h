// Durations (or numbers of bytes), nearly all of which fit in 4 bytes: 4 bytes each, the few others stored
// separately. After sizing, every entry must be set. Any thread may read.
#pragma once

#include <olab/trace/column.h>
#include <olab/trace/types.h>

#include <utility>

namespace olab {

class LengthColumn {
public:
    void resize(std::size_t size);
    void reserve(std::size_t most) { m_short.reserve(most); }
    std::size_t size() const { return m_short.size(); }
    bool empty() const { return m_short.empty(); }
    Ns operator[](std::size_t i) const { return m_short[i] == kLong ? longAt(i) : m_short[i]; }
    void prefetch(std::size_t i) const { __builtin_prefetch(m_short.data() + i); }
    /// Stores the value if it fits; `false`: keep it and pass it to addLong(), which is not for several
    /// threads.
    bool set(std::size_t i, Ns length) {
        const bool fits = length >= 0 && length < Ns{kLong};
        m_short[i] = fits ? static_cast<std::uint32_t>(length) : kLong;
        return fits;
    }
    void addLong(std::size_t i, Ns length); ///< by ascending i
    /// For one thread, from front to back: no sizing needed.
    void push_back(Ns length) {
        const bool fits = length >= 0 && length < Ns{kLong};
        m_short.push_back(fits ? static_cast<std::uint32_t>(length) : kLong);
        if (!fits) [[unlikely]]
            addLong(m_short.size() - 1, length);
    }
    void append(const LengthColumn& more);
    void fit(); ///< releases unused memory
    std::size_t memoryBytes() const;
    friend bool operator==(const LengthColumn&, const LengthColumn&) = default;

private:
    static constexpr std::uint32_t kLong = 0xffffffffu;
    Ns longAt(std::size_t i) const;
    Column<std::uint32_t> m_short;
    std::vector<std::pair<std::size_t, Ns>> m_long; ///< sorted
};

} // namespace olab
