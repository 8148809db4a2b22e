// Calls that load code, and calls that change how the device or a kernel is set up. What they change takes
// effect when the next kernel is launched, which is the second of the two between which they are.
#include "call_cases.h"

#include <cudaTypedefs.h>
#include <loaded_module_image.inc>

namespace olab::cuda::probes {
namespace {

template <typename Function>
Function driverFunction(const char* name) {
    constexpr unsigned kSignatures = 12000;
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check(cudaGetDriverEntryPointByVersion(name, &entry, kSignatures, cudaEnableDefault, &found),
          "look up a driver function");
    return reinterpret_cast<Function>(entry);
}

void checkDriver(CUresult result, const char* doing) {
    check(static_cast<cudaError_t>(result), doing); // both enumerations have the same numbers
}
void loadModule(Things& t) {
    static const auto load = driverFunction<PFN_cuModuleLoadData_v2000>("cuModuleLoadData");
    CUmodule module = nullptr;
    checkDriver(load(&module, kLoadedModuleImage), "load a module");
    t.module = module;
}
void unloadModule(Things& t) {
    static const auto unload = driverFunction<PFN_cuModuleUnload_v2000>("cuModuleUnload");
    checkDriver(unload(static_cast<CUmodule>(std::exchange(t.module, nullptr))), "unload a module");
}
void findFunction(Things& t) {
    static const auto find = driverFunction<PFN_cuModuleGetFunction_v2000>("cuModuleGetFunction");
    CUfunction ignored = nullptr;
    checkDriver(find(&ignored, static_cast<CUmodule>(t.module), "olab_loaded_kernel"), "find a kernel");
}

void loadLibrary(Things& t) {
    check(cudaLibraryLoadData(&t.library, kLoadedModuleImage, nullptr, nullptr, 0, nullptr, nullptr, 0),
          "load a library");
}
void findKernel(Things& t) {
    cudaKernel_t ignored = nullptr;
    check(cudaLibraryGetKernel(&ignored, t.library, "olab_loaded_kernel"), "find a kernel");
}
void unloadLibrary(Things& t) {
    check(cudaLibraryUnload(std::exchange(t.library, nullptr)), "unload a library");
}

/// Raises a limit, and puts it back.
Call limitCall(const char* name, cudaLimit limit, std::size_t step) {
    return {std::string("cudaDeviceSetLimit.") + name,
            [=](Things& t) { check(cudaDeviceSetLimit(limit, t.limit + step), "set a limit"); },
            [=](Things& t) { check(cudaDeviceGetLimit(&t.limit, limit), "ask for a limit"); },
            [=](Things& t) { check(cudaDeviceSetLimit(limit, t.limit), "put a limit back"); }};
}

void setCarveout(int percent) {
    check(
        cudaFuncSetAttribute(kernels::spinKernel(), cudaFuncAttributePreferredSharedMemoryCarveout, percent),
        "set the carve-out");
}
void setCache(cudaFuncCache preferred) {
    check(cudaFuncSetCacheConfig(kernels::spinKernel(), preferred), "prefer a cache");
}
Call carveoutCall(const char* name, bool everySm) {
    return {.name = name,
            .call = [](Things&) { setCarveout(cudaSharedmemCarveoutMaxShared); },
            .finish = [](Things&) { setCarveout(cudaSharedmemCarveoutDefault); },
            .everySm = everySm};
}
Call cacheCall(const char* name, bool everySm) {
    return {.name = name,
            .call = [](Things&) { setCache(cudaFuncCachePreferShared); },
            .finish = [](Things&) { setCache(cudaFuncCachePreferNone); },
            .everySm = everySm};
}

} // namespace

Calls loadingCalls() {
    return {
        {"cuModuleLoadData", loadModule, {}, unloadModule},
        {"cuModuleGetFunction.first", findFunction, loadModule, unloadModule},
        {"cuModuleUnload", unloadModule, loadModule},
        {"cudaLibraryLoadData", loadLibrary, {}, unloadLibrary},
        {"cudaLibraryGetKernel.first", findKernel, loadLibrary, unloadLibrary},
        {"cudaLibraryUnload", unloadLibrary, loadLibrary},
    };
}

Calls settingCalls() {
    return {
        limitCall("stack_size", cudaLimitStackSize, 1 << 10),
        limitCall("printf_fifo_size", cudaLimitPrintfFifoSize, 1 << 20),
        limitCall("malloc_heap_size", cudaLimitMallocHeapSize, 8 << 20),
        limitCall("persisting_l2", cudaLimitPersistingL2CacheSize, 1 << 20),
        carveoutCall("cudaFuncSetAttribute.carveout", false),
        carveoutCall("cudaFuncSetAttribute.carveout.every_sm", true),
        cacheCall("cudaFuncSetCacheConfig", false),
        cacheCall("cudaFuncSetCacheConfig.every_sm", true),
    };
}

} // namespace olab::cuda::probes
