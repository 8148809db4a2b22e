// The words of one command line, checked against the options its command declares.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::cli {

struct OptionSpec {
    std::string_view name;  ///< "--set"
    std::string_view alias; ///< "-o", or empty
    std::string_view value; ///< "KEY=VALUE": takes one; empty: a switch
    std::string_view help;
    bool mayStandAlone = false; ///< the value may be left out; where it is not, it stands behind '='
};

class Arguments {
public:
    /// "--name value", "--name=value" and switches in any order; after "--" everything is positional.
    /// `dashesSeparate`: the first "--" behind a positional one stands between two lists of them instead, and
    /// options go on behind it. @throws Error kind Usage for an unknown option, a missing or an unwanted
    /// value
    static Arguments parse(std::span<const std::string> words, std::span<const OptionSpec> options,
                           bool dashesSeparate = false);
    /// "--help" or "-h" before "--", other than as the value of an option. Wrong words beside it do no harm.
    static bool wantsHelp(std::span<const std::string> words, std::span<const OptionSpec> options);
    const std::vector<std::string>& positional() const { return m_positional; }
    /// How many of these stand before a "--" that separates; all where there is none.
    std::size_t beforeDashes() const { return m_dashesAt.value_or(m_positional.size()); }
    bool has(std::string_view name) const { return m_values.find(name) != m_values.end(); }
    /// The last value given; "" when there is none.
    std::string value(std::string_view name) const;
    std::vector<std::string> values(std::string_view name) const;
    /// All words as they were given, without these options and their values.
    std::vector<std::string> without(std::span<const std::string_view> options) const;

private:
    struct Given {
        std::string option; ///< its name; empty: a positional word
        std::vector<std::string> words;
    };
    std::vector<std::string> m_positional;
    std::optional<std::size_t> m_dashesAt;
    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
    std::vector<Given> m_given;
};

/// Makes the folder that an option names, where it is not there. @throws Error
void makeFolder(const std::filesystem::path& folder, std::string_view option);

} // namespace olab::cli
