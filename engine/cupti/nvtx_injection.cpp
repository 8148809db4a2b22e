#include <olab/cupti/nvtx_injection.h>

#include "api.h"

#include <olab/cupti/host_process.h>

#ifndef NVTX_NO_IMPL
#define NVTX_NO_IMPL // its types; our code has no ranges here
#endif
#include <nvtx3/nvToolsExt.h>

#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <span>
#include <vector>

namespace olab::cupti {
namespace {

/// The modules of the program that have ranges; NVTX is part of the module, which stays loaded.
struct Modules {
    OwnProcess owner; ///< in a forked child the lock may be held for good
    std::mutex mutex;
    std::vector<NvtxGetExportTableFunc_t> all;
    bool told = false;
};

/// A domain was created while CUPTI was not informed: CUPTI does not know it.
std::atomic<bool> g_domainIsUnknown{false};

Modules& modules() {
    static Modules& one = *new Modules; // programs may use ranges while they end
    return one;
}

void tellCupti(NvtxGetExportTableFunc_t exports) {
    const std::string& file = api(HostProgram::Foreign).file;
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    const auto initialize = library ? reinterpret_cast<NvtxInitializeInjectionNvtxFunc_t>(
                                          ::dlsym(library, "InitializeInjectionNvtx2"))
                                    : nullptr;
    if (initialize)
        initialize(exports);
}

/// The functions of a module that belong to a part; empty: none.
std::span<NvtxFunctionPointer* const> functions(NvtxGetExportTableFunc_t exports, int part) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(exports(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks ||
        callbacks->GetModuleFunctionTable(static_cast<NvtxCallbackModule>(part), &table, &size) == 0)
        return {};
    return {table, size};
}

void set(NvtxFunctionPointer* function, NvtxFunctionPointer to) {
    if (function)
        __atomic_store_n(function, to, __ATOMIC_RELEASE);
}

/// Resets functions to null, as NVTX does if no tool wants them: the program sees that and skips the call.
void clear(NvtxGetExportTableFunc_t exports, int part) {
    const auto table = functions(exports, part);
    for (std::size_t i = 1; i < table.size(); ++i) // there is no function 0
        set(table[i], nullptr);
}

nvtxDomainHandle_t NVTX_API noteDomain(const char*) {
    g_domainIsUnknown = true;
    return nullptr;
}

nvtxDomainHandle_t NVTX_API noteWideDomain(const wchar_t*) {
    g_domainIsUnknown = true;
    return nullptr;
}

void watchDomains(NvtxGetExportTableFunc_t exports) {
    const auto table = functions(exports, NVTX_CB_MODULE_CORE2);
    if (table.size() <= NVTX_CBID_CORE2_DomainCreateW)
        return;
    set(table[NVTX_CBID_CORE2_DomainCreateA], reinterpret_cast<NvtxFunctionPointer>(noteDomain));
    set(table[NVTX_CBID_CORE2_DomainCreateW], reinterpret_cast<NvtxFunctionPointer>(noteWideDomain));
}

/// An unknown domain would make CUPTI lose the ends of other ranges too, so it gets none.
void connect(NvtxGetExportTableFunc_t exports) {
    tellCupti(exports);
    if (g_domainIsUnknown)
        clear(exports, NVTX_CB_MODULE_CORE2);
}

void disconnect(NvtxGetExportTableFunc_t exports) {
    for (int part = NVTX_CB_MODULE_CORE; part < NVTX_CB_MODULE_SIZE; ++part)
        clear(exports, part);
    watchDomains(exports);
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
        m.told ? connect(module) : watchDomains(module);
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
