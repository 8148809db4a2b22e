// The program's state: its pipelines and what they share; and how all of that is created.
#include "program.h"

namespace olab::code {
namespace {

void writePipeline(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    out.begin("struct Pipeline {");
    out.add("int number;");
    if (p.allDevices)
        out.add("int device;").by({"devices"});
    if (!p.roles)
        out.add("cudaStream_t stream;").by({"stream.kind"});
    for (const std::string& event : p.roleEvents())
        out.add("cudaEvent_t " + event + ";").by({"stream.roles"});
    if (p.driver)
        out.add("CUcontext context;").by({"api"});
    if (p.readsInPlace)
        out.add("volatile unsigned* source; // on the host: the kernel reads it there").by({"h2d.memory"});
    else if (p.toConstant)
        out.add("unsigned* source; // on the host").by({"h2d", "h2d.target"});
    else if (p.copiesIn)
        out.add("unsigned *source, *input; // on the host, on the device").by({"h2d"});
    if (p.toConstant && p.driver)
        out.add("char* slice; // of the array in constant memory").by({"h2d.target", "api"});
    if (e.memset)
        out.add("unsigned* scratch; // what the memset clears").by({"memset"});
    if (p.writesInPlace)
        out.add("unsigned* target; // on the host: the kernel writes it there").by({"d2h.memory"});
    else if (p.copiesOut)
        out.add("unsigned *output, *target; // on the device, on the host").by({"d2h"});
    if (e.p2p)
        out.add("unsigned* peer; // on the next device").by({"p2p"});
    if (e.deps == experiment::Deps::EventChain)
        out.add("cudaEvent_t passed[2]; // after even and odd iterations").by({"deps"});
    if (e.deps == experiment::Deps::CopyToKernel)
        out.add("cudaEvent_t copied, computed;").by({"deps"});
    if (e.deps == experiment::Deps::SameStream)
        out.add("cudaEvent_t copied;").by({"deps"});
    if (p.waitsByEvent())
        out.add("cudaEvent_t reached; // what the host waits for").by({"sync"});
    out.end("};");
    if (p.allDevices) {
        out.add("static std::vector<Pipeline> pipelines; // `streams` of each device").by({"devices"});
        out.add("static int devices, pipelineCount;").by({"devices"});
    } else {
        out.add(p.roles ? "static Pipeline pipelines[streams]; // a set of buffers each"
                        : "static Pipeline pipelines[streams];")
            .by({"streams"});
        if (p.roles) {
            out.add("static cudaStream_t roles[3]; // all pipelines share them").by({"stream.roles"});
            const std::string in = p.copiesIn ? "&copyIn = roles[0], " : "",
                              back = p.copiesOut ? ", &copyOut = roles[2]" : "";
            out.add("static cudaStream_t " + in + "&compute = roles[1]" + back + ";").by({"stream.roles"});
        }
    }
}

void writeShared(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    const auto shared = [&](const std::string& type, const std::string& name) {
        return "static " + (p.allDevices ? "std::vector<" + type + ">" : type) + " " + name + ";";
    };
    if (e.kernel) {
        out.add("static long long loops; // of each kernel").by({"kernel", "kernel.us"});
        out.add(shared("unsigned*", "errors") + " // on the device: counts words that are wrong")
            .by({"kernel"});
    }
    if (e.kernel && e.kernelBlocks.fill > 0)
        out.add("static unsigned blocks;").by({"kernel.blocks"});
    if (e.kernel && e.kernelKind == experiment::KernelKind::Memory)
        out.add(shared("float4*", "streamed") + " // what the kernel reads, several times the L2 cache")
            .by({"kernel.kind"});
    if (e.memset && e.memsetMethod == experiment::MemsetMethod::Copy)
        out.add(shared("unsigned*", "zeros") + " // what the scratch buffers are cleared from")
            .by({"memset.method"});
    if (p.fill)
        out.add("static unsigned fillBlocks;").by({"memset.method"});
    if (p.nullOp && e.nullOp == experiment::NullOp::Memset)
        out.add(shared("unsigned*", "nullScratch")).by({"null_op"});
    if (p.nullOp && e.nullOp == experiment::NullOp::Event)
        out.add(shared("cudaEvent_t", "nullEvent")).by({"null_op"});
    if (p.interferes) {
        out.add("static bool measuring = false; // the calls between passes are not part of the warm-up")
            .by({"interfere"});
        if (e.interfere == experiment::Interfere::MemsetSync || e.interfere == experiment::Interfere::D2d)
            out.add(shared("char*", "small")).by({"interfere"});
        else if (e.interfere == experiment::Interfere::FirstLaunch)
            out.add(p.perStream ? "static std::atomic<unsigned> launched;" : "static unsigned launched;")
                .by({"interfere"});
        else if (p.hasPieces)
            out.add(p.perStream ? "static std::atomic<size_t> piece;" : "static size_t piece;")
                .by({"interfere"});
        if (p.hasPieces)
            out.add("static std::vector<void*> pieces; // one for each call").by({"interfere"});
    }
}

/// Passes reports from callbacks to the issuing threads, and events to the watching thread.
void writeQueue(CodeWriter& out, const Program& p) {
    if (!p.onCallback && !p.watches)
        return;
    out.blank();
    out.begin("template <typename T> struct Queue {", {"issue", "callback.method"});
    out.add("std::mutex mutex;");
    out.add("std::condition_variable changed;");
    out.add("std::deque<T> waiting;");
    out.begin("void put(T value) {");
    out.add("std::lock_guard<std::mutex> lock(mutex);");
    out.add("waiting.push_back(value);");
    out.add("changed.notify_one();");
    out.end();
    out.begin("T take() {");
    out.add("std::unique_lock<std::mutex> lock(mutex);");
    out.add("changed.wait(lock, [this] { return !waiting.empty(); });");
    out.add("const T value = waiting.front();");
    out.add("waiting.pop_front();");
    out.add("return value;");
    out.end();
    out.end("};");
    if (p.onCallback)
        out.add(p.perStream && p.allDevices
                    ? "static std::deque<Queue<int>> reports; // one for each thread: passes that are done"
                : p.perStream
                    ? "static Queue<int> reports[streams]; // one for each thread: passes that are done"
                    : "static Queue<int> reports; // numbers of pipelines whose pass is done")
            .by({"issue", "issue.threads"});
    if (p.watches) {
        out.add("struct Watched { cudaEvent_t event; int number; };").by({"callback.method"});
        out.add("static Queue<Watched> watched;").by({"callback.method"});
    }
}

} // namespace

bool Program::takesHostMemory() const {
    const auto is = [](bool used, experiment::HostMemory memory) {
        return used &&
               (memory == experiment::HostMemory::Pageable || memory == experiment::HostMemory::Registered);
    };
    return is(e.h2d, e.h2dMemory) || is(e.d2h, e.d2hMemory) ||
           (hasPieces && e.interfere == experiment::Interfere::HostRegister);
}

void writeState(CodeWriter& out, const Program& p) {
    writePipeline(out, p);
    writeShared(out, p);
    writeQueue(out, p);
    out.blank();
}

namespace {

std::string streamFlags(const Program& p) {
    return p.e.streamKind == experiment::PlannedStreamKind::NonBlocking ? "cudaStreamNonBlocking"
                                                                        : "cudaStreamDefault";
}

void writeStream(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    const Keys keys{"stream.kind", "stream.priority"};
    const std::string at = p.roles ? "roles[s]" : "p.stream";
    if (e.streamKind == experiment::PlannedStreamKind::PerThread) {
        out.add("p.stream = cudaStreamPerThread; // another one in each thread").by({"stream.kind"});
        return;
    }
    std::string create = "CHECK(cudaStreamCreateWithFlags(&" + at + ", " + streamFlags(p) + "));";
    const std::string number = p.roles ? "s" : p.allDevices ? "p.number % streams" : "p.number";
    if (e.streamPriority != experiment::StreamPriority::Equal && p.streamCount() > 1) {
        out.add("int lowest, highest; // as numbers the other way round").by(keys);
        out.add("CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));").by(keys);
        create = "CHECK(cudaStreamCreateWithPriority(&" + at + ", " + streamFlags(p) + ", " +
                 (e.streamPriority == experiment::StreamPriority::Descending
                      ? "std::min(lowest, highest + " + number + ")"
                      : number + " == 0 ? highest : 0") +
                 "));";
    }
    if (e.streamKind == experiment::PlannedStreamKind::Legacy) {
        out.beginLoop("if (" + number + " == 0)", {"stream.kind"});
        out.add(at + " = cudaStreamLegacy;").by({"stream.kind"});
        out.endLoop();
        if (p.streamCount() == 1)
            return;
        out.beginLoop("else", {"stream.kind"});
        out.add(create).by(keys);
        out.endLoop();
        return;
    }
    if (e.streamKind == experiment::PlannedStreamKind::Blocking)
        out.add("// A blocking stream: it waits for the NULL stream, and the NULL stream for it.")
            .by({"stream.kind"});
    out.add(create).by(keys);
}

struct HostBuffer {
    const char *name, *bytes, *memoryKey;
    experiment::HostMemory memory;
    bool portable;
    Keys keys;
    bool saysWhy = true; ///< false: the one before it says it
};

std::string hostFlags(const HostBuffer& b) {
    std::string flags = b.memory == experiment::HostMemory::WriteCombined ? "cudaHostAllocWriteCombined"
                        : b.memory == experiment::HostMemory::Mapped      ? "cudaHostAllocMapped"
                                                                          : "";
    if (b.portable)
        flags += flags.empty() ? "cudaHostAllocPortable" : " | cudaHostAllocPortable";
    return flags.empty() ? "cudaHostAllocDefault" : flags;
}

const char* whyOf(experiment::HostMemory memory) {
    switch (memory) {
    case experiment::HostMemory::Pinned:
        return "// Pinned: a copy engine works on it by itself, and the call returns at once.";
    case experiment::HostMemory::Pageable:
        return "// Pageable: the driver stages the copy, and the call waits for it.";
    case experiment::HostMemory::Registered:
        return "// Page-locked afterwards, in whole pages: as good as pinned.";
    case experiment::HostMemory::WriteCombined:
        return "// Write-combined: good to write and to copy from, slow for the host to read.";
    case experiment::HostMemory::Mapped:
        return "// Mapped: no copy, the kernel reaches over the bus.";
    case experiment::HostMemory::Managed:
        return "// Managed: no copy, its pages move to who touches them.";
    }
    return "";
}

void allocateHost(CodeWriter& out, const HostBuffer& b) {
    const std::string at = std::string("p.") + b.name, bytes = b.bytes;
    if (b.saysWhy)
        out.add(whyOf(b.memory)).by({b.memoryKey});
    if (b.memory == experiment::HostMemory::Pageable) {
        out.add(at + " = static_cast<unsigned*>(there(malloc(" + bytes + ")));").by(b.keys).by({b.memoryKey});
    } else if (b.memory == experiment::HostMemory::Registered) {
        out.add(at + " = static_cast<unsigned*>(there(aligned_alloc(4096, (" + bytes +
                " + 4095) / 4096 * 4096)));")
            .by(b.keys)
            .by({b.memoryKey});
        out.add("CHECK(cudaHostRegister(" + at + ", " + bytes + ", " +
                (b.portable ? "cudaHostRegisterPortable" : "cudaHostRegisterDefault") + "));")
            .by(b.keys)
            .by({b.memoryKey});
    } else if (b.memory == experiment::HostMemory::Managed) {
        out.add("CHECK(cudaMallocManaged((void**)&" + at + ", " + bytes + "));").by(b.keys).by({b.memoryKey});
    } else {
        out.add("CHECK(cudaHostAlloc((void**)&" + at + ", " + bytes + ", " + hostFlags(b) + "));")
            .by(b.keys)
            .by({b.memoryKey});
    }
}

/// Its own, or that of the first pipeline of its device.
void allocateDevice(CodeWriter& out, const Program& p, const char* name, const std::string& bytes,
                    Keys keys) {
    const std::string at = std::string("p.") + name;
    const std::string create = "CHECK(cudaMalloc((void**)&" + at + ", " + bytes + "));";
    if (p.e.buffers == experiment::BufferUse::Own || p.e.streams == 1) {
        out.add(create).by(keys);
        return;
    }
    const std::string first = p.allDevices ? "p.number % streams == 0" : "p.number == 0";
    const std::string owner =
        p.allDevices ? "pipelines[p.number / streams * streams]." : std::string("pipelines[0].");
    out.beginLoop("if (" + first + ")", {"buffers"});
    out.add(create).by(keys).by({"buffers"});
    out.endLoop();
    out.beginLoop("else", {"buffers"});
    out.add(at + " = " + owner + name + "; // all streams work on one: a race").by({"buffers"});
    out.endLoop();
}

void writeBuffers(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    const std::string in = p.h2dBytes();
    if (e.h2d) {
        allocateHost(
            out, {"source", in.c_str(), "h2d.memory", e.h2dMemory, e.h2dPortable, {"h2d", "h2d.portable"}});
        out.beginLoop("for (size_t i = 0; i < " + in + " / sizeof(unsigned); ++i)", {"h2d"});
        out.add("p.source[i] = pattern(i, p.number);").by({"h2d"});
        out.endLoop();
    }
    const bool shares = e.buffers == experiment::BufferUse::Shared && e.streams > 1 && e.h2dFirstBytes > 0;
    if (p.copiesIn && !p.toConstant)
        allocateDevice(out, p, "input", shares ? "std::max(h2dBytes, h2dBytesOf(0))" : in, {"h2d"});
    if (e.memset)
        allocateDevice(out, p, "scratch", "memsetBytes", {"memset"});
    if (p.copiesOut)
        allocateDevice(out, p, "output", "d2hBytes", {"d2h"});
    if (e.d2h)
        allocateHost(out, {"target",
                           "d2hBytes",
                           "d2h.memory",
                           e.d2hMemory,
                           false,
                           {"d2h"},
                           !e.h2d || e.h2dMemory != e.d2hMemory});
    if (e.p2p) {
        out.add("CHECK(cudaSetDevice((p.device + 1) % devices));").by({"p2p"});
        out.add("CHECK(cudaMalloc((void**)&p.peer, d2hBytes));").by({"p2p"});
    }
}

void writeEvents(CodeWriter& out, const Program& p) {
    const auto event = [&](const std::string& name, Keys keys) {
        out.add("CHECK(cudaEventCreateWithFlags(&p." + name + ", cudaEventDisableTiming));").by(keys);
    };
    if (p.e.deps == experiment::Deps::EventChain) {
        event("passed[0]", {"deps"});
        event("passed[1]", {"deps"});
    }
    if (p.e.deps == experiment::Deps::CopyToKernel || p.e.deps == experiment::Deps::SameStream)
        event("copied", {"deps"});
    if (p.e.deps == experiment::Deps::CopyToKernel)
        event("computed", {"deps"});
    for (const std::string& name : p.roleEvents())
        event(name, {"stream.roles"});
    if (p.waitsByEvent())
        event("reached", {"sync"});
}

void writeContext(CodeWriter& out, const Program& p) {
    if (!p.driver)
        return;
    out.add("CHECK(cudaFree(nullptr)); // the context is made by the first call").by({"api"});
    out.add("CHECK(cudaError_t(driverFunction<PFN_cuCtxGetCurrent_v4000>(\"cuCtxGetCurrent\")(&p.context)));")
        .by({"api"});
    if (!p.toConstant)
        return;
    out.add("CHECK(cudaGetSymbolAddress((void**)&p.slice, constants));").by({"api", "h2d.target"});
    out.add(p.allDevices ? "p.slice += p.number % streams * sliceBytes;"
                         : "p.slice += p.number * sliceBytes;")
        .by({"api", "h2d.target"});
}

/// What exists once per device.
void writeDeviceParts(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    const std::string at = p.allDevices ? "[device]" : "";
    const auto allocate = [&](const std::string& name, const std::string& bytes, Keys keys) {
        out.add("CHECK(cudaMalloc((void**)&" + name + at + ", " + bytes + "));").by(keys);
        out.add("CHECK(cudaMemset(" + name + at + ", 0, " + bytes + "));").by(keys);
    };
    if (e.kernel)
        allocate("errors", "sizeof(unsigned)", {"kernel"});
    if (e.kernel && e.kernelKind == experiment::KernelKind::Memory)
        allocate("streamed", "streamedBytes", {"kernel.kind"});
    if (e.memset && e.memsetMethod == experiment::MemsetMethod::Copy)
        allocate("zeros", "memsetBytes", {"memset.method"});
    if (p.nullOp && e.nullOp == experiment::NullOp::Memset)
        allocate("nullScratch", "4096", {"null_op"});
    if (p.nullOp && e.nullOp == experiment::NullOp::Event)
        out.add("CHECK(cudaEventCreateWithFlags(&nullEvent" + at + ", cudaEventDisableTiming));")
            .by({"null_op"});
    if (p.interferes &&
        (e.interfere == experiment::Interfere::MemsetSync || e.interfere == experiment::Interfere::D2d))
        allocate("small", "128 << 10", {"interfere"});
    if (e.p2p) {
        out.add("int can = 0; // without peer access a copy goes by the host").by({"p2p"});
        out.add("CHECK(cudaDeviceCanAccessPeer(&can, device, (device + 1) % devices));").by({"p2p"});
        out.beginLoop("if (can)", {"p2p"});
        out.add("CHECK(cudaDeviceEnablePeerAccess((device + 1) % devices, 0));").by({"p2p"});
        out.endLoop();
    }
}

void writeAllDevices(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    out.add("CHECK(cudaGetDeviceCount(&devices));").by({"devices"});
    out.add("pipelineCount = devices * streams;").by({"devices"});
    out.add("pipelines.resize(pipelineCount);").by({"devices"});
    if (p.perStream && p.onCallback)
        out.add("reports.resize(pipelineCount);").by({"devices"});
    const auto sized = [&](bool is, const char* name) {
        if (is)
            out.add(std::string(name) + ".resize(devices);").by({"devices"});
    };
    sized(e.kernel, "errors");
    sized(e.kernel && e.kernelKind == experiment::KernelKind::Memory, "streamed");
    sized(e.memset && e.memsetMethod == experiment::MemsetMethod::Copy, "zeros");
    sized(p.nullOp && e.nullOp == experiment::NullOp::Memset, "nullScratch");
    sized(p.nullOp && e.nullOp == experiment::NullOp::Event, "nullEvent");
    sized(p.interferes &&
              (e.interfere == experiment::Interfere::MemsetSync || e.interfere == experiment::Interfere::D2d),
          "small");
    out.beginLoop("for (int device = 0; device < devices; ++device)", {"devices"});
    out.add("CHECK(cudaSetDevice(device));").by({"devices"});
    writeDeviceParts(out, p);
    if (e.kernel && e.kernelSmem > 0)
        out.add(
               "CHECK(cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));")
            .by({"kernel.smem"});
    out.endLoop();
}

} // namespace

void writeSetUp(CodeWriter& out, const Program& p) {
    out.begin("static void setUp() {");
    if (p.allDevices)
        writeAllDevices(out, p);
    else
        writeDeviceParts(out, p);
    if (!p.allDevices && p.e.kernel && p.e.kernelSmem > 0)
        out.add(
               "CHECK(cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));")
            .by({"kernel.smem"});
    if (p.gate)
        out.add("CHECK(cudaHostAlloc((void**)&gateFlag, sizeof(int), cudaHostAllocMapped | "
                "cudaHostAllocPortable));")
            .by({"gate"});
    if (p.roles) {
        out.beginLoop("for (int s = 0; s < 3; ++s)", {"stream.roles"});
        writeStream(out, p);
        out.endLoop();
    }
    out.beginLoop("for (int s = 0; s < " + p.count() + "; ++s)");
    out.add("Pipeline& p = pipelines[s];");
    out.add("p.number = s;");
    if (p.allDevices) {
        out.add("p.device = s / streams;").by({"devices"});
        out.add("CHECK(cudaSetDevice(p.device));").by({"devices"});
    }
    writeContext(out, p);
    if (!p.roles)
        writeStream(out, p);
    writeEvents(out, p);
    writeBuffers(out, p);
    out.endLoop();
    if (p.allDevices)
        out.add("CHECK(cudaSetDevice(0));").by({"devices"});
    out.end();
    out.blank();
}

} // namespace olab::code
