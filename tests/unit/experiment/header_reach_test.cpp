// How many sources are compiled again when a header changes on which much depends. One that is included by
// another header is soon everybody's: forward declarations and small headers keep it with those who need it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>

namespace olab::experiment {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = OLAB_SOURCE_DIR;

class Includes {
public:
    Includes() {
        for (const char* folder : {"engine", "app", "ui", "tests"})
            for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
                const fs::path& path = entry.path();
                if (path.extension() == ".cpp" && !isOptional(path))
                    m_sources.push_back(path);
                if (path.extension() == ".h")
                    m_headers[path.filename()].push_back(path);
            }
    }

    std::size_t sources() const { return m_sources.size(); }

    /// Sources that read `header`, themselves or through what they include.
    std::size_t reachOf(const fs::path& header) {
        return static_cast<std::size_t>(std::ranges::count_if(m_sources, [&](const fs::path& source) {
            std::set<fs::path> seen;
            collect(source, seen);
            return seen.contains(kRoot / header);
        }));
    }

private:
    /// Built when they are asked for.
    static bool isOptional(const fs::path& path) {
        const std::string text = path.lexically_relative(kRoot).generic_string();
        return text.starts_with("tests/fuzz/") || text.starts_with("tests/bench/");
    }

    void collect(const fs::path& file, std::set<fs::path>& seen) {
        for (const fs::path& included : includedBy(file))
            if (seen.insert(included).second)
                collect(included, seen);
    }

    const std::vector<fs::path>& includedBy(const fs::path& file) {
        const auto [known, isNew] = m_known.try_emplace(file);
        if (isNew) {
            static const std::regex line(R"(\s*#include\s+[<"]([^>"]+\.h)[>"].*)");
            std::ifstream in(file);
            std::smatch match;
            for (std::string text; std::getline(in, text);)
                if (std::regex_match(text, match, line))
                    if (const auto header = headerOf(file, match[1].str()))
                        known->second.push_back(*header);
        }
        return known->second;
    }

    /// The one of ours whose path ends like this; of several the nearest.
    std::optional<fs::path> headerOf(const fs::path& file, const std::string& name) const {
        if (const fs::path beside = (file.parent_path() / name).lexically_normal(); fs::exists(beside))
            return beside;
        const auto found = m_headers.find(fs::path(name).filename());
        if (found == m_headers.end())
            return std::nullopt;
        for (const fs::path& path : found->second)
            if (path.generic_string().ends_with("/" + name))
                return path;
        return std::nullopt;
    }

    std::vector<fs::path> m_sources;
    std::map<fs::path, std::vector<fs::path>> m_headers, m_known;
};

TEST(HeaderReach, AnOptionOrALaneRebuildsAtMostSeventySources) {
    constexpr std::size_t kMost = 70;
    Includes includes;
    EXPECT_GT(includes.sources(), 500u) << "the test looks in the wrong place";
    for (const char* header : {"engine/experiment/include/olab/experiment/experiment.h",
                               "engine/trace/include/olab/trace/lanes.h"}) {
        const std::size_t reach = includes.reachOf(header);
        EXPECT_LE(reach, kMost) << header
                                << ": declare what a header only names; the options of an experiment "
                                << "are asked by key (held_experiment.h), lanes handed on (lanes_of.h)";
        EXPECT_GT(reach, 10u) << header << " is read by nobody: the test sees no includes";
    }
}

} // namespace
} // namespace olab::experiment
