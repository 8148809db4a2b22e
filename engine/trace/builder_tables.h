// The tables of a TraceBuilder. Private to trace.
#pragma once

#include <olab/trace/columns.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace olab::trace_detail {

/// Strings, each stored once, with ids in order of arrival; 0 is the empty string. Views into it stay valid
/// while it exists.
class StringTable {
public:
    StringTable() { intern({}); }
    StringTable(const StringTable& other)
        : m_texts(other.m_texts) {
        for (std::uint32_t id = 0; id < m_texts.size(); ++id)
            m_ids.emplace(m_texts[id], id); // views into its own texts
    }
    StringTable(StringTable&&) = default;
    StringTable& operator=(const StringTable&) = delete;
    StringTable& operator=(StringTable&&) = default;
    std::uint32_t intern(std::string_view text) {
        std::uint32_t& recent = m_recent[slotOf(text)];
        if (recent < m_texts.size() && m_texts[recent] == text)
            return recent;
        if (const auto known = m_ids.find(text); known != m_ids.end())
            return recent = known->second;
        const auto id = static_cast<std::uint32_t>(m_texts.size());
        m_ids.emplace(m_texts.emplace_back(text), id); // a deque never moves its elements
        return recent = id;
    }
    const std::string& operator[](std::uint32_t id) const { return m_texts[id]; }
    std::size_t size() const { return m_texts.size(); }

private:
    // Millions of records share a few names: looking at 24 bytes finds most of them, without a hash of all.
    static std::size_t slotOf(std::string_view text) {
        if (text.size() < 8)
            return text.empty() ? 0 : text.size() + static_cast<unsigned char>(text.back());
        const std::size_t last = text.size() - 8;
        const std::uint64_t mixed =
            (word(text, 0) ^ word(text, last / 2) * 31 ^ word(text, last) * 961 ^ text.size()) *
            0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(mixed >> (64 - kSlotBits));
    }
    static std::uint64_t word(std::string_view text, std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, text.data() + at, sizeof value);
        return value;
    }

    static constexpr unsigned kSlotBits = 9; // 512: room for any byte and length below 8
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_ids;
    std::array<std::uint32_t, std::size_t{1} << kSlotBits> m_recent{};
};

// Small keys, each stored once, with ids in order of arrival.

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

/// Grows by whole blocks: never moves or duplicates its content; blocks can be read in parallel and released
/// one by one.
template <typename T>
class BlockList {
public:
    void push(const T& value) {
        if (m_blocks.empty() || m_blocks.back().size() == kBlock)
            m_blocks.emplace_back();
        if (m_blocks.back().size() == kSmall || m_blocks.size() > 1) // a small list stays small
            m_blocks.back().reserve(kBlock);
        m_blocks.back().push_back(value);
        ++m_size;
    }
    /// Appends uninitialized elements.
    void extend(std::size_t count) {
        for (; count > 0 && m_blocks.size() <= 1 && m_size < kSmall; --count)
            push(T{});
        while (count > 0) {
            if (m_blocks.empty() || m_blocks.back().size() == kBlock)
                m_blocks.emplace_back();
            Column<T>& block = m_blocks.back();
            block.reserve(kBlock);
            const std::size_t fits = std::min(count, kBlock - block.size());
            block.resize(block.size() + fits);
            m_size += fits, count -= fits;
        }
    }
    /// A small list keeps its memory.
    void clear() {
        m_blocks.resize(m_blocks.empty() ? 0 : 1);
        for (Column<T>& block : m_blocks)
            block.clear();
        m_size = 0;
    }
    std::size_t size() const { return m_size; }
    const T& operator[](std::size_t i) const { return m_blocks[i / kBlock][i % kBlock]; }
    T& operator[](std::size_t i) { return m_blocks[i / kBlock][i % kBlock]; }
    /// Calls `visit` with each element, in order.
    template <typename Visit>
    void each(Visit visit) {
        for (Column<T>& block : m_blocks)
            for (T& value : block)
                visit(value);
    }
    template <typename Visit>
    void each(Visit visit) const {
        for (const Column<T>& block : m_blocks)
            for (const T& value : block)
                visit(value);
    }

    /// Access by block, also on several threads: all but the last one have kBlock elements.
    static constexpr std::size_t kBlock = std::size_t{1} << 17;
    std::size_t blocks() const { return m_blocks.size(); }
    std::span<const T> block(std::size_t number) const {
        return {m_blocks[number].data(), m_blocks[number].size()};
    }
    /// Releases a block whose elements are no longer needed.
    void release(std::size_t number) { Column<T>().swap(m_blocks[number]); }

private:
    static constexpr std::size_t kSmall = kBlock / 32;
    std::vector<Column<T>> m_blocks;
    std::size_t m_size = 0;
};

} // namespace olab::trace_detail
