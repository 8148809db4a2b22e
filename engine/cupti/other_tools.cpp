#include "other_tools.h"

#include "mapped_files.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>

namespace olab::cupti {
namespace {

namespace fs = std::filesystem;

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
