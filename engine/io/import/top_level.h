// What a Chrome trace says beside its events: the members of the outermost object. Private to io.
#pragma once

#include "json_tokens.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace olab::json_import {

/// Members by key; of several the last. Values as they stand, strings without quotes and escapes.
struct TopMember {
    std::string text;
    ValueKind kind = ValueKind::Missing;
};
using TopMembers = std::map<std::string, TopMember, std::less<>>;

struct TopParse {
    enum class End {
        Events, ///< `at` is behind the bracket that opens the list of events
        Closed, ///< the object has ended
        Open,   ///< the text has
        Bad
    } end = End::Bad;
    const char* at = nullptr;
};
/// From the first byte of the file: finds the list of events, in an object or bare.
TopParse parseHead(std::string_view text, TopMembers& members);
/// From behind the list of events of an object.
TopParse parseTail(std::string_view text, TopMembers& members);

/// Each object of a member that is a list of objects: its scalar members.
std::vector<TopMembers> objectsIn(std::string_view list);
TopMembers membersOf(std::string_view object);

} // namespace olab::json_import
