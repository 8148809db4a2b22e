#include "top_level.h"

#include <algorithm>

namespace olab::json_import {
namespace {

constexpr std::size_t kMostMembers = 256;
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
        if (begin != end && *begin == '[' && key.text() == "traceEvents")
            return {End::Events, begin + 1};
        const Step step = takeValue(begin, end, value);
        if (!step.at)
            return {step.isOpen ? End::Open : End::Bad, at};
        keep(members, key, value);
        at = step.at;
    }
}

/// Where everything before the events is damaged: the first list that is called so.
TopParse findEvents(std::string_view text) {
    constexpr std::string_view kKey = "\"traceEvents\"";
    for (auto at = text.find(kKey); at != text.npos; at = text.find(kKey, at + 1)) {
        const char* const end = text.data() + text.size();
        const char* const colon = skipSpace(text.data() + at + kKey.size(), end);
        const char* const list = colon != end && *colon == ':' ? skipSpace(colon + 1, end) : end;
        if (list != end && *list == '[')
            return {TopParse::End::Events, list + 1};
    }
    return {TopParse::End::Open, text.data()};
}

} // namespace

TopParse parseHead(std::string_view text, TopMembers& members) {
    const char *at = text.data(), *const end = at + text.size();
    if (text.starts_with("\xef\xbb\xbf"))
        at += 3;
    at = skipSpace(at, end);
    if (at == end)
        return {TopParse::End::Open, at};
    if (*at == '[')
        return {TopParse::End::Events, at + 1};
    if (*at != '{')
        return {TopParse::End::Bad, at};
    const TopParse parsed = parseMembers(at + 1, end, members);
    return parsed.end == TopParse::End::Bad ? findEvents(text) : parsed;
}

TopParse parseTail(std::string_view text, TopMembers& members) {
    const char *at = text.data(), *const end = at + text.size();
    for (;;) {
        const TopParse parsed = parseMembers(at, end, members);
        if (parsed.end != TopParse::End::Events)
            return parsed;
        Value again; // a second list
        const Step step = takeValue(parsed.at - 1, end, again);
        if (!step.at)
            return {step.isOpen ? TopParse::End::Open : TopParse::End::Bad, parsed.at};
        at = step.at;
    }
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
    for (++at; objects.size() < kMostMembers;) {
        at = skipCommas(at, end);
        Value value;
        const Step step = at == end || *at == ']' ? Step{} : takeValue(at, end, value);
        if (!step.at)
            return objects;
        objects.push_back(membersOf(value.text()));
        at = step.at;
    }
    return objects;
}

} // namespace olab::json_import
