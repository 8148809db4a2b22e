#include <olab/run/elsewhere.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace olab::run {
namespace {

constexpr std::size_t kMostHosts = 200;

/// The words of a line of ssh_config: "Host a b", "Host=a"; names with spaces stand in quotes.
std::vector<std::string> wordsOf(const std::string& line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, any = false;
    for (const char c : line + " ") {
        const bool separates = !quoted && (c == ' ' || c == '\t' || c == '\r' || (c == '=' && words.empty()));
        if (c == '"') {
            quoted = !quoted;
            any = true;
        } else if (!separates) {
            word += c;
            any = true;
        } else if (any) {
            words.push_back(std::move(word));
            word.clear();
            any = false;
        }
    }
    return words;
}

bool namesHosts(std::string_view word) {
    return lowerText(word) == "host";
}

} // namespace

std::vector<std::string> knownHosts(const std::filesystem::path& home) {
    std::vector<std::string> hosts;
    std::ifstream file(home / ".ssh" / "config");
    for (std::string line; std::getline(file, line) && hosts.size() < kMostHosts;) {
        const std::vector<std::string> words = wordsOf(line);
        for (std::size_t i = 1; i < words.size() && namesHosts(words.front()); ++i)
            if (words[i].find_first_of("*?!") == words[i].npos &&
                std::ranges::find(hosts, words[i]) == hosts.end())
                hosts.push_back(words[i]);
    }
    return hosts;
}

} // namespace olab::run
