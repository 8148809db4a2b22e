#include "other_tools.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>
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

namespace {

struct Mark {
    std::string_view part; ///< of a mapped file's name
    std::string_view tool;
};
/// What each of NVIDIA's tools loads into the observed program.
constexpr Mark kMarks[] = {
    {"libToolsInjection", "Nsight Systems"},
    {"libcuda-injection", "Nsight Compute"},
    {"libsanitizer-collection", "Compute Sanitizer"},
    {"libcudadebugger", "cuda-gdb"},
};

std::string toolOf(const fs::path& file, const fs::path& own, HostProgram host) {
    const std::string name = file.filename().string();
    for (const Mark& mark : kMarks)
        if (name.find(mark.part) != name.npos)
            return std::string(mark.tool);
    std::error_code failed;
    if (host == HostProgram::Ours && name.starts_with("libcupti.so") && !fs::equivalent(file, own, failed) &&
        !failed)
        return "a tool with a CUPTI of its own (" + file.string() + ")";
    return {};
}

/// A debugger for host code does not interfere; one for device code stops kernels.
std::string cudaDebugger(const fs::path& proc) {
    std::ifstream status(proc / "self/status");
    std::string word, tracer;
    while (status >> word)
        if (word == "TracerPid:")
            status >> tracer;
    std::string name;
    std::getline(std::ifstream(proc / tracer / "comm"), name);
    return !tracer.empty() && tracer != "0" && name.starts_with("cuda-gdb")
               ? "cuda-gdb (process " + tracer + ")"
               : "";
}

} // namespace

std::string otherTools(const std::string& own, HostProgram host, const fs::path& proc) {
    const std::set<std::string> files = mappedFiles(proc);
    std::set<std::string> tools;
    for (const std::string& file : files)
        tools.insert(toolOf(file, own, host));
    tools.insert(cudaDebugger(proc));
    tools.erase("");
    if (const char* injected = std::getenv("CUDA_INJECTION64_PATH"); injected && tools.empty())
        for (const std::string& file : files)
            if (fs::path(file).filename() == fs::path(injected).filename() && file != ownFile(proc))
                tools.insert("the one that CUDA_INJECTION64_PATH names (" + file + ")");
    std::string text;
    for (const std::string& tool : tools)
        text += (text.empty() ? "" : ", ") + tool;
    return text;
}

} // namespace olab::cupti
