// The members of the outermost object of a Chrome trace, except its events. Private to io.
#pragma once

#include "json_tokens.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace olab::io::json_import {

/// Members by key; the last one counts. Values unchanged, strings without quotes and escapes.
struct TopMember {
    std::string text;
    ValueKind kind = ValueKind::Missing;
};
using TopMembers = std::map<std::string, TopMember, std::less<>>;

struct TopParse {
    enum class End {
        Events, ///< `at` is after the bracket that opens the list of events
        Closed, ///< the object has ended
        Open,   ///< the text has
        Bad
    } end = End::Bad;
    const char* at = nullptr;
    bool isBare = false; ///< Events: the list is not in an object
};

/// Parses the text before or after the events of a document incrementally: what was understood is not scanned
/// again.
class TopSearch {
public:
    enum class From { Begin, Members }; ///< of a document, or after its events
    explicit TopSearch(From from)
        : m_state(from == From::Begin ? State::Begin : State::Members) {}
    /// `text`: the same as before, and more.
    TopParse look(std::string_view text, TopMembers& members);
    /// How much was understood; the rest is scanned again.
    std::size_t understood() const { return m_at; }
    /// The next text begins where this one was understood to.
    void forget() { m_at = 0; }
    bool isDamaged() const { return m_state == State::Damaged; }

private:
    enum class State { Begin, Members, Damaged };
    TopParse findEvents(std::string_view text);
    State m_state;
    std::size_t m_at = 0;
};

/// Each object of a member that is a list of objects: its scalar members.
std::vector<TopMembers> objectsIn(std::string_view list);
TopMembers membersOf(std::string_view object);

} // namespace olab::io::json_import
