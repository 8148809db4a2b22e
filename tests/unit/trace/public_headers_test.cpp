// Public headers include what they use of the standard library and of Qt. They are compiled alone with
// precompiled headers (cmake/OlabModule.cmake), which would hide it; so they are read.
#include "test_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Which headers a name of `std` may come from; the first is the one to include. A name that is not here
/// fails the test: add its row.
const std::map<std::string, std::vector<std::string>> kHeadersOf{
    {"array", {"array"}},
    {"atomic", {"atomic"}},
    {"bad_array_new_length", {"new"}},
    {"byte", {"cstddef"}},
    {"chrono", {"chrono"}},
    {"endian", {"bit"}},
    {"exchange", {"utility"}},
    {"filesystem", {"filesystem"}},
    {"fill_n", {"algorithm"}},
    {"forward", {"utility"}},
    {"function", {"functional"}},
    {"initializer_list", {"initializer_list"}},
    {"input_iterator_tag", {"iterator"}},
    {"int16_t", {"cstdint"}},
    {"int32_t", {"cstdint"}},
    {"int64_t", {"cstdint"}},
    {"int8_t", {"cstdint"}},
    {"isfinite", {"cmath"}},
    {"jthread", {"thread"}},
    {"list", {"list"}},
    {"make_shared", {"memory"}},
    {"make_unique", {"memory"}},
    {"less", {"functional", "map", "set"}},
    {"map", {"map"}},
    {"max", {"algorithm"}},
    {"memcpy", {"cstring"}},
    {"min", {"algorithm"}},
    {"move", {"utility"}},
    {"mutex", {"mutex"}},
    {"nullopt", {"optional"}},
    {"numeric_limits", {"limits"}},
    {"optional", {"optional"}},
    {"owner_less", {"memory"}},
    {"pair", {"utility", "map"}},
    {"popcount", {"bit"}},
    {"ptrdiff_t", {"cstddef"}},
    {"random_access_iterator_tag", {"iterator"}},
    {"ranges", {"algorithm", "ranges"}},
    {"runtime_error", {"stdexcept"}},
    {"set", {"set"}},
    {"shared_ptr", {"memory"}},
    // Every one of these defines it, and no library can be without.
    {"size_t",
     {"cstddef", "array", "map", "set", "span", "string", "string_view", "vector", "memory", "functional",
      "cstring"}},
    {"snprintf", {"cstdio"}},
    {"span", {"span"}},
    {"stop_token", {"stop_token", "thread"}},
    {"errc", {"system_error"}},
    {"system_error", {"system_error"}},
    {"string", {"string"}},
    {"string_view", {"string_view", "string"}},
    {"swap", {"utility"}},
    {"thread", {"thread"}},
    {"tuple", {"tuple"}},
    {"uint16_t", {"cstdint"}},
    {"uint32_t", {"cstdint"}},
    {"uint64_t", {"cstdint"}},
    {"uint8_t", {"cstdint"}},
    {"uintmax_t", {"cstdint"}},
    {"unique_ptr", {"memory"}},
    {"vector", {"vector"}},
    {"weak_ptr", {"memory"}},
};

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
    const std::regex regex(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
        found.insert((*at)[1].str());
    return found;
}

