// Small keys, each stored once, with ids in order of arrival.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace olab::trace_detail {

/// Mixes one more number into a hash.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

/// `Hash` must give a well mixed number. One array of ids, at most half full: most lookups touch one id and
/// the key.
template <typename Key, typename Hash>
class KeyTable {
public:
    std::uint32_t idOf(const Key& key) {
        std::size_t slot = slotOf(key);
        for (; m_slots[slot] != kFree; slot = next(slot))
            if (m_keys[m_slots[slot]] == key)
                return m_slots[slot];
        const auto id = static_cast<std::uint32_t>(m_keys.size());
        m_keys.push_back(key);
        m_slots[slot] = id;
        if (2 * m_keys.size() > m_slots.size())
            grow();
        return id;
    }
    const Key& operator[](std::uint32_t id) const { return m_keys[id]; }
    const std::vector<Key>& keys() const { return m_keys; }
    std::vector<Key> takeKeys() { return std::move(m_keys); } ///< leaves it unusable
    std::size_t size() const { return m_keys.size(); }

private:
    static constexpr std::uint32_t kFree = 0xffffffffu;
    std::size_t slotOf(const Key& key) const { return Hash{}(key) & (m_slots.size() - 1); }
    std::size_t next(std::size_t slot) const { return (slot + 1) & (m_slots.size() - 1); }
    void grow() {
        m_slots.assign(2 * m_slots.size(), kFree);
        for (std::uint32_t id = 0; id < m_keys.size(); ++id) {
            std::size_t slot = slotOf(m_keys[id]);
            while (m_slots[slot] != kFree)
                slot = next(slot);
            m_slots[slot] = id;
        }
    }
    std::vector<Key> m_keys;
    std::vector<std::uint32_t> m_slots = std::vector<std::uint32_t>(64, kFree); // a power of two
};

} // namespace olab::trace_detail
