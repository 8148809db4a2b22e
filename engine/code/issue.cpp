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
        writeSyncEach(out, p, {"sync.every"});
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

void writeSyncEach(CodeWriter& out, const Program& p, Keys keys) {
    if (p.e.sync == experiment::SyncMode::Device && !p.allDevices)
        return writeSync(out, p, "", keys);
    if (p.e.sync == experiment::SyncMode::Device) {
        out.begin("for (int device = 0; device < devices; ++device) {", {"devices"});
        out.add("CHECK(cudaSetDevice(device));").by({"devices"});
    } else {
        out.beginLoop(p.roles ? "for (cudaStream_t stream : roles)" : p.allPipelines(), {"sync"});
        if (p.roles && p.waitsByEvent())
            out.add("Pipeline& p = pipelines[0];").by({"sync"});
        writeSetDevice(out, p);
    }
    writeSync(out, p, p.roles ? "stream" : "p.stream", keys);
    if (p.e.sync == experiment::SyncMode::Device)
        out.end();
    else
        out.endLoop();
}

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

} // namespace olab::code
