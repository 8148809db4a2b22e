// The steps of a pass, each with the call that the options select.
#include "program.h"

namespace olab::code {
namespace {

/// The runtime call, or the same call of the driver API.
std::string call(const Program& p, const std::string& runtime, const std::string& driver) {
    return p.driver ? "DRIVER(p, " + driver + ");" : "CHECK(" + runtime + ");";
}

std::string record(const Program& p, const std::string& event, const std::string& stream) {
    return call(p, "cudaEventRecord(" + event + ", " + stream + ")",
                "eventRecord(" + event + ", " + stream + ")");
}

std::string waitFor(const Program& p, const std::string& event, const std::string& stream) {
    return call(p, "cudaStreamWaitEvent(" + stream + ", " + event + ", 0)",
                "streamWaitEvent(" + stream + ", " + event + ", 0)");
}

std::string ofDevice(const Program& p, const std::string& name) {
    return p.allDevices ? name + "[p.device]" : name;
}

/// Until the buffer's last use is over; the first pass finds it free.
void waitUntilFree(CodeWriter& out, const Program& p, const std::string& event, const std::string& stream) {
    out.beginLoop("if (i > 0)", {"stream.roles"});
    out.add(waitFor(p, event, stream) + " // the buffer is free")
        .by({"stream.roles"})
        .runs(experiment::OpKind::EventWait);
    out.endLoop();
}

void syncOp(CodeWriter& out, const Program& p, const std::string& stream) {
    if (p.e.syncEvery == experiment::SyncEvery::Op)
        writeSync(out, p, stream, {"sync.every"});
}

} // namespace

void writeSetDevice(CodeWriter& out, const Program& p) {
    if (p.allDevices)
        out.add("CHECK(cudaSetDevice(p.device));").by({"devices"});
}

void writeSync(CodeWriter& out, const Program& p, std::string_view stream, Keys keys) {
    const std::string at(stream);
    switch (p.e.sync) {
    case experiment::SyncMode::Device:
        out.add("CHECK(cudaDeviceSynchronize());").by({"sync"}).by(keys).runs(experiment::OpKind::HostSync);
        return;
    case experiment::SyncMode::Stream:
        out.add("CHECK(cudaStreamSynchronize(" + at + "));")
            .by({"sync"})
            .by(keys)
            .runs(experiment::OpKind::HostSync);
        return;
    case experiment::SyncMode::Event:
    case experiment::SyncMode::Poll:
        break;
    }
    out.add(record(p, "p.reached", at)).by({"sync"}).by(keys).runs(experiment::OpKind::HostSync);
    if (p.e.sync == experiment::SyncMode::Event) {
        out.add("CHECK(cudaEventSynchronize(p.reached));")
            .by({"sync"})
            .by(keys)
            .runs(experiment::OpKind::HostSync);
        return;
    }
    out.add("while (cudaEventQuery(p.reached) == cudaErrorNotReady)")
        .by({"sync"})
        .by(keys)
        .runs(experiment::OpKind::HostSync);
    out.add("    cudaGetLastError(); // not ready is no error, but remembered")
        .by({"sync"})
        .by(keys)
        .runs(experiment::OpKind::HostSync);
}

void stepChainWait(CodeWriter& out, const Program& p) {
    if (p.e.deps != experiment::Deps::EventChain)
        return;
    const std::string before =
        p.allDevices ? "pipelines[p.number / streams * streams + (p.number + streams - 1) % streams]"
                     : "pipelines[(p.number + streams - 1) % streams]";
    out.beginLoop("if (i > 0)", {"deps"});
    out.add(waitFor(p, before + ".passed[(i - 1) % 2]", "p.stream"))
        .by({"deps"})
        .runs(experiment::OpKind::EventWait);
    out.endLoop();
}

void stepH2d(CodeWriter& out, const Program& p) {
    if (!p.copiesIn)
        return;
    const std::string bytes = p.h2dBytes(), stream = p.streamFor(Role::CopyIn);
    if (p.saysFree)
        waitUntilFree(out, p, "p.computed", stream);
    std::string line =
        call(p, "cudaMemcpyAsync(p.input, p.source, " + bytes + ", cudaMemcpyHostToDevice, " + stream + ")",
             "memcpyHtoDAsync(CUdeviceptr(p.input), p.source, " + bytes + ", " + stream + ")");
    if (p.toConstant) {
        const std::string offset = p.allDevices ? "p.number % streams * sliceBytes" : "p.number * sliceBytes";
        line = call(p,
                    "cudaMemcpyToSymbolAsync(constants, p.source, " + bytes + ", " + offset +
                        ", cudaMemcpyHostToDevice, " + stream + ")",
                    "memcpyHtoDAsync(CUdeviceptr(p.slice), p.source, " + bytes + ", " + stream + ")");
    }
    out.add(line).by({"h2d", "h2d.target", "api"}).runs(experiment::OpKind::CopyH2D);
    syncOp(out, p, stream);
}

void stepMemset(CodeWriter& out, const Program& p) {
    if (!p.e.memset)
        return;
    const std::string stream = p.streamFor(Role::Compute);
    const Keys keys{"memset", "memset.method", "api"};
    switch (p.e.memsetMethod) {
    case experiment::MemsetMethod::Api:
        out.add(call(p, "cudaMemsetAsync(p.scratch, 0, memsetBytes, " + stream + ")",
                     "memsetD8Async(CUdeviceptr(p.scratch), 0, memsetBytes, " + stream + ")"))
            .by(keys)
            .runs(experiment::OpKind::Memset);
        break;
    case experiment::MemsetMethod::Kernel:
        if (p.driver) {
            out.add("void* memory[] = {&p.scratch};").by(keys).runs(experiment::OpKind::FillKernel);
            out.add("launch(p, (const void*)fill, fillBlocks, 256, 0, " + stream + ", memory);")
                .by(keys)
                .runs(experiment::OpKind::FillKernel);
        } else {
            out.add("fill<<<fillBlocks, 256, 0, " + stream + ">>>(p.scratch);")
                .by(keys)
                .runs(experiment::OpKind::FillKernel);
            out.add("CHECK(cudaGetLastError());").by(keys).runs(experiment::OpKind::FillKernel);
        }
        break;
    case experiment::MemsetMethod::Copy:
        out.add(call(p,
                     "cudaMemcpyAsync(p.scratch, " + ofDevice(p, "zeros") +
                         ", memsetBytes, cudaMemcpyDeviceToDevice, " + stream + ")",
                     "memcpyDtoDAsync(CUdeviceptr(p.scratch), CUdeviceptr(" + ofDevice(p, "zeros") +
                         "), memsetBytes, " + stream + ")"))
            .by(keys)
            .runs(experiment::OpKind::FillCopy);
        break;
    }
    syncOp(out, p, stream);
}

void stepBeforeKernel(CodeWriter& out, const Program& p) {
    if (p.roles && p.copiesIn) {
        out.add(record(p, "p.filled", "copyIn")).by({"stream.roles"}).runs(experiment::OpKind::EventRecord);
        out.add(waitFor(p, "p.filled", "compute")).by({"stream.roles"}).runs(experiment::OpKind::EventWait);
    }
    if (p.saysFree && p.copiesOut)
        waitUntilFree(out, p, "p.drained", "compute");
    if (p.e.deps != experiment::Deps::CopyToKernel && p.e.deps != experiment::Deps::SameStream)
        return;
    const bool same = p.e.deps == experiment::Deps::SameStream;
    out.add(record(p, "p.copied", "p.stream")).by({"deps"}).runs(experiment::OpKind::EventRecord);
    out.add(waitFor(p, "p.copied", same ? "p.stream" : p.kernelStream()) +
            (same ? " // stream order says as much" : ""))
        .by({"deps"})
        .runs(experiment::OpKind::EventWait);
}

void stepKernel(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (!e.kernel)
        return;
    const Keys keys{"kernel", "kernel.stream", "kernel.blocks", "kernel.threads", "api"};
    const bool memory = e.kernelKind == experiment::KernelKind::Memory;
    if (p.driver) {
        out.add("void* arguments[] = {&p, &i, &loops, &" + ofDevice(p, "errors") +
                (memory ? ", &" + ofDevice(p, "streamed") : "") + "};")
            .by(keys)
            .runs(experiment::OpKind::Kernel);
        out.add("launch(p, (const void*)work, blocks, threadsPerBlock, " + p.sharedBytes() + ", " +
                p.kernelStream() + ", arguments);")
            .by(keys)
            .runs(experiment::OpKind::Kernel);
    } else {
        out.add("work<<<blocks, threadsPerBlock, " + p.sharedBytes() + ", " + p.kernelStream() +
                ">>>(p, i, loops, " + ofDevice(p, "errors") + (memory ? ", " + ofDevice(p, "streamed") : "") +
                ");")
            .by(keys)
            .runs(experiment::OpKind::Kernel);
        out.add("CHECK(cudaGetLastError());").by({"kernel"}).runs(experiment::OpKind::Kernel);
    }
    syncOp(out, p, p.kernelStream());
}

void stepAfterKernel(CodeWriter& out, const Program& p) {
    if (p.roles && (p.copiesOut || p.saysFree))
        out.add(record(p, "p.computed", "compute"))
            .by({"stream.roles"})
            .runs(experiment::OpKind::EventRecord);
    if (p.roles && p.copiesOut)
        out.add(waitFor(p, "p.computed", "copyOut")).by({"stream.roles"}).runs(experiment::OpKind::EventWait);
    if (p.e.deps != experiment::Deps::CopyToKernel)
        return;
    out.add(record(p, "p.computed", p.kernelStream())).by({"deps"}).runs(experiment::OpKind::EventRecord);
    out.add(waitFor(p, "p.computed", "p.stream")).by({"deps"}).runs(experiment::OpKind::EventWait);
}

void stepPeer(CodeWriter& out, const Program& p) {
    if (!p.e.p2p)
        return;
    const std::string stream = p.lastStream();
    out.add("const int next = (p.device + 1) % devices;").by({"p2p"}).runs(experiment::OpKind::PeerCopy);
    out.add(call(p, "cudaMemcpyPeerAsync(p.peer, next, p.output, p.device, d2hBytes, " + stream + ")",
                 "memcpyPeerAsync(CUdeviceptr(p.peer), pipelines[next * streams].context, "
                 "CUdeviceptr(p.output), p.context, d2hBytes, " +
                     stream + ")"))
        .by({"p2p", "api"})
        .runs(experiment::OpKind::PeerCopy);
    syncOp(out, p, stream);
}

void stepD2h(CodeWriter& out, const Program& p) {
    if (!p.copiesOut)
        return;
    const std::string stream = p.streamFor(Role::CopyOut);
    if (p.e.syncAt == experiment::SyncAt::BeforeD2h)
        writeSync(out, p, stream, {"sync.at"});
    out.add(call(p, "cudaMemcpyAsync(p.target, p.output, d2hBytes, cudaMemcpyDeviceToHost, " + stream + ")",
                 "memcpyDtoHAsync(p.target, CUdeviceptr(p.output), d2hBytes, " + stream + ")"))
        .by({"d2h", "api"})
        .runs(experiment::OpKind::CopyD2H);
    syncOp(out, p, stream);
    if (p.saysFree)
        out.add(record(p, "p.drained", stream)).by({"stream.roles"}).runs(experiment::OpKind::EventRecord);
}

void stepCallback(CodeWriter& out, const Program& p) {
    const experiment::Experiment& e = p.e;
    if (!e.callback)
        return;
    const std::string stream = p.lastStream();
    const Keys keys{"callback", "callback.method", "api"};
    const auto add = [&](const std::string& line) {
        out.add(line).by(keys).runs(experiment::OpKind::HostFn);
    };
    switch (e.callbackMethod) {
    case experiment::CallbackMethod::HostFn:
        return add(call(p, "cudaLaunchHostFunc(" + stream + ", done, &p.number)",
                        "launchHostFunc(" + stream + ", done, &p.number)"));
    case experiment::CallbackMethod::StreamCallback:
        return add(call(p, "cudaStreamAddCallback(" + stream + ", done, &p.number, 0)",
                        "streamAddCallback(" + stream + ", done, &p.number, 0)"));
    case experiment::CallbackMethod::Poll:
    case experiment::CallbackMethod::BlockingEvent:
        break;
    }
    const bool blocking = e.callbackMethod == experiment::CallbackMethod::BlockingEvent;
    add("cudaEvent_t passDone;");
    add(std::string("CHECK(cudaEventCreateWithFlags(&passDone, cudaEventDisableTiming") +
        (blocking ? " | cudaEventBlockingSync" : "") + "));");
    add(record(p, "passDone", stream));
    add("watched.put({passDone, p.number});");
}

void stepChainRecord(CodeWriter& out, const Program& p) {
    if (p.e.deps == experiment::Deps::EventChain)
        out.add(record(p, "p.passed[i % 2]", "p.stream")).by({"deps"}).runs(experiment::OpKind::EventRecord);
}

namespace {

void nullOp(CodeWriter& out, const Program& p, const std::string& device) {
    const std::string at = p.allDevices ? "[" + device + "]" : "";
    const auto add = [&](const std::string& line, experiment::OpKind kind) {
        out.add(line).by({"null_op"}).runs(kind);
    };
    switch (p.e.nullOp) {
    case experiment::NullOp::Memset:
        return add(call(p, "cudaMemsetAsync(nullScratch" + at + ", 0, 4096, cudaStreamLegacy)",
                        "memsetD8Async(CUdeviceptr(nullScratch" + at + "), 0, 4096, CU_STREAM_LEGACY)"),
                   experiment::OpKind::NullMemset);
    case experiment::NullOp::Kernel:
        if (p.driver)
            return add("launch(p, (const void*)empty, 1, 1, 0, cudaStreamLegacy, nullptr);",
                       experiment::OpKind::NullKernel);
        add("empty<<<1, 1, 0, cudaStreamLegacy>>>();", experiment::OpKind::NullKernel);
        return add("CHECK(cudaGetLastError());", experiment::OpKind::NullKernel);
    case experiment::NullOp::Event:
        return add(record(p, "nullEvent" + at, "cudaStreamLegacy"), experiment::OpKind::NullEvent);
    case experiment::NullOp::Off:
        break;
    }
}

void interfere(CodeWriter& out, const Program& p, const std::string& device) {
    const std::string at = p.allDevices ? "[" + device + "]" : "";
    const std::string stream = p.streamFor(Role::Compute);
    const auto add = [&](const std::string& line,
                         experiment::OpKind kind = experiment::OpKind::InterfereCall) {
        out.add(line).by({"interfere"}).runs(kind);
    };
    switch (p.e.interfere) {
    case experiment::Interfere::GetLastError:
        return add("cudaGetLastError();");
    case experiment::Interfere::StreamQuery:
        add("if (cudaStreamQuery(" + stream + ") == cudaErrorNotReady)");
        return add("    cudaGetLastError(); // not ready is no error, but remembered");
    case experiment::Interfere::Malloc:
        add("void* kept = nullptr;");
        return add("CHECK(cudaMalloc(&kept, 64 << 10)); // not freed: that would be another call");
    case experiment::Interfere::Free:
        return add("CHECK(cudaFree(pieces[piece++]));");
    case experiment::Interfere::MallocHost:
        add("void* kept = nullptr;");
        return add("CHECK(cudaMallocHost(&kept, 64 << 10)); // not freed: that would be another call");
    case experiment::Interfere::FreeHost:
        return add("CHECK(cudaFreeHost(pieces[piece++]));");
    case experiment::Interfere::HostRegister:
        return add("CHECK(cudaHostRegister(pieces[piece++], 64 << 10, cudaHostRegisterDefault));");
    case experiment::Interfere::MallocAsync:
        add("void* kept = nullptr;");
        return add("CHECK(cudaMallocAsync(&kept, 64 << 10, " + stream +
                   ")); // not freed: that would be another "
                   "call");
    case experiment::Interfere::MemsetSync:
        return add("CHECK(cudaMemset(small" + at + ", 0, 64 << 10));", experiment::OpKind::InterfereMemset);
    case experiment::Interfere::D2d:
        return add("CHECK(cudaMemcpy(small" + at + ", small" + at +
                       " + (64 << 10), 64 << 10, cudaMemcpyDeviceToDevice));",
                   experiment::OpKind::InterfereCopy);
    case experiment::Interfere::FirstLaunch:
        add("if (const unsigned n = launched++; n < freshKernels.size())",
            experiment::OpKind::InterfereKernel);
        if (p.driver)
            return add("    launch(p, (const void*)freshKernels[n], 1, 1, 0, " + stream + ", nullptr);",
                       experiment::OpKind::InterfereKernel);
        add("    freshKernels[n]<<<1, 1, 0, " + stream + ">>>();", experiment::OpKind::InterfereKernel);
        return add("CHECK(cudaGetLastError());", experiment::OpKind::InterfereKernel);
    case experiment::Interfere::None:
        break;
    }
}

/// For all devices, after a round; the device of the finished pass is already current.
void nullOps(CodeWriter& out, const Program& p) {
    if (!p.nullOp)
        return;
    if (p.byPass || !p.allDevices)
        return nullOp(out, p, "p.device");
    out.begin("for (int device = 0; device < devices; ++device) {", {"null_op"});
    out.add("CHECK(cudaSetDevice(device));").by({"devices"});
    nullOp(out, p, "device");
    out.end();
}

} // namespace

void writeBetween(CodeWriter& out, const Program& p) {
    if (!p.nullOp && !p.interferes)
        return;
    out.beginLoop(p.byPass ? "if (i + 1 < rounds || p.number + 1 < " + p.count() + ")"
                           : "if (i + 1 < rounds)",
                  {"null_op", "interfere"});
    const bool needsPipeline = !p.byPass && (p.interferes || p.driver);
    if (needsPipeline)
        out.add("Pipeline& p = pipelines[0];").by({"null_op", "interfere"});
    nullOps(out, p);
    if (p.interferes) {
        if (needsPipeline && p.allDevices)
            out.add("CHECK(cudaSetDevice(0));").by({"devices"});
        out.beginLoop("if (measuring)", {"interfere"});
        interfere(out, p, "p.device");
        out.endLoop();
    }
    out.endLoop();
}

} // namespace olab::code
