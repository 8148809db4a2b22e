#include <olab/cupti/nvtx_injection.h>

#include "api.h"

#include <dlfcn.h>

#include <atomic>
#include <exception>

namespace olab::cupti {

namespace {
std::atomic<bool> g_passed{false};
} // namespace

bool nvtxIsPassed() noexcept {
    return g_passed;
}

int passNvtxToCupti(void* exports) noexcept {
    g_passed = true;
    try {
        const std::string& file = api(HostProgram::Foreign).file;
        void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (!library)
            return 0;
        const auto initialize =
            reinterpret_cast<int (*)(void*)>(::dlsym(library, "InitializeInjectionNvtx2"));
        return initialize ? initialize(exports) : 0;
    } catch (const std::exception&) { // the capture will say that there is no CUPTI
        return 0;
    }
}

} // namespace olab::cupti
