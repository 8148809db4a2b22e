// The rooms of the window: no include runs back up. The sources are read, so a new one is judged as it comes.
#include "test_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// From the bottom to the top: a room may include its own and those below it. Rooms of one step know nothing
/// of each other, but for those that the window puts together: they include each other.
const std::vector<std::set<std::string>> kSteps{
    {"base"},
    {"timeline/rows", "timeline/texts"},
    {"timeline/canvas"},
    {"timeline/search", "timeline/bookmarks", "timeline/input", "timeline/accessibility"},
    {"timeline"},
    {"results", "charts"},
    {"pictures"},
    {"experiment"},
    {"gallery", "lessons", "claims", "compare", "live", "recordings", "sweep", "tracing"},
    {"window/messages"},
    {"window/runs"},
    {"window", "window/rooms"}};

/// Public headers that no source of the same name implements.
const std::map<std::string, std::string> kHeaders{
    {"choices", "base"}, {"picture", "pictures"}, {"news", "experiment"}, {"window_options", "window/runs"}};

struct Source {
    fs::path path;
    std::string room;
};

class Rooms : public testing::Test {
protected:
    Rooms() {
        const fs::path ui = fs::path(OLAB_SOURCE_DIR) / "ui";
        std::vector<fs::path> open;
        for (const auto& entry : fs::recursive_directory_iterator(ui)) {
            const fs::path path = entry.path(), ending = path.extension();
            if (ending != ".cpp" && ending != ".h")
                continue;
            const std::string room = fs::relative(path.parent_path(), ui).generic_string();
            if (room.starts_with("include"))
                open.push_back(path);
            else {
                m_sources.push_back({path, room});
                m_roomOf.emplace(path.stem().string(), room);
            }
        }
        m_roomOf.insert(kHeaders.begin(), kHeaders.end());
        for (const fs::path& path : open)
            m_sources.push_back({path, m_roomOf[path.stem().string()]});
    }
    std::set<std::string> included(const Source& source) const {
        static const std::regex include("#include\\s+(?:<olab/ui/([a-z_]+)\\.h>|\"([a-z_/]+)/[a-z_]+\\.h\")");
        std::ifstream file(source.path);
        std::set<std::string> rooms;
        std::smatch match;
        for (std::string line; std::getline(file, line);)
            if (std::regex_search(line, match, include))
                rooms.insert(match[1].matched ? m_roomOf.at(match[1].str()) : match[2].str());
        return rooms;
    }
    std::vector<Source> m_sources;
    std::map<std::string, std::string> m_roomOf; ///< by the name of a source
};

std::size_t stepOf(const std::string& room) {
    const auto step = std::ranges::find_if(kSteps, [&](const auto& rooms) { return rooms.contains(room); });
    return static_cast<std::size_t>(step - kSteps.begin());
}

bool mayInclude(const std::string& from, const std::string& to) {
    const bool areTheWindow =
        from.starts_with("window") && to.starts_with("window") && stepOf(from) == stepOf(to);
    return from == to || areTheWindow || stepOf(to) < stepOf(from);
}

} // namespace

TEST_F(Rooms, EverySourceIsInARoomThatIsKnown) {
    EXPECT_GT(m_sources.size(), 150u);
    for (const Source& source : m_sources)
        EXPECT_LT(stepOf(source.room), kSteps.size()) << source.path << " is in no room that is known";
}

TEST_F(Rooms, NoIncludeRunsBackUp) {
    std::size_t looked = 0;
    for (const Source& source : m_sources)
        for (const std::string& room : included(source)) {
            EXPECT_TRUE(mayInclude(source.room, room)) << source.path << " includes something of " << room;
            ++looked;
        }
    EXPECT_GT(looked, 150u) << "includes are found";
}
