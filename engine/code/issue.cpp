// How the steps are issued: order, threads, callbacks; and the host functions.
#include "program.h"

#include <array>

namespace olab::code {
namespace {

constexpr std::array<Step, 10> kSteps{stepChainWait, stepH2d,         stepMemset, stepBeforeKernel,
                                      stepKernel,    stepAfterKernel, stepPeer,   stepD2h,
                                      stepCallback,  stepChainRecord};

void writeDone(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (!e.callback)
        return;
    const Keys keys{"callback", "callback.method"};
    const bool usesData = p.onCallback;
    const std::string data = usesData ? "void* number" : "void*";
    if (p.watches)
        out.begin("static void done(" + data + ") {", keys);
    else if (e.callbackMethod == experiment::CallbackMethod::HostFn)
        out.begin("static void CUDART_CB done(" + data +
                      ") { // on a thread of the driver's: no CUDA call here",
                  keys);
    else
        out.begin(std::string("static void CUDART_CB done(cudaStream_t, ") +
                      (p.driver ? "CUresult" : "cudaError_t") + ", " + data + ") {",
                  keys);
    if (e.callbackUs > 0) {
        out.add("const auto until = Clock::now() + hostWork;")
            .by({"callback.us"})
            .runs(experiment::OpKind::HostFn);
        out.beginLoop("while (Clock::now() < until)", {"callback.us"});
        out.add("; // work, not sleep").by({"callback.us"});
        out.endLoop();
    }
    if (p.onCallback)
        out.add((p.perStream ? "reports[*static_cast<int*>(number)].put(*static_cast<int*>(number));"
                             : "reports.put(*static_cast<int*>(number));"))
            .by({"issue"})
            .runs(experiment::OpKind::HostFn);
    out.end();
}

void writeWatcher(CodeWriter& out, const Program& p) {
    if (!p.watches)
        return;
    const Keys keys{"callback.method"};
    out.add("// Learns beside the streams that a pass is done: none of them waits for the host.").by(keys);
    out.begin("static void watch() {", keys);
    out.begin("for (Watched w = watched.take(); w.event; w = watched.take()) {", keys);
    if (p.e.callbackMethod == experiment::CallbackMethod::Poll) {
        out.beginLoop("while (cudaEventQuery(w.event) == cudaErrorNotReady)", keys);
        out.add("std::this_thread::sleep_for(std::chrono::microseconds(20));")
            .by(keys)
            .runs(experiment::OpKind::HostFn);
        out.endLoop();
    } else {
        out.add("CHECK(cudaEventSynchronize(w.event));").by(keys).runs(experiment::OpKind::HostFn);
    }
    out.add("done(&w.number);").by(keys).runs(experiment::OpKind::HostFn);
    out.add("CHECK(cudaEventDestroy(w.event));").by(keys);
    out.end();
    out.end();
}

bool launchesByDriver(const Program& p) {
    return p.driver && (p.e.kernel || p.fill || (p.nullOp && p.e.nullOp == experiment::NullOp::Kernel) ||
                        (p.interferes && p.e.interfere == experiment::Interfere::FirstLaunch));
}

void writeDriverLaunch(CodeWriter& out, const Program& p) {
    if (!launchesByDriver(p))
        return;
    const Keys keys{"api"};
    out.begin("static void launch(Pipeline& p, const void* kernel, unsigned grid, unsigned block, unsigned "
              "shared, cudaStream_t stream,",
              keys);
    out.add("               void** arguments) {").by(keys);
    out.add("cudaFunction_t function;").by(keys);
    out.add("CHECK(cudaGetFuncBySymbol(&function, kernel));").by(keys);
    out.add("DRIVER(p, launchKernel(function, grid, 1, 1, block, 1, 1, shared, stream, arguments, nullptr));")
        .by(keys);
    out.end();
}

void writeSteps(CodeWriter& out, const Program& p) {
    writeSetDevice(out, p);
    for (const Step step : kSteps)
        step(out, p);
}

/// One step of all streams, then the next.
void writeRound(CodeWriter& out, const Program& p) {
    for (const Step step : kSteps) {
        CodeWriter trial;
        step(trial, p);
        if (trial.take().empty())
            continue;
        out.beginLoop(p.allPipelines(), {"order"});
        writeSetDevice(out, p);
        step(out, p);
        out.endLoop();
    }
    writeBetween(out, p);
}

void syncEach(CodeWriter& out, const Program& p, Keys keys) {
    if (p.e.sync == experiment::SyncMode::Device && !p.allDevices)
        return writeSync(out, p, "", keys);
    if (p.e.sync == experiment::SyncMode::Device) {
        out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
        out.add("CHECK(cudaSetDevice(device));").by({"devices"});
    } else {
        out.beginLoop(p.allPipelines(), {"sync"});
        writeSetDevice(out, p);
    }
    writeSync(out, p, "p.stream", keys);
    if (p.e.sync == experiment::SyncMode::Device)
        out.end();
    else
        out.endLoop();
}

void writeAhead(CodeWriter& out, const Program& p) {
    out.begin("static void issue(int rounds) {");
    out.beginLoop("for (int i = 0; i < rounds; ++i)", {"iterations"});
    if (p.byPass) {
        out.beginLoop(p.allPipelines(), {"order"});
        writeSteps(out, p);
        writeBetween(out, p);
        out.endLoop();
    } else {
        writeRound(out, p);
    }
    if (p.e.syncEvery == experiment::SyncEvery::Iteration)
        syncEach(out, p, {"sync.every"});
    out.endLoop();
    out.end();
}

/// Each thread issues its own stream, pass after pass.
void writePerStream(CodeWriter& out, const Program& p) {
    out.begin("static void issue(Pipeline& p, int rounds) {", {"issue.threads"});
    out.beginLoop("for (int i = 0; i < rounds; ++i)", {"iterations"});
    if (p.onCallback) {
        out.beginLoop("if (i > 0)", {"issue"});
        out.add("reports[p.number].take(); // its last pass is done").by({"issue"});
        out.endLoop();
    }
    writeSteps(out, p);
    writeBetween(out, p);
    if (p.e.syncEvery == experiment::SyncEvery::Iteration)
        writeSync(out, p, "p.stream", {"sync.every"});
    out.endLoop();
    if (p.onCallback)
        out.add("reports[p.number].take();").by({"issue"});
    out.end();
}

void writeOnCallback(CodeWriter& out, const Program& p) {
    const bool counts = p.nullOp || p.interferes;
    out.begin(counts ? "static void pass(Pipeline& p, int i, int rounds) {"
                     : "static void pass(Pipeline& p, int i) {",
              {"issue"});
    writeSteps(out, p);
    writeBetween(out, p);
    out.end();
    const std::string more = counts ? ", rounds);" : ");";
    out.begin("static void issue(int rounds) {");
    out.beginLoop(p.allPipelines(), {"issue"});
    out.add("pass(p, 0" + more).by({"issue"});
    out.endLoop();
    out.add("std::vector<int> next(" + p.count() + ", 1);").by({"issue"});
    out.add("// Each report brings its stream's next pass: the host's latency is in every round.")
        .by({"issue"});
    out.begin("for (int left = " + p.count() + " * rounds; left > 0; --left) {", {"issue"});
    out.add("const int number = reports.take();").by({"issue"});
    out.beginLoop("if (next[number] < rounds)", {"issue"});
    out.add("pass(pipelines[number], next[number]++" + more).by({"issue"});
    out.endLoop();
    out.end();
    out.end();
}

} // namespace

void writeIssue(CodeWriter& out, const Program& p) {
    writeDone(out, p);
    writeWatcher(out, p);
    writeDriverLaunch(out, p);
    out.blank();
    if (p.perStream)
        writePerStream(out, p);
    else if (p.onCallback)
        writeOnCallback(out, p);
    else
        writeAhead(out, p);
    out.blank();
}

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
        out.beginLoop(p.allPipelines(), keys);
        writeSetDevice(out, p);
        out.add("gate<<<1, 1, 0, p.stream>>>(gateFlag);").by(keys);
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
        if (p.e.streams > 1)
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
    const bool forks = p.e.streams > 1;
    out.add("// The first stream is captured; the others fork from it and join it again.").by(keys);
    out.add("const cudaStream_t first = pipelines[0].stream;").by(keys);
    if (forks) {
        out.add("cudaEvent_t mark;").by(keys);
        out.add("CHECK(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming));").by(keys);
    }
    out.add("CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));").by(keys);
    if (forks) {
        out.add("CHECK(cudaEventRecord(mark, first));").by(keys);
        out.beginLoop("for (int s = 1; s < streams; ++s)", keys);
        out.add("CHECK(cudaStreamWaitEvent(pipelines[s].stream, mark, 0));").by(keys);
        out.endLoop();
    }
    out.add("issue(iterations);").by(keys);
    if (forks) {
        out.begin("for (int s = 1; s < streams; ++s) {", keys);
        out.add("CHECK(cudaEventRecord(mark, pipelines[s].stream));").by(keys);
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
        syncEach(out, p, {});
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
