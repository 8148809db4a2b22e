#include "api.h"

#include "other_tools.h"

#include <olab/trace/error.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace olab::cupti {
namespace {

struct Advice {
    CUptiResult result;
    const char* code;
    const char* hint;
};

constexpr Advice kAdvice[] = {
    {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "no-permission",
     "The driver's option NVreg_RestrictProfilingToAdminUsers, which is meant for counters, refuses tracing "
     "too: "
     "an administrator can set it to 0, or give the program CAP_SYS_ADMIN. trace=off runs without CUPTI."},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, "no-permission",
     "Profiling must be allowed for this virtual GPU on its host. trace=off runs without CUPTI."},
    {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, "no-tracing",
     "This virtual GPU cannot be traced. trace=off runs without CUPTI."},
    {CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, "no-tracing",
     "A device in confidential computing mode cannot be traced. trace=off runs without CUPTI."},
    {CUPTI_ERROR_OUT_OF_MEMORY, "out-of-host-memory",
     "Close other programs, or make the experiment smaller."},
};

} // namespace

void checkCupti(CUptiResult result, const std::string& what) {
    if (result == CUPTI_SUCCESS)
        return;
    const std::string message = "CUPTI could not " + what + ": " + resultText(result) + ".";
    for (const Advice& advice : kAdvice)
        if (advice.result == result)
            throw Error(ErrorKind::NoDevice, advice.code, message, advice.hint);
    throw Error(ErrorKind::NoDevice, "cupti-failed", message,
                "Is a driver for CUDA 13.0 or later loaded (nvidia-smi)? trace=off runs without CUPTI.");
}

namespace fs = std::filesystem;
namespace {

const std::string kLibrary = "libcupti.so." + std::to_string(CUPTI_API_VERSION / 10000);

void addIfThere(std::vector<std::string>& list, const fs::path& file) {
    std::error_code ignored;
    if (fs::exists(file, ignored))
        list.push_back(file.string());
}

/// Libraries in the working directory are never loaded, so a root or library folder must be absolute; an
/// empty one means the working directory, too.
std::vector<fs::path> absoluteIn(const char* list) {
    std::vector<fs::path> folders;
    for (std::string_view rest = list ? list : ""; !rest.empty();) {
        const auto end = std::min(rest.find(':'), rest.size());
        if (const fs::path folder(rest.substr(0, end)); folder.is_absolute())
            folders.push_back(folder);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return folders;
}

/// Whether the loader would search the working directory for a name.
bool loaderLooksHere() {
    const char* const list = std::getenv("LD_LIBRARY_PATH");
    if (!list || *list == '\0')
        return false;
    const std::string_view text(list);
    const auto entries = 1 + static_cast<std::size_t>(std::ranges::count(text, ':'));
    return text.find(';') != text.npos || absoluteIn(list).size() != entries;
}

/// By name if that is safe; else in the places where the loader would look, except the working directory.
void addLoadersFolders(std::vector<std::string>& list) {
    if (!loaderLooksHere()) {
        list.push_back(kLibrary);
        return;
    }
    for (const fs::path& folder : absoluteIn(std::getenv("LD_LIBRARY_PATH")))
        addIfThere(list, folder / kLibrary);
    for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
                               "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/usr/local/lib"})
        addIfThere(list, fs::path(folder) / kLibrary);
}

std::string chosenLibrary(const std::string& chosen) {
    if (fs::path(chosen).is_absolute())
        return chosen;
    throw Error(ErrorKind::NoDevice, "no-cupti", "OLAB_CUPTI is '" + chosen + "', which is no absolute path.",
                "Set it to the whole path of the " + kLibrary +
                    " of CUDA 13.0 or later, or unset it: then the usual folders are searched.");
}

/// Next to this code, be it a program or a library in another program: an archive may contain it.
void addOwnFolders(std::vector<std::string>& list) {
    const fs::path self = ownFile().parent_path();
    if (self.empty())
        return;
    addIfThere(list, self / kLibrary);
    addIfThere(list, self.parent_path() / "lib" / kLibrary);
    for (const fs::path& folder : {self, self.parent_path()})
        addIfThere(list, folder / "overlap-lab" / kLibrary);
}

