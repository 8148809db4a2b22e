#include "program_calls.h"

#include <olab/cupti/nvtx_injection.h>
#include <olab/trace/error.h>

#include <atomic>
#include <cstdio>
#include <dlfcn.h>
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
