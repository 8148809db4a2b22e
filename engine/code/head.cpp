// The head of a program: description, includes, sizes, and how it checks and makes calls.
#include "program.h"

#include <algorithm>

namespace olab::code {
namespace {

constexpr std::size_t kWidth = 100;

/// Words in lines of a comment.
void addWrapped(CodeWriter& out, const std::string& text) {
    std::string line = "//";
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = text.find(' ', at);
        end = end == std::string::npos ? text.size() : end;
        if (line.size() + 1 + (end - at) > kWidth) {
            out.add(line);
            line = "//";
        }
        line += " " + text.substr(at, end - at);
        at = end + 1;
    }
    out.add(line);
}

/// Comment text must not end the comment: the file name of a model is untrusted.
std::string plain(std::string text) {
    constexpr std::string_view kHarmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                           "=.,:;/_-+() '";
    for (char& c : text)
        if (kHarmless.find(c) == std::string_view::npos)
            c = '?';
    return text;
}

std::string settings(const experiment::Experiment& e) {
    std::string text;
    for (const std::string& assignment : experiment::differsFromDefault(e))
        text += " " + plain(assignment);
    return text.empty() ? " with the defaults" : ":" + text;
}

void writeIncludes(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (p.driver)
        out.add("#include <cudaTypedefs.h>").by({"api"});
    out.add("#include <cuda_runtime.h>");
    out.blank();
    if (e.kernel || p.fill || e.streamPriority == experiment::StreamPriority::Descending ||
        (e.buffers == experiment::BufferUse::Shared && e.h2dFirstBytes > 0))
        out.add("#include <algorithm>").by({"kernel", "stream.priority"});
    if (p.perStream || p.gate)
        out.add("#include <atomic>").by({"gate", "issue.threads"});
    out.add("#include <chrono>");
    if (p.onCallback || p.watches)
        out.add("#include <condition_variable>").by({"issue", "callback.method"});
    out.add("#include <cstdio>");
    out.add("#include <cstdlib>");
    if (p.e.d2h && p.outputs)
        out.add("#include <cstring>").by({"d2h"});
    if (p.onCallback || p.watches) {
        out.add("#include <deque>").by({"issue", "callback.method"});
        out.add("#include <mutex>").by({"issue", "callback.method"});
    }
    if (p.perStream || p.watches || p.gate)
        out.add("#include <thread>").by({"issue.threads", "callback.method", "gate"});
    if (p.interferes && e.interfere == experiment::Interfere::FirstLaunch)
        out.add("#include <utility>").by({"interfere"});
    out.add("#include <vector>");
    out.blank();
}

void addSize(CodeWriter& out, const char* name, std::int64_t bytes, Keys keys, const char* note = "") {
    out.add("constexpr size_t " + std::string(name) + " = " + bytesText(bytes) + ";" + note).by(keys);
}

void writeFirstBytes(CodeWriter& out, const experiment::Experiment& e) {
    if (e.h2dFirstBytes == 0)
        return;
    out.begin("constexpr __host__ __device__ size_t h2dBytesOf(int number) {", {"h2d.first_bytes"});
    const std::string first = bytesText(e.h2dFirstBytes);
    out.add("return number % streams == 0 ? size_t(" + first +
            ") : h2dBytes; // a small copy waits for all of a big one before it")
        .by({"h2d.first_bytes"});
    out.end();
}

void writeKernelSizes(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (e.kernelBlocks.fill > 0)
        out.add("constexpr unsigned fills = " + std::to_string(e.kernelBlocks.fill) +
                "; // grid: so many times what the device holds at once")
            .by({"kernel.blocks"});
    else
        out.add("constexpr unsigned blocks = " + std::to_string(e.kernelBlocks.blocks) + ";")
            .by({"kernel.blocks"});
    out.add("constexpr unsigned threadsPerBlock = " + std::to_string(e.kernelThreads) + ";")
        .by({"kernel.threads"});
    if (e.kernelSmem > 0)
        addSize(out, "sharedBytes", e.kernelSmem, {"kernel.smem"}, " // of each block");
    out.add("constexpr double kernelUs = " + std::to_string(e.kernelUs) + "; // of the whole grid alone")
        .by({"kernel.us"});
}

void writeSizes(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    out.add("constexpr int streams = " + std::to_string(e.streams) + ";").by({"streams"});
    out.add("constexpr int iterations = " + std::to_string(e.iterations) + ";").by({"iterations"});
    if (e.h2d)
        addSize(out, "h2dBytes", e.h2dBytes, {"h2d", "h2d.bytes"});
    if (e.h2d)
        writeFirstBytes(out, e);
    if (p.toConstant)
        out.add("constexpr size_t sliceBytes = " + p.constantSlice() + "; // of the array in constant memory")
            .by({"h2d.target", "h2d.bytes"});
    if (e.memset)
        addSize(out, "memsetBytes", e.memsetBytes, {"memset", "memset.bytes"});
    if (e.d2h)
        addSize(out, "d2hBytes", e.d2hBytes, {"d2h", "d2h.bytes"});
    if (e.kernel)
        writeKernelSizes(out, p);
    if (e.callback && e.callbackUs > 0)
        out.add("constexpr auto hostWork = std::chrono::microseconds(" + std::to_string(e.callbackUs) + ");")
            .by({"callback", "callback.us"});
    out.blank();
}

/// A macro of several statements, with aligned line continuations.
void addMacro(CodeWriter& out, const std::string& name, std::initializer_list<std::string> body, Keys keys) {
    constexpr std::size_t kEnd = 88;
    std::vector<std::string> lines{"#define " + name, "    do {"};
    for (const std::string& line : body)
        if (!line.empty())
            lines.push_back("        " + line);
    for (std::string& line : lines) {
        line.resize(std::max(line.size() + 1, kEnd), ' ');
        out.add(line + "\\").by(keys);
    }
    out.add("    } while (0)").by(keys);
}

void writeCheck(CodeWriter& out, const Program& p) {
    const bool counted = p.gate;
    if (counted)
        out.add("static std::atomic<long> calls; // that have returned").by({"gate"});
    addMacro(out, "CHECK(call)",
             {"const cudaError_t status = (call);", counted ? "++calls;" : "", "if (status != cudaSuccess) {",
              "    fprintf(stderr, \"line %d: %s\\n\", __LINE__, cudaGetErrorString(status));",
              "    exit(2);", "}"},
             {});
    out.blank();
}

/// Memory of the C library, or the end.
void writeThere(CodeWriter& out, const Program& p) {
    if (!p.takesHostMemory())
        return;
    const Keys keys{"h2d.memory", "d2h.memory", "interfere"};
    out.begin("static void* there(void* memory) {", keys);
    out.begin("if (!memory) {", keys);
    out.add("fprintf(stderr, \"the host has no memory left\\n\");").by(keys);
    out.add("exit(2);").by(keys);
    out.end();
    out.add("return memory;").by(keys);
    out.end();
    out.blank();
}

struct DriverRow {
    const char *name, *entry, *type;
    bool (*used)(const Program&);
};
constexpr DriverRow kDriver[] = {
    {"push", "cuCtxPushCurrent", "PFN_cuCtxPushCurrent_v4000", [](const Program&) { return true; }},
    {"pop", "cuCtxPopCurrent", "PFN_cuCtxPopCurrent_v4000", [](const Program&) { return true; }},
    {"memcpyHtoDAsync", "cuMemcpyHtoDAsync", "PFN_cuMemcpyHtoDAsync_v3020",
     [](const Program& p) { return p.copiesIn; }},
    {"memcpyDtoHAsync", "cuMemcpyDtoHAsync", "PFN_cuMemcpyDtoHAsync_v3020",
     [](const Program& p) { return p.copiesOut; }},
    {"memcpyDtoDAsync", "cuMemcpyDtoDAsync", "PFN_cuMemcpyDtoDAsync_v3020",
     [](const Program& p) { return p.e.memset && p.e.memsetMethod == experiment::MemsetMethod::Copy; }},
    {"memcpyPeerAsync", "cuMemcpyPeerAsync", "PFN_cuMemcpyPeerAsync_v4000",
     [](const Program& p) { return p.e.p2p; }},
    {"memsetD8Async", "cuMemsetD8Async", "PFN_cuMemsetD8Async_v3020",
     [](const Program& p) {
         return (p.e.memset && p.e.memsetMethod == experiment::MemsetMethod::Api) ||
                (p.nullOp && p.e.nullOp == experiment::NullOp::Memset);
     }},
    {"launchKernel", "cuLaunchKernel", "PFN_cuLaunchKernel_v4000",
     [](const Program& p) {
         return p.e.kernel || p.fill || (p.nullOp && p.e.nullOp == experiment::NullOp::Kernel) ||
                (p.interferes && p.e.interfere == experiment::Interfere::FirstLaunch);
     }},
    {"launchHostFunc", "cuLaunchHostFunc", "PFN_cuLaunchHostFunc_v10000",
     [](const Program& p) {
         return p.e.callback && p.e.callbackMethod == experiment::CallbackMethod::HostFn;
     }},
    {"streamAddCallback", "cuStreamAddCallback", "PFN_cuStreamAddCallback_v5000",
     [](const Program& p) {
         return p.e.callback && p.e.callbackMethod == experiment::CallbackMethod::StreamCallback;
     }},
    {"eventRecord", "cuEventRecord", "PFN_cuEventRecord_v2000",
     [](const Program& p) {
         return p.watches || p.waitsByEvent() || p.e.deps != experiment::Deps::None || p.roles ||
                (p.nullOp && p.e.nullOp == experiment::NullOp::Event);
     }},
    {"streamWaitEvent", "cuStreamWaitEvent", "PFN_cuStreamWaitEvent_v3020",
     [](const Program& p) { return p.e.deps != experiment::Deps::None || p.roles; }},
};

void writeDriver(CodeWriter& out, const Program& p) {
    if (!p.driver)
        return;
    out.add("// The driver's functions by name: no -lcuda is needed. Memory, streams and events are the "
            "runtime's.")
        .by({"api"});
    out.begin("template <typename Function> static Function driverFunction(const char* name) {", {"api"});
    out.add("void* entry = nullptr;").by({"api"});
    out.add("cudaDriverEntryPointQueryResult found;").by({"api"});
    out.add("CHECK(cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found));")
        .by({"api"});
    out.add("return reinterpret_cast<Function>(entry);").by({"api"});
    out.end();
    out.begin("struct Driver {", {"api"});
    for (const DriverRow& row : kDriver)
        if (row.used(p))
            out.add(std::string(row.type) + " " + row.name + " = driverFunction<" + row.type + ">(\"" +
                    row.entry + "\");")
                .by({"api"});
    out.end("};");
    out.begin("static const Driver& driver() {", {"api"});
    out.add("static const Driver functions;").by({"api"});
    out.add("return functions;").by({"api"});
    out.end();
    out.add("// The context is made current for each call; the error codes of both APIs are numbered alike.")
        .by({"api"});
    addMacro(out, "DRIVER(p, call)",
             {"CHECK(cudaError_t(driver().push((p).context)));", "CHECK(cudaError_t(driver().call));",
              "CUcontext popped;", "CHECK(cudaError_t(driver().pop(&popped)));"},
             {"api"});
    out.blank();
}

} // namespace

void writeHead(CodeWriter& out, const Program& p, const std::vector<std::string>& missing) {
    addWrapped(out, "An experiment of Overlap Lab" + settings(p.e));
    for (const std::string& sentence : missing)
        addWrapped(out, plain(sentence));
    out.add("// nvcc -arch=native experiment.cu -o experiment && ./experiment");
}

void writeTools(CodeWriter& out, const Program& p) {
    writeIncludes(out, p);
    writeSizes(out, p);
    out.add("using Clock = std::chrono::steady_clock;");
    writeCheck(out, p);
    writeThere(out, p);
    writeDriver(out, p);
}

} // namespace olab::code