void addToolkits(std::vector<std::string>& list) {
    std::vector<fs::path> roots;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* root = std::getenv(name); root && fs::path(root).is_absolute())
            roots.emplace_back(root);
    roots.insert(roots.end(), {"/usr/local/cuda", "/usr/local/cuda-13", "/opt/cuda"});
    for (const fs::path& root : roots) {
        addIfThere(list, root / "lib64" / kLibrary);
        addIfThere(list, root / "extras/CUPTI/lib64" / kLibrary);
    }
    for (const char* base : {"/usr/lib/python3/dist-packages", "/usr/local/lib/python3/dist-packages"})
        addIfThere(list, fs::path(base) / "nvidia/cu13/lib" / kLibrary);
}

// First our own, then where the loader looks, then where toolkits install it. In other people's programs our
// own is the last resort: what they load later is most likely the system's.
std::vector<std::string> searchList(HostProgram host) {
    if (const char* chosen = std::getenv("OLAB_CUPTI"))
        return {chosenLibrary(chosen)}; // an explicit choice that does not work is reported, not replaced
    std::vector<std::string> list;
    if (host == HostProgram::Ours)
        addOwnFolders(list);
    addLoadersFolders(list);
    addToolkits(list);
    if (host == HostProgram::Foreign)
        addOwnFolders(list);
    return list;
}

void* openFirst(HostProgram host, std::string& file, std::string& tried) {
    for (const std::string& candidate : searchList(host)) {
        if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            file = candidate;
            return library;
        }
        tried += (tried.empty() ? "" : "; ") + std::string(dlerror());
    }
    return nullptr;
}

template <typename Function>
void resolve(void* library, const char* name, Function& out, const std::string& file) {
    out = reinterpret_cast<Function>(dlsym(library, name));
    if (!out)
        throw Error(ErrorKind::NoDevice, "wrong-cupti",
                    file + " is not the CUPTI that is needed: it has no " + name + ".",
                    "Use the CUPTI of CUDA 13.0 or later: set OLAB_CUPTI to its " + kLibrary + ".");
}

[[noreturn]] void throwNotLoaded(const std::string& tried) {
    const std::string hint = "Install the CUDA toolkit's CUPTI (13.0 or later), or set OLAB_CUPTI to its " +
                             kLibrary + "; without it runs work but leave no trace (trace=off).";
    if (std::getenv("OLAB_CUPTI"))
        throw Error(ErrorKind::NoDevice, "no-cupti",
                    "The library that OLAB_CUPTI names could not be loaded (" + tried + ").",
                    "Set it to the " + kLibrary +
                        " of CUDA 13.0 or later, or unset it: then the usual folders are searched.");
    throw Error(ErrorKind::NoDevice, "no-cupti", "CUPTI could not be loaded (" + tried + ").", hint);
}

/// Null if the program has none with this name.
void* openLoaded(std::string& file) {
    file = kLibrary;
    return dlopen(kLibrary.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

Api load(HostProgram host) {
    Api api;
    std::string tried;
    void* library = nullptr;
    if (host == HostProgram::Foreign && !std::getenv("OLAB_CUPTI"))
        library = openLoaded(api.file);
    if (!library)
        library = openFirst(host, api.file, tried);
    if (!library)
        throwNotLoaded(tried);
#define OLAB_RESOLVE(name) resolve(library, #name, api.name, api.file);
    OLAB_CUPTI_FUNCTIONS(OLAB_RESOLVE)
#undef OLAB_RESOLVE
#define OLAB_RESOLVE(name) api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #name));
    OLAB_CUPTI_OPTIONAL_FUNCTIONS(OLAB_RESOLVE)
#undef OLAB_RESOLVE
    Dl_info where{};
    if (dladdr(reinterpret_cast<void*>(api.cuptiGetVersion), &where) && where.dli_fname)
        api.file = where.dli_fname; // as in /proc/self/maps
    return api;
}

} // namespace

const Api& api(HostProgram host) {
    static const Api loaded = load(host);
    return loaded;
}

std::string resultText(CUptiResult result) {
    const char* text = nullptr;
    if (api().cuptiGetResultString(result, &text) != CUPTI_SUCCESS || !text)
        text = "unknown CUPTI error";
    return std::string(text) + " (" + std::to_string(static_cast<int>(result)) + ")";
}

} // namespace olab::cupti