std::string textOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string withoutComments(const std::string& text) {
    return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

/// By the name under which they are included.
std::map<std::string, fs::path> publicHeaders() {
    std::map<std::string, fs::path> headers;
    for (const char* top : {"engine", "kernels", "ui"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(OLAB_SOURCE_DIR) / top)) {
            const std::string path = entry.path().generic_string();
            const std::size_t at = path.find("/include/olab/");
            if (at != std::string::npos && entry.path().extension() == ".h")
                headers.emplace(path.substr(at + std::string("/include/").size()), entry.path());
        }
    return headers;
}

struct Header {
    std::string text;               ///< without comments
    std::set<std::string> included; ///< of its own and through those of ours that it includes
};

/// What a public header of ours includes comes along with it: that is written in the sources too.
void addIncluded(const std::string& name, const std::map<std::string, std::set<std::string>>& direct,
                 std::set<std::string>& included) {
    const auto header = direct.find(name);
    if (header == direct.end())
        return;
    for (const std::string& next : header->second)
        if (included.insert(next).second)
            addIncluded(next, direct, included);
}

std::map<std::string, Header> readHeaders() {
    std::map<std::string, Header> read;
    std::map<std::string, std::set<std::string>> direct;
    for (const auto& [name, path] : publicHeaders()) {
        read[name].text = withoutComments(textOf(path));
        direct[name] = matches(read[name].text, "#include <([^>]+)>");
    }
    for (auto& [name, header] : read)
        addIncluded(name, direct, header.included);
    return read;
}

/// Names of `std` that `header` uses without an include that gives them.
std::vector<std::string> missingOfStd(const Header& header) {
    std::vector<std::string> missing;
    for (const std::string& name : matches(header.text, "\\bstd::([a-z_0-9]+)")) {
        const auto row = kHeadersOf.find(name);
        if (row == kHeadersOf.end())
            missing.push_back("std::" + name + " is in no row of the table");
        else if (std::ranges::none_of(
                     row->second, [&](const std::string& file) { return header.included.contains(file); }))
            missing.push_back("std::" + name + " needs #include <" + row->second.front() + ">");
    }
    return missing;
}

/// What comes with a header of Qt, since that cannot be without: names, and the headers that bring them.
const std::vector<std::pair<const char*, const char*>> kComesWith{
    {"Q(String|StringList|ByteArray|List|Object|Event)", "Q[A-Z].*"},
    {"Q(ModelIndex|Variant)", "QAbstractTableModel"},
    {"QRgb", "Q(Image|Color)"},
    {"Q(.*Event|Painter|Point|Rect|Size|Widget)", "Q(Widget|MainWindow)"}};

bool comesAlong(const std::string& name, const Header& header) {
    return std::ranges::any_of(kComesWith, [&](const auto& row) {
        return std::regex_match(name, std::regex(row.first)) &&
               std::ranges::any_of(header.included, [&](const std::string& file) {
                   return std::regex_match(file, std::regex(row.second));
               });
    });
}

/// The same of Qt: a class is included by its name, declared, or comes along.
std::vector<std::string> missingOfQt(const Header& header) {
    std::vector<std::string> missing;
    const std::set<std::string> declared = matches(header.text, "\\bclass (Q[A-Za-z]+);");
    for (const std::string& name : matches(header.text, "\\b(Q[A-Z][a-z][A-Za-z]*)\\b"))
        if (!declared.contains(name) && !header.included.contains(name) && !comesAlong(name, header))
            missing.push_back(name + " is neither included nor declared");
    return missing;
}

} // namespace

TEST(PublicHeaders, IncludeWhatTheyUseOfTheStandardLibraryAndOfQt) {
    const auto headers = readHeaders();
    EXPECT_GT(headers.size(), 100u) << "they are found";
    for (const auto& [name, header] : headers) {
        for (const std::string& missing : missingOfStd(header))
            ADD_FAILURE() << name << ": " << missing;
        for (const std::string& missing : missingOfQt(header))
            ADD_FAILURE() << name << ": " << missing;
    }
}

TEST(PublicHeaders, WhatIsMissingIsFound) {
    const Header header{"std::vector<std::string> names(const QWidget& of, QString text); class QWidget;",
                        {"string"}};
    EXPECT_EQ(missingOfStd(header), std::vector<std::string>{"std::vector needs #include <vector>"});
    EXPECT_EQ(missingOfQt(header), std::vector<std::string>{"QString is neither included nor declared"});
    EXPECT_EQ(missingOfStd({"std::frobnicate()", {}}).size(), 1u);
}
