#include "mapped_files.h"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <functional>
#include <string_view>

namespace olab::cupti {
namespace {

namespace fs = std::filesystem;

struct Mapping {
    std::uintptr_t begin = 0, end = 0;
    std::string file;
};

/// "7f00-7f01 r-xp 0 08:01 12   /usr/lib/x.so". Empty for memory of no file.
Mapping mappingOf(std::string_view line) {
    Mapping mapping;
    const auto slash = line.find('/');
    if (slash == line.npos)
        return mapping;
    const char* const last = line.data() + line.size();
    const char* const dash = std::from_chars(line.data(), last, mapping.begin, 16).ptr;
    if (dash != last)
        std::from_chars(dash + 1, last, mapping.end, 16);
    mapping.file = line.substr(slash);
    return mapping;
}

void eachMapping(const fs::path& proc, const std::function<void(Mapping&&)>& visit) {
    std::ifstream in(proc / "self/maps");
    for (std::string line; std::getline(in, line);)
        if (Mapping mapping = mappingOf(line); !mapping.file.empty())
            visit(std::move(mapping));
}

} // namespace

std::set<std::string> mappedFiles(const fs::path& proc) {
    std::set<std::string> files;
    eachMapping(proc, [&files](Mapping&& mapping) { files.insert(std::move(mapping.file)); });
    return files;
}

fs::path ownFile(const fs::path& proc) {
    const auto here = reinterpret_cast<std::uintptr_t>(&mappingOf);
    fs::path file;
    eachMapping(proc, [&](Mapping&& mapping) {
        if (mapping.begin <= here && here < mapping.end)
            file = std::move(mapping.file);
    });
    return file;
}

} // namespace olab::cupti
