#include <olab/cupti/nvtx_injection.h>

#include "api.h"

#include <olab/cupti/own_process.h>

#ifndef NVTX_NO_IMPL
#define NVTX_NO_IMPL // its types; our code has no ranges here
#endif
#include <nvtx3/nvToolsExt.h>

#include <dlfcn.h>

#include <mutex>
#include <vector>

namespace olab::cupti {
namespace {

/// Of the program; NVTX is part of it, and it stays where it is.
struct Module {
    NvtxGetExportTableFunc_t exports;
    bool metAsleep; ///< while CUPTI was not told: it may have domains that CUPTI does not know
};

struct Modules {
    OwnProcess owner; ///< in a forked child the lock may be held for good
    std::mutex mutex;
    std::vector<Module> all; ///< those that have ranges
    bool told = false;
};

Modules& modules() {
    static Modules& one = *new Modules; // programs have ranges while they end
    return one;
}

void connect(NvtxGetExportTableFunc_t exports) {
    const std::string& file = api(HostProgram::Foreign).file;
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    const auto initialize = library ? reinterpret_cast<NvtxInitializeInjectionNvtxFunc_t>(
                                          ::dlsym(library, "InitializeInjectionNvtx2"))
                                    : nullptr;
    if (initialize)
        initialize(exports);
}

/// The functions of a part are as NVTX leaves those that no tool wants: a program that calls one sees that it
/// is null.
void disconnect(NvtxGetExportTableFunc_t exports, int part) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(exports(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks ||
        callbacks->GetModuleFunctionTable(static_cast<NvtxCallbackModule>(part), &table, &size) == 0)
        return;
    for (unsigned i = 1; i < size; ++i)
        if (table[i])
            __atomic_store_n(table[i], nullptr, __ATOMIC_RELEASE);
}

/// Given a domain that it does not know, CUPTI loses the ends of other ranges too: it is given none.
void connect(const Module& module) {
    connect(module.exports);
    if (module.metAsleep)
        disconnect(module.exports, NVTX_CB_MODULE_CORE2);
}

void disconnect(const Module& module) {
    for (int part = NVTX_CB_MODULE_CORE; part < NVTX_CB_MODULE_SIZE; ++part)
        disconnect(module.exports, part);
}

} // namespace

void noteNvtx(void* exports) noexcept {
    try {
        Modules& m = modules();
        if (!m.owner.isThis())
            return;
        const std::lock_guard lock(m.mutex);
        m.all.push_back({reinterpret_cast<NvtxGetExportTableFunc_t>(exports), !m.told});
        if (m.told)
            connect(m.all.back());
    } catch (...) { // no memory: its ranges are not recorded
    }
}

void tellCuptiOfRanges(bool tell) noexcept {
    try {
        Modules& m = modules();
        const std::lock_guard lock(m.mutex);
        if (m.told == tell)
            return;
        m.told = tell;
        for (const Module& module : m.all)
            tell ? connect(module) : disconnect(module);
    } catch (...) { // there is no CUPTI: the capture says so
    }
}

} // namespace olab::cupti
