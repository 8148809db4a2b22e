// How a program gives back what it took: buffers, events, streams, in the order of setUp() backwards.
#include "program.h"

namespace olab::code {
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
    if (p.waitsByEvent())
        destroy("reached", {"sync"});
}

/// The default streams are nobody's to destroy.
void destroyStream(CodeWriter& out, const Program& p) {
    const Keys keys{"stream.kind"};
    if (p.e.streamKind == experiment::PlannedStreamKind::PerThread ||
        (p.e.streamKind == experiment::PlannedStreamKind::Legacy && p.e.streams == 1))
        return;
    const bool firstIsNull = p.e.streamKind == experiment::PlannedStreamKind::Legacy;
    if (firstIsNull)
        out.beginLoop("if (p.stream != cudaStreamLegacy)", keys);
    out.add("CHECK(cudaStreamDestroy(p.stream));").by(keys);
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
    destroyStream(out, p);
    out.end();
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
