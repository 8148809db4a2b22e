#include "top_level.h"

#include <algorithm>

namespace olab::io::json_import {
namespace {

constexpr std::size_t kMostMembers = 256;                // of one object
constexpr std::size_t kMostBytes = std::size_t{1} << 20; // of one that is kept

void keep(TopMembers& members, const Value& key, const Value& value) {
    if (value.size > kMostBytes || members.size() >= kMostMembers)
        return;
    members[textOf(key)] = {value.isString() ? textOf(value) : std::string(value.text()), value.kind};
}

/// Members of the object that is open at `at`, to its end or to the list of events.
TopParse parseMembers(const char* at, const char* end, TopMembers& members) {
    using End = TopParse::End;
    for (;;) {
        at = skipCommas(at, end);
        if (at == end)
            return {End::Open, at};
        if (*at == '}')
            return {End::Closed, at + 1};
        if (*at != '"')
            return {End::Bad, at};
        Value key, value;
        const Step name = takeString(at, end, key);
        const char* colon = name.at ? skipSpace(name.at, end) : end;
        if (colon == end)
            return {End::Open, at};
        if (*colon != ':')
            return {End::Bad, at};
        const char* const begin = skipSpace(colon + 1, end);
        std::string room;
        if (begin != end && *begin == '[' && wordIn(key, room) == "traceEvents")
            return {End::Events, begin + 1};
        const Step step = takeValue(begin, end, value);
        if (!step.at)
            return {step.isOpen ? End::Open : End::Bad, at};
        keep(members, key, value);
        at = step.at;
    }
}

} // namespace

TopParse TopSearch::look(std::string_view text, TopMembers& members) {
    const char *const begin = text.data(), *const end = begin + text.size();
    if (m_state == State::Begin) {
        const char* const at = skipSpace(begin + (text.starts_with("\xef\xbb\xbf") ? 3 : 0), end);
        if (at == end)
            return {TopParse::End::Open, at};
        if (*at == '[')
            return {TopParse::End::Events, at + 1, true};
        if (*at != '{')
            return {TopParse::End::Bad, at};
        m_state = State::Members, m_at = static_cast<std::size_t>(at + 1 - begin);
    }
    if (m_state == State::Members) {
        const TopParse parsed = parseMembers(begin + m_at, end, members);
        m_at = static_cast<std::size_t>(parsed.at - begin);
        if (parsed.end != TopParse::End::Bad)
            return parsed;
        m_state = State::Damaged;
    }
    return findEvents(text);
}

/// If something before the events is damaged: the next list with this name.
TopParse TopSearch::findEvents(std::string_view text) {
    constexpr std::string_view kKey = "\"traceEvents\"";
    for (auto at = text.find(kKey, m_at); at != text.npos; at = text.find(kKey, at + 1)) {
        const char* const end = text.data() + text.size();
        const char* const colon = skipSpace(text.data() + at + kKey.size(), end);
        const char* const list = colon != end && *colon == ':' ? skipSpace(colon + 1, end) : colon;
        m_at = at;
        if (list == end)
            return {TopParse::End::Open, list};
        if (*list == '[')
            return {TopParse::End::Events, list + 1};
    }
    const std::size_t cut = kKey.size() - 1; // of a key that may be cut off
    m_at = std::max(m_at, text.size() - std::min(text.size(), cut));
    return {TopParse::End::Open, text.data() + text.size()};
}

TopMembers membersOf(std::string_view object) {
    TopMembers members;
    if (object.starts_with('{')) {
        std::string padded(object);
        padded.append(kPadding, '\0');
        parseMembers(padded.data() + 1, padded.data() + object.size(), members);
    }
    return members;
}

std::vector<TopMembers> objectsIn(std::string_view list) {
    std::vector<TopMembers> objects;
    std::string padded(list);
    padded.append(kPadding, '\0');
    const char *at = padded.data(), *const end = at + list.size();
    if (at == end || *at != '[')
        return objects;
    for (++at;;) { // a member that is kept is not long
        at = skipCommas(at, end);
        Value value;
        const Step step = at == end || *at == ']' ? Step{} : takeValue(at, end, value);
        if (!step.at)
            return objects;
        if (value.text().starts_with('{'))
            objects.push_back(membersOf(value.text()));
        at = step.at;
    }
    return objects;
}

} // namespace olab::io::json_import
