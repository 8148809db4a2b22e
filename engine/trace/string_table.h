// Strings, each stored once, with ids in order of arrival; 0 is the empty string. Views into it stay valid
// while it exists.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace olab::trace_detail {

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

} // namespace olab::trace_detail
