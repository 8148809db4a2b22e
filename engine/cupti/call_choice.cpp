#include "call_choice.h"

#include "api.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace olab::cupti {
namespace {

constexpr std::uint32_t kNumbers = 4096; // of either API; CUDA 13.0 has 807 and 523

constexpr auto kQuestions = std::to_array<std::string_view>({
    "cudaDeviceGetAttribute", "cudaDriverGetVersion", "cudaFuncGetAttributes", "cudaGetDevice",
    "cudaGetDeviceCount", "cudaGetDeviceProperties", "cudaGetLastError", "cudaPeekAtLastError",
    "cudaPointerGetAttributes", "cudaRuntimeGetVersion", "cudaStreamGetCaptureInfo", "cudaStreamGetDevice",
    "cudaStreamGetFlags", "cudaStreamGetId", "cudaStreamGetPriority", "cudaStreamIsCapturing",
    "cudaThreadExchangeStreamCaptureMode", // libraries do this around each allocation, and undo it
});
constexpr std::string_view kQuestionsBegin = "cudaOccupancy";

/// How their names begin. Not cuMemHost as a whole: cuMemHostGetFlags only asks.
constexpr auto kDriverWork = std::to_array<std::string_view>({
    "cuLaunch", // also cuLaunchHostFunc
    "cuGraphLaunch",      "cuGraphInstantiate", "cuGraphUpload",       "cuGraphExecUpdate",
    "cuMemcpy",           "cuMemset",           "cuMemPrefetch",
    "cuStreamWait", // an event, or a value
    "cuStreamWriteValue", "cuStreamBatchMemOp", "cuStreamAddCallback", "cuStreamQuery",
    "cuEventRecord",      "cuEventQuery",       "cuMemAlloc",          "cuMemFree",
    "cuMemCreate",        "cuMemMap",           "cuMemUnmap",          "cuMemRelease",
    "cuMemHostAlloc",     "cuMemHostRegister",  "cuMemHostUnregister", "cuModuleLoad",
    "cuModuleUnload",     "cuLibraryLoad",      "cuLibraryUnload",
});
constexpr std::string_view kXla = "xla_";                   // how its libraries' names begin
constexpr std::string_view kDriverWorkEnds = "Synchronize"; // of a context, a stream, an event

std::string_view nameIn(std::string_view file) {
    return file.substr(file.rfind('/') + 1);
}

/// Calls `visit` with the number and the plain name of each call of an API.
template <typename Visit>
void eachCall(CUpti_CallbackDomain domain, Visit visit) {
    for (std::uint32_t cbid = 1; cbid < kNumbers; ++cbid) {
        const char* name = nullptr;
        if (api().cuptiGetCallbackName(domain, cbid, &name) == CUPTI_SUCCESS && name)
            visit(cbid, withoutSuffixes(name));
    }
}

bool beginsAsOneOf(std::string_view name, std::span<const std::string_view> begins) {
    return std::ranges::any_of(begins, [name](auto begin) { return name.starts_with(begin); });
}

} // namespace

std::string_view withoutVersion(std::string_view name) {
    const std::size_t at = name.rfind("_v");
    const bool has =
        at != name.npos && at + 2 < name.size() && name.find_first_not_of("0123456789", at + 2) == name.npos;
    return has ? name.substr(0, at) : name;
}

std::string_view withoutSuffixes(std::string_view name) {
    for (std::size_t size = 0; size != name.size();) {
        size = name.size();
        name = withoutVersion(name);
        if (name.ends_with("_ptsz") || name.ends_with("_ptds"))
            name.remove_suffix(5);
    }
    return name;
}

bool onlyAsks(std::string_view name) {
    return name.starts_with(kQuestionsBegin) || std::ranges::find(kQuestions, name) != kQuestions.end();
}

bool callsDriverItself(std::string_view file) {
    constexpr auto kLibraries =
        std::to_array<std::string_view>({"libcublasLt.", "libcudnn", "libcutensor", "libcusparseLt.",
                                         "libnccl.", "libnvinfer", "libnvrtc.", "libtriton", kXla});
    return beginsAsOneOf(nameIn(file), kLibraries);
}

bool failsWhenAsked(std::string_view file) {
    return nameIn(file).starts_with(kXla);
}

bool isDriverWork(std::string_view name) {
    return name.ends_with(kDriverWorkEnds) || beginsAsOneOf(name, kDriverWork);
}

std::string leaveOutQuestions() {
    const auto record = api().cuptiActivityEnableRuntimeApi;
    if (!record)
        return {};
    std::set<std::string_view> names;
    eachCall(CUPTI_CB_DOMAIN_RUNTIME_API, [&](std::uint32_t cbid, std::string_view name) {
        if (onlyAsks(name) && record(cbid, 0) == CUPTI_SUCCESS)
            names.insert(name);
    });
    std::string text;
    for (const std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(name);
    return text;
}

bool recordDriverWork(bool on) {
    const auto record = api().cuptiActivityEnableDriverApi;
    if (!record)
        return false;
    bool any = false;
    eachCall(CUPTI_CB_DOMAIN_DRIVER_API, [&](std::uint32_t cbid, std::string_view name) {
        if (isDriverWork(name) && record(cbid, on ? 1 : 0) == CUPTI_SUCCESS)
            any = true;
    });
    return any;
}

} // namespace olab::cupti
