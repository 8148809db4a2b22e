#include "program_facts.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace olab::inject {
namespace {

/// Others may hold what is nobody's business.
constexpr const char* kVariables[] = {
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_MAX_COPY_CONNECTIONS",
    "CUDA_SCALE_LAUNCH_QUEUES",
    "CUDA_CACHE_DISABLE",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "CUDA_AUTO_BOOST",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "XLA_FLAGS",
    "XLA_PYTHON_CLIENT_PREALLOCATE",
    "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "CUPY_CACHE_IN_MEMORY",
    "NCCL_P2P_DISABLE",
    "NCCL_ALGO",
    "NCCL_PROTO",
    "OMP_NUM_THREADS",
    "RANK",
    "LOCAL_RANK",
    "WORLD_SIZE",
};

std::string fileText(const char* path) {
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
        text.pop_back();
    return text;
}

bool isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
}

/// As one would type it in a shell.
std::string asTyped(const std::string& word) {
    bool plain = !word.empty();
    std::string text = "'";
    for (const char c : word) {
        plain = plain && isPlain(c);
        text += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return plain ? word : text + "'";
}

std::string commandLine() {
    std::string text, word;
    std::string words = fileText("/proc/self/cmdline");
    words += '\0';
    for (const char c : words) {
        if (c != '\0') {
            word += c;
            continue;
        }
        text += (text.empty() ? "" : " ") + asTyped(word);
        word.clear();
    }
    return text;
}

} // namespace

std::string programName() {
    return fileText("/proc/self/comm");
}

std::vector<EnvironmentRecord> programFacts() {
    std::error_code failed;
    std::vector<EnvironmentRecord> facts{{"program.name", programName()},
                                         {"program.command", commandLine()},
                                         {"program.folder", std::filesystem::current_path(failed).string()},
                                         {"program.pid", std::to_string(::getpid())}};
    if (std::string driver = fileText("/sys/module/nvidia/version"); !driver.empty())
        facts.push_back({"driver", std::move(driver)});
    if (const char* const host = std::getenv("OLAB_TRACE_HOST"))
        facts.push_back({"host", host});
    for (const char* const name : kVariables)
        if (const char* const value = std::getenv(name))
            facts.push_back({"program.env." + std::string(name), value});
    return facts;
}

} // namespace olab::inject
