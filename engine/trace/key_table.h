// Small keys kept once each, with an id in order of arrival.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace olab::trace_detail {

/// Mixes one more number into a hash.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

/// `Hash` gives a well mixed number. Records in a row mostly share their keys, so the latest are kept apart.
template <typename Key, typename Hash>
class KeyTable {
public:
    std::uint32_t idOf(const Key& key) {
        std::uint32_t& recent = m_recent[Hash{}(key) % m_recent.size()];
        if (recent < m_keys.size() && m_keys[recent] == key)
            return recent;
        const auto [at, isNew] = m_ids.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
        if (isNew)
            m_keys.push_back(key);
        return recent = at->second;
    }
    const Key& operator[](std::uint32_t id) const { return m_keys[id]; }
    const std::vector<Key>& keys() const { return m_keys; }
    std::size_t size() const { return m_keys.size(); }

private:
    std::vector<Key> m_keys;
    std::unordered_map<Key, std::uint32_t, Hash> m_ids;
    std::array<std::uint32_t, 256> m_recent{};
};

} // namespace olab::trace_detail
