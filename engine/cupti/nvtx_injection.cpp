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

/// Of each module of the program that has ranges; NVTX is part of the module, which stays where it is.
struct Modules {
    OwnProcess owner; ///< in a forked child the lock may be held for good
    std::mutex mutex;
    std::vector<NvtxGetExportTableFunc_t> all;
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

/// Its functions are as NVTX leaves those that no tool wants: a program that calls one sees that it is null.
void disconnect(NvtxGetExportTableFunc_t exports) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(exports(NVTX_ETID_CALLBACKS));
    for (int part = NVTX_CB_MODULE_CORE; callbacks && part < NVTX_CB_MODULE_SIZE; ++part) {
        NvtxFunctionTable table = nullptr;
        unsigned size = 0;
        if (callbacks->GetModuleFunctionTable(static_cast<NvtxCallbackModule>(part), &table, &size) == 0)
            continue;
        for (unsigned i = 1; i < size; ++i)
            if (table[i])
                __atomic_store_n(table[i], nullptr, __ATOMIC_RELEASE);
    }
}

} // namespace

void noteNvtx(void* exports) noexcept {
    const auto module = reinterpret_cast<NvtxGetExportTableFunc_t>(exports);
    try {
        Modules& m = modules();
        if (!m.owner.isThis())
            return;
        const std::lock_guard lock(m.mutex);
        m.all.push_back(module);
        if (m.told)
            connect(module);
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
        for (const NvtxGetExportTableFunc_t module : m.all)
            tell ? connect(module) : disconnect(module);
    } catch (...) { // there is no CUPTI: the capture says so
    }
}

} // namespace olab::cupti
