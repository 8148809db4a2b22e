#include "arguments.h"

#include <olab/trace/error.h>

#include <algorithm>

namespace olab::cli {
namespace {

[[noreturn]] void wrongUsage(const std::string& message) {
    throw Error(ErrorKind::Usage, "bad-option", message, "Add --help to see what this command takes.");
}

const OptionSpec& specOf(std::string_view name, std::span<const OptionSpec> options) {
    for (const OptionSpec& spec : options)
        if (spec.name == name || (!spec.alias.empty() && spec.alias == name))
            return spec;
    wrongUsage("There is no option '" + std::string(name) + "'.");
}

bool isOption(std::string_view word) {
    return word.size() > 1 && word.front() == '-';
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
        const auto equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const OptionSpec& spec = specOf(word.substr(0, equals), options);
        std::vector<std::string>& values = result.m_values[std::string(spec.name)];
        result.m_given.push_back({std::string(spec.name), {word}});
        if (spec.value.empty() && equals != std::string::npos)
            wrongUsage("The option " + std::string(spec.name) + " takes no value.");
        if (spec.value.empty() || (spec.mayStandAlone && equals == std::string::npos))
            continue;
        if (equals == std::string::npos && i + 1 == words.size())
            wrongUsage("The option " + std::string(spec.name) + " needs a value: " + std::string(spec.value) +
                       ".");
        values.push_back(equals == std::string::npos ? words[++i] : word.substr(equals + 1));
        if (equals == std::string::npos)
            result.m_given.back().words.push_back(words[i]);
    }
    return result;
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

} // namespace olab::cli
