// Strings kept once each, with an id in order of arrival; 0 is the empty string. Views into it stay valid
// while it lives.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace olab::trace_detail {

class StringTable {
public:
    StringTable() { intern({}); }
    std::uint32_t intern(std::string_view text) {
        if (const auto known = m_ids.find(text); known != m_ids.end())
            return known->second;
        const auto id = static_cast<std::uint32_t>(m_texts.size());
        m_ids.emplace(m_texts.emplace_back(text), id); // a deque never moves what it holds
        return id;
    }
    const std::string& operator[](std::uint32_t id) const { return m_texts[id]; }
    std::size_t size() const { return m_texts.size(); }

private:
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_ids;
};

} // namespace olab::trace_detail
