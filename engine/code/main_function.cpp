// main() of a program, and its check of the data.
#include "program.h"

namespace olab::code {
namespace {

std::string threadsOfGrid() {
    return "size_t(blocks) * threadsPerBlock";
}

void writeCompare(CodeWriter& out, const Program& p) {
    if (!p.outputs)
        return;
    out.begin("static long wrongIn(const unsigned* words, int number) {", {"d2h"});
    out.add("constexpr size_t count = d2hBytes / sizeof(unsigned);").by({"d2h"});
    if (p.copiesOut) {
        out.add("const size_t threads = " + threadsOfGrid() + ";").by({"d2h"});
        out.add("long wrong = 0;").by({"d2h"});
        out.begin("for (size_t t = 0; t < std::min(threads, count); ++t) {", {"d2h"});
        out.add("const size_t i = wordOf(t, count, threads);").by({"d2h"});
        out.add("wrong += words[i] != result(i, number, iterations - 1);").by({"d2h"});
        out.end();
    } else {
        out.add("long wrong = 0;").by({"d2h"});
        out.beginLoop("for (size_t i = 0; i < count; ++i)", {"d2h"});
        out.add("wrong += words[i] != result(i, number, iterations - 1);").by({"d2h"});
        out.endLoop();
    }
    out.add("return wrong;").by({"d2h"});
    out.end();
}

void writeCounted(CodeWriter& out, const Program& p) {
    out.add("unsigned counted = 0;");
    const std::string copy = "CHECK(cudaMemcpy(&counted, errors" +
                             std::string(p.allDevices ? "[device]" : "") +
                             ", sizeof counted, cudaMemcpyDeviceToHost));";
    if (p.allDevices) {
        out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
        out.add(copy);
        out.add("wrong += counted;");
        out.end();
    } else {
        out.add(copy);
        out.add("wrong += counted;");
    }
}

/// Errors found by the kernels, and in the data copied back to the host.
void writeWrong(CodeWriter& out, const Program& p) {
    if (!p.inputs && !p.outputs)
        return;
    writeCompare(out, p);
    out.begin("static long wrongWords() {");
    out.add("long wrong = 0;");
    if (p.inputs)
        writeCounted(out, p);
    if (p.outputs) {
        out.beginLoop(p.allPipelines(), {"d2h"});
        out.add("wrong += wrongIn(p.target, p.number);").by({"d2h"});
        if (p.e.p2p) {
            out.add("std::vector<unsigned> copy(d2hBytes / sizeof(unsigned));").by({"p2p"});
            out.add("CHECK(cudaMemcpy(copy.data(), p.peer, copy.size() * sizeof(unsigned), "
                    "cudaMemcpyDeviceToHost));")
                .by({"p2p"});
            out.add("wrong += wrongIn(copy.data(), p.number);").by({"p2p"});
        }
        out.endLoop();
    }
    out.add("return wrong;");
    out.end();
    out.blank();
}

void writeAwaitAll(CodeWriter& out, const Program& p, const Keys& keys) {
    if (!p.allDevices) {
        out.add("CHECK(cudaDeviceSynchronize());").by(keys);
        return;
    }
    out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
    out.add("CHECK(cudaSetDevice(device));").by({"devices"});
    out.add("CHECK(cudaDeviceSynchronize());").by(keys);
    out.end();
    out.add("CHECK(cudaSetDevice(0));").by({"devices"});
}

/// So that results of the warm-up are not mistaken for those of the run.
void writeClear(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (e.kernel && !p.allDevices)
        out.add("CHECK(cudaMemset(errors, 0, sizeof(unsigned)));");
    if (e.kernel && p.allDevices) {
        out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
        out.add("CHECK(cudaSetDevice(device)); // whose memory it is: another may not reach it")
            .by({"devices"});
        out.add("CHECK(cudaMemset(errors[device], 0, sizeof(unsigned)));");
        out.end();
    }
    if (!p.outputs)
        return;
    out.beginLoop(p.allPipelines(), {"d2h"});
    writeSetDevice(out, p);
    if (e.d2hMemory == experiment::HostMemory::Managed)
        out.add("CHECK(cudaMemset(p.target, 0, d2hBytes)); // its pages stay on the device")
            .by({"d2h.memory"});
    else
        out.add("memset(p.target, 0, d2hBytes);").by({"d2h"});
    if (p.copiesOut)
        out.add("CHECK(cudaMemset(p.output, 0, d2hBytes));").by({"d2h"});
    out.endLoop();
    writeAwaitAll(out, p, {"d2h"});
}

void writePieces(CodeWriter& out, const Program& p) {
    const Keys keys{"interfere"};
    if (!p.interferes)
        return;
    if (p.hasPieces) {
        out.add("piece = 0;").by(keys);
        out.add("pieces.resize(" + (p.byPass ? p.count() + " * iterations - 1" : "iterations - 1") + ");")
            .by(keys);
        out.beginLoop("for (void*& memory : pieces)", keys);
        if (p.e.interfere == experiment::Interfere::Free)
            out.add("CHECK(cudaMalloc(&memory, 64 << 10));").by(keys);
        else if (p.e.interfere == experiment::Interfere::FreeHost)
            out.add("CHECK(cudaMallocHost(&memory, 64 << 10));").by(keys);
        else
            out.add("memory = there(aligned_alloc(4096, 64 << 10));").by(keys);
        out.endLoop();
    }
    out.add("measuring = true;").by(keys);
}

/// What the calls between passes have pinned; what they free is gone.
void writeUnpin(CodeWriter& out, const Program& p) {
    if (!p.hasPieces || p.e.interfere != experiment::Interfere::HostRegister)
        return;
    const Keys keys{"interfere"};
    out.begin("for (void* memory : pieces) {", keys);
    out.add("CHECK(cudaHostUnregister(memory));").by(keys);
    out.add("free(memory);").by(keys);
    out.end();
}

void writeEnvironment(CodeWriter& out, const experiment::Experiment& e) {
    if (experiment::environmentOf(e).empty())
        return;
    out.add("// CUDA reads these when it starts: before the first call.");
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (const std::string value = experiment::environmentValue(row, e); !value.empty())
            out.add("setenv(\"" + std::string(row.environment.name) + "\", \"" + value + "\", 1);")
                .by({row.key});
}

void writeWarmUp(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (e.warmup == 0)
        return;
    const std::string rounds = std::to_string(e.warmup);
    if (p.perStream) {
        out.beginLoop(p.allPipelines(), {"warmup"});
        writeSetDevice(out, p);
        out.add("issue(p, " + rounds + "); // warm-up: code is loaded, pages are touched").by({"warmup"});
        out.endLoop();
    } else {
        out.add("issue(" + rounds + "); // warm-up: code is loaded, pages are touched").by({"warmup"});
    }
    writeAwaitAll(out, p, {"warmup"});
}

void writeReport(CodeWriter& out, const Program& p) {
    const std::string ms = "%.3f ms"; // of the program's own printf, which has C's locale
    out.add("printf(\"makespan " + ms + ", " + ms +
            " per iteration\\n\", us / 1000, us / 1000 / iterations);");
    if (p.inputs || p.outputs) {
        out.add("const long wrong = wrongWords();");
        out.begin("if (wrong > 0) {");
        out.add("printf(\"WRONG: %ld words, some step did not wait for the one before it\\n\", wrong);");
        out.add("status = 1;");
        out.end("} else {");
        out.add("    printf(\"the data is right\\n\");");
        out.add("}");
    } else {
        out.add("printf(\"no kernel works on the data: nothing to check\\n\");");
    }
}

void writeRuns(CodeWriter& out, const Program& p) {
    const bool repeats = p.e.repeat > 1;
    if (repeats)
        out.begin("for (int run = 0; run < " + std::to_string(p.e.repeat) + "; ++run) {", {"repeat"});
    writeClear(out, p);
    writePieces(out, p);
    out.add("const double us = window();");
    writeUnpin(out, p);
    writeReport(out, p);
    if (repeats)
        out.end();
}

} // namespace

void writeMain(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    writeWrong(out, p);
    writeTearDown(out, p);
    out.begin("int main() {");
    writeEnvironment(out, e);
    if (e.device != 0)
        out.add("CHECK(cudaSetDevice(" + std::to_string(e.device) + "));").by({"device"});
    out.add("setUp();");
    if (e.kernel || p.fill)
        out.add("calibrate();").by({"kernel", "kernel.us"});
    if (p.watches)
        out.add("std::thread watcher(watch);").by({"callback.method"});
    writeWarmUp(out, p);
    if (p.inputs || p.outputs)
        out.add("int status = 0;");
    writeRuns(out, p);
    if (p.watches) {
        out.add("watched.put({nullptr, 0}); // the last one: the watcher ends").by({"callback.method"});
        out.add("watcher.join();").by({"callback.method"});
    }
    out.add("tearDown();");
    out.add(p.inputs || p.outputs ? "return status;" : "return 0;");
    out.end();
}

// How a program gives back what it took: buffers, events, streams, in the order of setUp() backwards.

namespace {

void freeHost(CodeWriter& out, const std::string& at, experiment::HostMemory memory, Keys keys) {
    switch (memory) {
    case experiment::HostMemory::Registered:
        out.add("CHECK(cudaHostUnregister(" + at + "));").by(keys);
        [[fallthrough]];
    case experiment::HostMemory::Pageable:
        out.add("free(" + at + ");").by(keys);
        return;
    case experiment::HostMemory::Managed:
        out.add("CHECK(cudaFree(" + at + "));").by(keys);
        return;
    default:
        out.add("CHECK(cudaFreeHost(" + at + "));").by(keys);
    }
}

/// Where all streams work on one buffer, the first one's.
void freeDevice(CodeWriter& out, const Program& p, const char* name, Keys keys) {
    const std::string line = std::string("CHECK(cudaFree(p.") + name + "));";
    if (p.e.buffers == experiment::BufferUse::Own || p.e.streams == 1) {
        out.add(line).by(keys);
        return;
    }
    out.beginLoop(p.allDevices ? "if (p.number % streams == 0)" : "if (p.number == 0)", {"buffers"});
    out.add(line).by(keys).by({"buffers"});
    out.endLoop();
}

void freeBuffers(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (e.h2d)
        freeHost(out, p.readsInPlace ? "(void*)p.source" : "p.source", e.h2dMemory, {"h2d", "h2d.memory"});
    if (p.copiesIn && !p.toConstant)
        freeDevice(out, p, "input", {"h2d"});
    if (e.memset)
        freeDevice(out, p, "scratch", {"memset"});
    if (p.copiesOut)
        freeDevice(out, p, "output", {"d2h"});
    if (e.d2h)
        freeHost(out, "p.target", e.d2hMemory, {"d2h", "d2h.memory"});
    if (e.p2p)
        out.add("CHECK(cudaFree(p.peer));").by({"p2p"});
}

void destroyEvents(CodeWriter& out, const Program& p) {
    const auto destroy = [&](const std::string& name, Keys keys) {
        out.add("CHECK(cudaEventDestroy(p." + name + "));").by(keys);
    };
    if (p.e.deps == experiment::Deps::EventChain) {
        destroy("passed[0]", {"deps"});
        destroy("passed[1]", {"deps"});
    }
    if (p.e.deps == experiment::Deps::CopyToKernel || p.e.deps == experiment::Deps::SameStream)
        destroy("copied", {"deps"});
    if (p.e.deps == experiment::Deps::CopyToKernel)
        destroy("computed", {"deps"});
    for (const std::string& name : p.roleEvents())
        destroy(name, {"stream.roles"});
    if (p.waitsByEvent())
        destroy("reached", {"sync"});
}

/// The default streams are nobody's to destroy.
void destroyStream(CodeWriter& out, const Program& p) {
    const Keys keys{"stream.kind"};
    if (p.e.streamKind == experiment::PlannedStreamKind::PerThread ||
        (p.e.streamKind == experiment::PlannedStreamKind::Legacy && p.streamCount() == 1))
        return;
    const bool firstIsNull = p.e.streamKind == experiment::PlannedStreamKind::Legacy;
    const std::string stream = p.roles ? "stream" : "p.stream";
    if (firstIsNull)
        out.beginLoop("if (" + stream + " != cudaStreamLegacy)", keys);
    out.add("CHECK(cudaStreamDestroy(" + stream + "));").by(keys);
    if (firstIsNull)
        out.endLoop();
}

void freeDeviceParts(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    const std::string at = p.allDevices ? "[device]" : "";
    const auto release = [&](bool is, const std::string& name, Keys keys) {
        if (is)
            out.add("CHECK(cudaFree(" + name + at + "));").by(keys);
    };
    release(e.kernel, "errors", {"kernel"});
    release(e.kernel && e.kernelKind == experiment::KernelKind::Memory, "streamed", {"kernel.kind"});
    release(e.memset && e.memsetMethod == experiment::MemsetMethod::Copy, "zeros", {"memset.method"});
    release(p.nullOp && e.nullOp == experiment::NullOp::Memset, "nullScratch", {"null_op"});
    if (p.nullOp && e.nullOp == experiment::NullOp::Event)
        out.add("CHECK(cudaEventDestroy(nullEvent" + at + "));").by({"null_op"});
    release(p.interferes && (e.interfere == experiment::Interfere::MemsetSync ||
                             e.interfere == experiment::Interfere::D2d),
            "small", {"interfere"});
}

} // namespace

void writeTearDown(CodeWriter& out, const Program& p) {
    out.begin("static void tearDown() {");
    out.begin(p.allPipelines() + " {");
    writeSetDevice(out, p);
    freeBuffers(out, p);
    destroyEvents(out, p);
    if (!p.roles)
        destroyStream(out, p);
    out.end();
    if (p.roles) {
        out.beginLoop("for (cudaStream_t stream : roles)", {"stream.roles"});
        destroyStream(out, p);
        out.endLoop();
    }
    if (p.allDevices)
        out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
    freeDeviceParts(out, p);
    if (p.allDevices)
        out.end();
    if (p.gate)
        out.add("CHECK(cudaFreeHost((void*)gateFlag));").by({"gate"});
    out.end();
    out.blank();
}

} // namespace olab::code
