// The waits of all device work in columns, 13 bytes each: a Wait is gathered when somebody asks for it. Only
// the analysis fills one. Immutable then; any thread.
#pragma once

#include <olab/analysis/waits.h>

#include <iterator>
#include <span>

namespace olab {

/// Lengths of time, nearly all below 4 s: 4 bytes each, the few others apart.
class LengthColumn {
public:
    void resize(std::size_t size);
    Ns operator[](std::size_t i) const { return m_short[i] == kLong ? longAt(i) : m_short[i]; }
    /// Takes what fits; `false`: keep it and hand it to addLong(), which is not for several threads.
    bool set(std::size_t i, Ns length) {
        const bool fits = length >= 0 && length < Ns{kLong};
        m_short[i] = fits ? static_cast<std::uint32_t>(length) : kLong;
        return fits;
    }
    void addLong(std::size_t i, Ns length); ///< by ascending i
    std::size_t memoryBytes() const;

private:
    static constexpr std::uint32_t kLong = 0xffffffffu;
    Ns longAt(std::size_t i) const;
    Column<std::uint32_t> m_short;
    std::vector<std::pair<std::size_t, Ns>> m_long; ///< sorted
};

class WaitTable {
public:
    /// One per activity of a device, in begin order: `number` is that of DeviceWork.
    std::size_t size() const { return m_cause.size(); }
    bool empty() const { return m_cause.empty(); }
    WaitCause cause(std::size_t number) const { return m_cause[number]; }
    std::span<const WaitCause> causes() const { return {m_cause.data(), m_cause.size()}; }
    ActivityIndex blocker(std::size_t number) const { return m_blocker[number]; }
    Ns wait(std::size_t number) const { return m_wait[number]; }
    Ns held(std::size_t number) const { return m_held[number]; }
    std::uint64_t count(WaitCause cause) const { return m_counts[static_cast<std::size_t>(cause)]; }
    std::size_t memoryBytes() const;

private:
    friend class WaitWriter;
    LengthColumn m_wait, m_held;
    Column<ActivityIndex> m_blocker;
    Column<WaitCause> m_cause;
    std::array<std::uint64_t, kWaitCauses> m_counts{};
};

} // namespace olab
