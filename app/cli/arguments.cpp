#include "arguments.h"

#include <olab/trace/error.h>

#include <algorithm>

namespace olab::cli {
namespace {

[[noreturn]] void wrongUsage(const std::string& message) {
    throw Error(ErrorKind::Usage, "bad-option", message, "Add --help to see what this command takes.");
}

/// The name in "--name=value".
std::string_view nameIn(std::string_view word) {
    return word.starts_with("--") ? word.substr(0, word.find('=')) : word;
}

/// Null: there is none of that name.
const OptionSpec* findSpec(std::string_view word, std::span<const OptionSpec> options) {
    const auto at = std::ranges::find_if(options, [name = nameIn(word)](const OptionSpec& spec) {
        return spec.name == name || (!spec.alias.empty() && spec.alias == name);
    });
    return at == options.end() ? nullptr : &*at;
}

const OptionSpec& specOf(std::string_view word, std::span<const OptionSpec> options) {
    if (const OptionSpec* const spec = findSpec(word, options))
        return *spec;
    wrongUsage("There is no option '" + std::string(nameIn(word)) + "'.");
}

bool isOption(std::string_view word) {
    return word.size() > 1 && word.front() == '-';
}

/// The word behind it is its value, whatever that looks like.
bool takesNext(const OptionSpec& spec, std::string_view word) {
    return !spec.value.empty() && !spec.mayStandAlone && nameIn(word) == word;
}

} // namespace

Arguments Arguments::parse(std::span<const std::string> words, std::span<const OptionSpec> options,
                           bool dashesSeparate) {
    Arguments result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--" && dashesSeparate && !result.m_dashesAt && !result.m_positional.empty()) {
            result.m_dashesAt = result.m_positional.size();
            result.m_given.push_back({{}, {word}});
            continue;
        }
        if (word == "--" && result.m_dashesAt && result.m_positional.size() > *result.m_dashesAt)
            wrongUsage("One -- stands between what is compared; this is a second one.");
        if (word == "--") {
            result.m_given.push_back({{}, {words.begin() + static_cast<std::ptrdiff_t>(i), words.end()}});
            result.m_positional.insert(result.m_positional.end(),
                                       words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            break;
        }
        if (!isOption(word)) {
            result.m_given.push_back({{}, {word}});
            result.m_positional.push_back(word);
            continue;
        }
        const OptionSpec& spec = specOf(word, options);
        const std::string name(spec.name);
        std::vector<std::string>& values = result.m_values[name];
        result.m_given.push_back({name, {word}});
        if (takesNext(spec, word)) {
            if (i + 1 == words.size())
                wrongUsage("The option " + name + " needs a value: " + std::string(spec.value) + ".");
            values.push_back(words[++i]);
            result.m_given.back().words.push_back(words[i]);
        } else if (const std::size_t given = nameIn(word).size(); given < word.size()) {
            if (spec.value.empty())
                wrongUsage("The option " + name + " takes no value.");
            values.push_back(word.substr(given + 1));
        }
    }
    return result;
}

bool Arguments::wantsHelp(std::span<const std::string> words, std::span<const OptionSpec> options) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        if (words[i] == "--help" || words[i] == "-h")
            return true;
        if (const OptionSpec* const spec = findSpec(words[i], options); spec && takesNext(*spec, words[i]))
            ++i;
    }
    return false;
}

std::string Arguments::value(std::string_view name) const {
    const auto found = m_values.find(name);
    return found == m_values.end() || found->second.empty() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::values(std::string_view name) const {
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> Arguments::without(std::span<const std::string_view> options) const {
    std::vector<std::string> all;
    for (const Given& given : m_given)
        if (std::ranges::find(options, given.option) == options.end())
            all.insert(all.end(), given.words.begin(), given.words.end());
    return all;
}

void makeFolder(const std::filesystem::path& folder, std::string_view option) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        throw Error(ErrorKind::Usage, "cannot-write",
                    "Cannot make the folder " + folder.string() + ": " + failed.message() + ".",
                    "Choose another one with " + std::string(option) + ".");
}

} // namespace olab::cli
