// Items seen by one thread, each stored once, with ids in order of arrival. Private to io.
#pragma once

#include "json_tokens.h"

#include <olab/trace/activity_classes.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace olab::io::json_import {

constexpr std::uint64_t mixedHash(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

/// Finds ids by a hash; the user stores and compares the items.
class IdTable {
public:
    /// The id for which `isIt(id)` holds; else `next`, which is new.
    template <typename IsIt>
    std::uint32_t find(std::uint64_t hash, std::uint32_t next, IsIt isIt) {
        std::size_t slot = hash & (m_slots.size() - 1);
        for (; m_slots[slot].id != kFree; slot = (slot + 1) & (m_slots.size() - 1))
            if (m_slots[slot].hash == static_cast<std::uint32_t>(hash >> 32) && isIt(m_slots[slot].id))
                return m_slots[slot].id;
        m_slots[slot] = {next, static_cast<std::uint32_t>(hash >> 32)};
        m_hashes.push_back(hash);
        if (2 * m_hashes.size() > m_slots.size())
            grow();
        return next;
    }

private:
    static constexpr std::uint32_t kFree = 0xffffffffu;
    struct Place {
        std::uint32_t id = kFree, hash = 0;
    };
    void grow() {
        m_slots.assign(2 * m_slots.size(), Place{});
        for (std::uint32_t id = 0; id < m_hashes.size(); ++id) {
            std::size_t slot = m_hashes[id] & (m_slots.size() - 1);
            while (m_slots[slot].id != kFree)
                slot = (slot + 1) & (m_slots.size() - 1);
            m_slots[slot] = {id, static_cast<std::uint32_t>(m_hashes[id] >> 32)};
        }
    }
    std::vector<Place> m_slots = std::vector<Place>(256);
    std::vector<std::uint64_t> m_hashes; ///< by id
};

/// Texts as in the file, including escapes.
class TextTable {
public:
    struct Text {
        std::string raw;
        bool isEscaped = false;
        std::string decoded() const {
            return textOf({raw.data(), raw.size(), isEscaped ? ValueKind::EscapedString : ValueKind::String});
        }
    };
    std::uint32_t idOf(std::string_view text, bool isEscaped = false) {
        std::uint32_t& recent = m_recent[slotOf(text)];
        if (recent < m_texts.size() && m_texts[recent].raw == text && m_texts[recent].isEscaped == isEscaped)
            return recent;
        return recent = find(text, isEscaped);
    }
    const Text& operator[](std::uint32_t id) const { return m_texts[id]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_texts.size()); }

private:
    std::uint32_t find(std::string_view text, bool isEscaped) {
        const auto next = static_cast<std::uint32_t>(m_texts.size());
        const std::uint32_t id = m_ids.find(hashOf(text, isEscaped), next, [&](std::uint32_t known) {
            return m_texts[known].raw == text && m_texts[known].isEscaped == isEscaped;
        });
        if (id == next)
            m_texts.push_back({std::string(text), isEscaped});
        return id;
    }
    /// Millions of events share a few names: comparing 24 bytes finds most of them, without hashing the whole
    /// text.
    static std::size_t slotOf(std::string_view text) {
        if (text.size() < 8)
            return text.empty() ? 0 : text.size() + static_cast<unsigned char>(text.back());
        const std::size_t last = text.size() - 8;
        return mixedHash(word(text.data()) ^ word(text.data() + last / 2) * 31 ^
                             word(text.data() + last) * 961,
                         text.size()) %
               kRecent;
    }
    static std::uint64_t word(const char* at) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    static std::uint64_t hashOf(std::string_view text, bool isEscaped) {
        std::uint64_t hash = text.size() << 1 | (isEscaped ? 1 : 0);
        const char *at = text.data(), *const end = at + text.size();
        if (text.size() >= 32) { // four independent ones at a time
            std::uint64_t lanes[4] = {hash, 1, 2, 3};
            for (; end - at >= 32; at += 32)
                for (std::size_t i = 0; i < 4; ++i)
                    lanes[i] = mixedHash(lanes[i], word(at + 8 * i));
            hash = mixedHash(mixedHash(lanes[0], lanes[1]), mixedHash(lanes[2], lanes[3]));
        }
        for (; end - at >= 8; at += 8)
            hash = mixedHash(hash, word(at));
        std::uint64_t rest = 0;
        if (at != end) // the text may be empty
            std::memcpy(&rest, at, static_cast<std::size_t>(end - at));
        return mixedHash(mixedHash(hash, rest), 1);
    }
    static constexpr std::size_t kRecent = 512; // room for any byte and length below 8
    std::deque<Text> m_texts;
    IdTable m_ids;
    std::array<std::uint32_t, kRecent> m_recent{};
};

/// The shared part of many activities, with ids of this thread's tables.
struct Shape {
    std::int64_t bytes = 0;
    std::uint32_t name = 0;
    std::uint32_t device = 0;             ///< of device work
    std::int64_t context = 0, stream = 0; ///< of device work, as in the file
    std::uint32_t thread = 0;             ///< of host activities: its id
    std::array<std::uint32_t, 3> grid{}, block{};
    std::uint32_t registers = 0, shared = 0, channel = 0;
    std::uint8_t cls = 0, source = 0, target = 0, flags = 0;
    std::uint8_t hasGeometry = 0, hasChannel = 0, channelType = 0, unused = 0;
    friend bool operator==(const Shape&, const Shape&) = default;
    /// All members, combined with the sizes in which they were written: reading separately written parts as
    /// one would stall until they are in the cache.
    std::array<std::uint64_t, 10> words() const {
        const auto pair = [](std::uint64_t high, std::uint32_t low) { return high << 32 | low; };
        const auto bytesOf = [](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
            return a | b << 8 | c << 16 | d << 24;
        };
        return {
            static_cast<std::uint64_t>(bytes),
            pair(name, device),
            static_cast<std::uint64_t>(context),
            static_cast<std::uint64_t>(stream),
            pair(thread, grid[0]),
            pair(grid[1], grid[2]),
            pair(block[0], block[1]),
            pair(block[2], registers),
            pair(shared, channel),
            pair(bytesOf(cls, source, target, flags), bytesOf(hasGeometry, hasChannel, channelType, unused))};
    }
};

/// Values that are identified by their words().
template <typename Value>
class ValueTable {
    using Words = decltype(std::declval<const Value&>().words());

public:
    std::uint32_t idOf(const Value& value) {
        const auto next = static_cast<std::uint32_t>(m_values.size());
        const Words words = value.words();
        const std::uint32_t id = m_ids.find(
            hashOf(words), next, [&](std::uint32_t known) { return areEqual(words, m_words[known]); });
        if (id == next) {
            m_values.push_back(value);
            m_words.push_back(words);
        }
        return id;
    }
    const Value& operator[](std::uint32_t id) const { return m_values[id]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_values.size()); }

private:
    /// Without a branch for each member.
    static bool areEqual(const Words& a, const Words& b) {
        std::uint64_t differs = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            differs |= a[i] ^ b[i];
        return differs == 0;
    }
    /// Sums of independent products.
    static std::uint64_t hashOf(const Words& words) {
        std::uint64_t hash = 0;
        for (std::size_t i = 0; i < words.size(); ++i)
            hash += (words[i] ^ words[i] >> 32) * (0x9e3779b97f4a7c15u + 0x6a09e667f3bcc908u * i);
        return mixedHash(hash, 1);
    }
    std::vector<Value> m_values;
    std::vector<Words> m_words; ///< of the values
    IdTable m_ids;
};
using ShapeTable = ValueTable<Shape>;

} // namespace olab::io::json_import
