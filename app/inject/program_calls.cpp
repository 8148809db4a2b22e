#include "program_calls.h"

#include <olab/cupti/nvtx_injection.h>
#include <olab/trace/error.h>

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

namespace olab::inject {
namespace {

std::mutex g_mutex; ///< one call at a time: the message is that of the last
char g_message[2048] = "";

/// Of whom we yield to. Told within calls that hold the other one.
struct YieldsTo {
    std::mutex mutex;
    std::string name;
};

YieldsTo& yieldsTo() {
    static YieldsTo& one = *new YieldsTo; // tools come and go while the program ends
    return one;
}

/// @returns 0, or the number of the error, whose message is kept
template <typename Work>
int guarded(Work work) noexcept {
    const std::lock_guard lock(g_mutex);
    g_message[0] = '\0';
    try {
        work();
        return 0;
    } catch (const Error& error) {
        std::snprintf(g_message, sizeof g_message, "%s %s", error.what(), error.hint().c_str());
        return error.exitCode();
    } catch (const std::exception& error) {
        std::snprintf(g_message, sizeof g_message, "%s", error.what());
    } catch (...) {
        std::snprintf(g_message, sizeof g_message, "An unknown fault.");
    }
    return static_cast<int>(ErrorKind::Internal);
}

/// The driver says so itself: it refuses every question before cuInit().
bool cudaIsInUse() noexcept {
    constexpr int kNotInitialized = 3;
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    const auto current =
        driver ? reinterpret_cast<int (*)(void**)>(::dlsym(driver, "cuCtxGetCurrent")) : nullptr;
    void* context = nullptr;
    return current && current(&context) != kNotInitialized;
}

} // namespace

void noteYield(const std::string& name) noexcept {
    try {
        YieldsTo& to = yieldsTo();
        const std::lock_guard lock(to.mutex);
        to.name = name;
    } catch (...) { // no memory: it is not told
    }
}

} // namespace olab::inject

#define OLAB_INJECT_API extern "C" __attribute__((visibility("default")))

/// Once, as early as possible. @returns 1 if CUDA is in use already: what was made before is less known
OLAB_INJECT_API int olabTraceExpect() {
    int late = 0;
    (void)olab::inject::guarded([&late] {
        late = olab::inject::cudaIsInUse() ? 1 : 0;
        olab::inject::expectProgram();
    });
    return late;
}

/// `file`: a path; null or empty where olab trace names it. @returns 0, or the number of an error
OLAB_INJECT_API int olabTraceBegin(const char* file) {
    return olab::inject::guarded([file] {
        const std::string name = olab::inject::beginByProgram(file ? file : "");
        std::snprintf(olab::inject::g_message, sizeof olab::inject::g_message, "%s", name.c_str());
    });
}

OLAB_INJECT_API int olabTraceEnd() {
    return olab::inject::guarded([] { olab::inject::endByProgram(); });
}

OLAB_INJECT_API int olabTraceFinish() {
    return olab::inject::guarded([] { olab::inject::finishByProgram(); });
}

/// After a call: why it failed, or the file that is recorded into.
OLAB_INJECT_API const char* olabTraceMessage() {
    return olab::inject::g_message;
}

/// The other tool whose end is waited for; empty: none. Valid until the next call of the same thread.
OLAB_INJECT_API const char* olabTraceYieldsTo() {
    thread_local char name[256] = "";
    auto& to = olab::inject::yieldsTo();
    const std::lock_guard lock(to.mutex);
    std::snprintf(name, sizeof name, "%s", to.name.c_str());
    return name;
}

OLAB_INJECT_API void olabRangePush(const char* name) {
    olab::cupti::pushRange(name);
}

OLAB_INJECT_API void olabRangePop() {
    olab::cupti::popRange();
}

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
