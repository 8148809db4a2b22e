// The window that is measured: the gate before it, capture into a graph, the threads that issue.
#include "program.h"

namespace olab::code {
namespace {

void writeGateState(CodeWriter& out, const Program& p) {
    if (!p.gate)
        return;
    const Keys keys{"gate"};
    out.add("// The gate holds all streams until everything is queued, so that the device sets the pace and "
            "not "
            "the launches.")
        .by(keys);
    out.add("static volatile int* gateFlag; // on the host, where the gate kernels look").by(keys);
    out.add("static std::atomic<bool> isOpen;").by(keys);
    out.add("static Clock::time_point opened;").by(keys);
}

void writeGateFunctions(CodeWriter& out, const Program& p) {
    if (!p.gate)
        return;
    const Keys keys{"gate"};
    out.begin("static void openGate() {", keys);
    out.beginLoop("if (isOpen.exchange(true))", keys);
    out.add("return;").by(keys);
    out.endLoop();
    out.add("opened = Clock::now();").by(keys);
    out.add("*gateFlag = 1;").by(keys);
    out.end();
    out.add("// Opens it early when no call has returned for 20 ms: one waits for what the gate holds. "
            "Copies of")
        .by(keys);
    out.add("// pageable memory do, a full queue, cudaFree, CUDA_LAUNCH_BLOCKING=1.").by(keys);
    out.begin("static void watchGate() {", keys);
    out.begin("while (!isOpen) {", keys);
    out.add("const long before = calls;").by(keys);
    out.add("std::this_thread::sleep_for(std::chrono::milliseconds(20));").by(keys);
    out.beginLoop("if (calls == before)", keys);
    out.add("openGate();").by(keys);
    out.endLoop();
    out.end();
    out.end();
}

void closeGate(CodeWriter& out, const Program& p) {
    if (!p.gate)
        return;
    const Keys keys{"gate"};
    out.add("*gateFlag = 0;").by(keys);
    out.add("isOpen = false;").by(keys);
    out.add("std::thread watchdog(watchGate);").by(keys);
    if (p.graph) {
        out.add("gate<<<1, 1, 0, first>>>(gateFlag);").by(keys);
    } else if (p.e.streamKind != experiment::PlannedStreamKind::PerThread) {
        out.beginLoop(p.roles ? "for (cudaStream_t stream : roles)" : p.allPipelines(), keys);
        writeSetDevice(out, p);
        out.add(p.roles ? "gate<<<1, 1, 0, stream>>>(gateFlag);" : "gate<<<1, 1, 0, p.stream>>>(gateFlag);")
            .by(keys);
        out.endLoop();
    }
    if (p.usesNullStream() && p.e.streamKind != experiment::PlannedStreamKind::Legacy) {
        if (p.allDevices) {
            out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
            out.add("CHECK(cudaSetDevice(device));").by({"devices"});
        }
        out.add("gate<<<1, 1, 0, cudaStreamLegacy>>>(gateFlag);").by(keys);
        if (p.allDevices)
            out.end();
    }
    if (p.e.streamKind != experiment::PlannedStreamKind::PerThread)
        out.add("CHECK(cudaGetLastError());").by(keys);
}

void finishAll(CodeWriter& out, const Program& p) {
    if (!p.allDevices) {
        out.add("CHECK(cudaDeviceSynchronize());").by({"sync"}).runs(experiment::OpKind::HostSync);
        return;
    }
    out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
    out.add("CHECK(cudaSetDevice(device));").by({"devices"});
    out.add("CHECK(cudaDeviceSynchronize());").by({"sync"}).runs(experiment::OpKind::HostSync);
    out.end();
}

void writeResultOfWindow(CodeWriter& out, const Program& p) {
    out.add("const auto end = Clock::now();");
    if (p.gate)
        out.add("watchdog.join();").by({"gate"});
    if (p.graph) {
        out.add("CHECK(cudaGraphExecDestroy(all));").by({"submit"});
        out.add("CHECK(cudaGraphDestroy(graph));").by({"submit"});
        if (p.streamCount() > 1)
            out.add("CHECK(cudaEventDestroy(mark));").by({"submit"});
    }
    out.add("return std::chrono::duration<double, std::micro>(end - " +
            std::string(p.gate ? "opened" : "begin") + ").count();");
}

void openGate(CodeWriter& out, const Program& p) {
    if (p.gate)
        out.add("openGate(); // all is queued").by({"gate"});
}

void writeCapture(CodeWriter& out, const Program& p) {
    if (!p.graph)
        return;
    const Keys keys{"submit"};
    const bool forks = p.streamCount() > 1;
    const std::string others = std::string("for (int s = 1; s < ") + (p.roles ? "3" : "streams") + "; ++s)",
                      other = p.roles ? "roles[s]" : "pipelines[s].stream";
    out.add("// The first stream is captured; the others fork from it and join it again.").by(keys);
    out.add(p.roles ? "const cudaStream_t first = roles[0];"
                    : "const cudaStream_t first = pipelines[0].stream;")
        .by(keys);
    if (forks) {
        out.add("cudaEvent_t mark;").by(keys);
        out.add("CHECK(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming));").by(keys);
    }
    out.add("CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));").by(keys);
    if (forks) {
        out.add("CHECK(cudaEventRecord(mark, first));").by(keys);
        out.beginLoop(others, keys);
        out.add("CHECK(cudaStreamWaitEvent(" + other + ", mark, 0));").by(keys);
        out.endLoop();
    }
    out.add("issue(iterations);").by(keys);
    if (forks) {
        out.begin(others + " {", keys);
        out.add("CHECK(cudaEventRecord(mark, " + other + "));").by(keys);
        out.add("CHECK(cudaStreamWaitEvent(first, mark, 0));").by(keys);
        out.end();
    }
    out.add("cudaGraph_t graph;").by(keys);
    out.add("CHECK(cudaStreamEndCapture(first, &graph));").by(keys);
    out.add("cudaGraphExec_t all;").by(keys);
    out.add("CHECK(cudaGraphInstantiate(&all, graph, 0));").by(keys);
    out.add("CHECK(cudaGraphUpload(all, first));").by(keys);
    out.add("CHECK(cudaStreamSynchronize(first));").by(keys);
}

bool waitsFirst(const Program& p) {
    return p.e.sync != experiment::SyncMode::Device && p.e.syncEvery != experiment::SyncEvery::Iteration;
}

void writeAlone(CodeWriter& out, const Program& p) {
    writeCapture(out, p);
    closeGate(out, p);
    if (!p.gate)
        out.add("const auto begin = Clock::now();");
    if (p.graph)
        out.add("CHECK(cudaGraphLaunch(all, first)); // one call for everything").by({"submit"});
    else
        out.add("issue(iterations);").by({"iterations"});
    openGate(out, p);
    if (waitsFirst(p))
        writeSyncEach(out, p, {});
    finishAll(out, p);
    writeResultOfWindow(out, p);
}

void writeThreadBody(CodeWriter& out, const Program& p) {
    const Keys keys{"issue.threads"};
    if (p.allDevices || p.e.device != 0)
        out.add(p.allDevices ? "CHECK(cudaSetDevice(p.device)); // a new thread begins with device 0"
                             : "CHECK(cudaSetDevice(" + std::to_string(p.e.device) +
                                   ")); // a new thread begins with device 0")
            .by({"devices", "device"});
    if (p.gate && p.e.streamKind == experiment::PlannedStreamKind::PerThread) {
        out.add("gate<<<1, 1, 0, p.stream>>>(gateFlag);").by({"gate", "stream.kind"});
        out.add("CHECK(cudaGetLastError());").by({"gate", "stream.kind"});
    }
    out.add("++ready;").by(keys);
    out.beginLoop("while (!go)", keys);
    out.add("std::this_thread::yield();").by(keys);
    out.endLoop();
    out.add("issue(p, iterations);").by(keys);
    if (p.gate) {
        out.add("++issued;").by({"gate", "issue.threads"});
        out.beginLoop("while (*gateFlag == 0)", {"gate"});
        out.add("std::this_thread::yield();").by({"gate"});
        out.endLoop();
    }
    if (p.e.syncEvery != experiment::SyncEvery::Iteration)
        writeSync(out, p, "p.stream", {});
}

void writeCrew(CodeWriter& out, const Program& p) {
    const Keys keys{"issue.threads"};
    closeGate(out, p);
    out.add(p.gate ? "std::atomic<int> ready{0}, issued{0};" : "std::atomic<int> ready{0};").by(keys);
    out.add("std::atomic<bool> go{false};").by(keys);
    out.add("std::vector<std::thread> threads;").by(keys);
    out.begin(p.allPipelines() + " {", keys);
    out.begin("threads.emplace_back([&] {", keys);
    writeThreadBody(out, p);
    out.end("});");
    out.end();
    const auto await = [&](const std::string& what) {
        out.beginLoop("while (" + what + " < " + p.count() + ")", keys);
        out.add("std::this_thread::yield();").by(keys);
        out.endLoop();
    };
    await("ready");
    if (!p.gate)
        out.add("const auto begin = Clock::now();");
    out.add("go = true;").by(keys);
    if (p.gate) {
        await("issued");
        openGate(out, p);
    }
    out.beginLoop("for (std::thread& thread : threads)", keys);
    out.add("thread.join();").by(keys);
    out.endLoop();
    finishAll(out, p);
    writeResultOfWindow(out, p);
}

} // namespace

void writeWindow(CodeWriter& out, const Program& p) {
    writeGateFunctions(out, p);
    out.add("// Microseconds from the first op to the end of the last.");
    if (!p.gate && p.e.gate && p.e.launchBlocking)
        out.add("// No start gate: with CUDA_LAUNCH_BLOCKING a launch behind it would never return.")
            .by({"gate", "env.launch_blocking"});
    out.begin("static double window() {");
    if (p.perStream)
        writeCrew(out, p);
    else
        writeAlone(out, p);
    out.end();
    out.blank();
}

void writeGate(CodeWriter& out, const Program& p) {
    writeGateState(out, p);
    if (p.gate)
        out.blank();
}

} // namespace olab::code
