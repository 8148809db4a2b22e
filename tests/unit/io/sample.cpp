#include "sample.h"

#include <olab/trace/trace_builder.h>

namespace olab::test {
namespace {

ActivityRecord device(ActivityClass cls, Ns begin, Ns end, std::uint32_t stream) {
    ActivityRecord r;
    r.cls = cls;
    r.begin = begin;
    r.end = end;
    r.device = 0;
    r.context = 1;
    r.stream = stream;
    r.correlation = static_cast<std::uint32_t>(begin);
    return r;
}

ActivityRecord host(ActivityClass cls, Ns begin, Ns end, TextId name = {}) {
    ActivityRecord r;
    r.cls = cls;
    r.begin = begin;
    r.end = end;
    r.thread = 4711;
    r.name = name;
    return r;
}

analysis::DeviceReport deviceReport() {
    analysis::DeviceReport d;
    d.id = "0";
    d.name = "Test GPU";
    d.first = 1000;
    d.last = 4000;
    d.span = 3000;
    d.idle = 11;
    d.busyAny = 2989;
    for (const ActivityClass cls :
         {ActivityClass::Kernel, ActivityClass::MemcpyH2D, ActivityClass::MemcpyD2H, ActivityClass::MemcpyD2D,
          ActivityClass::MemcpyP2P, ActivityClass::Memset})
        d.classes[cls] = {};
    d.classes[ActivityClass::Kernel] = {3, 12, 13, 14, 1, 0, {"13", "14"}};
    d.pairs[{ActivityClass::Kernel, ActivityClass::MemcpyH2D}] = 15;
    d.derived = {21, 22, 23, 24, 25, 26, 27, 28};
    d.engines[EngineKind::Compute] = {
        4, 31, 32, {1, 2}, {{ActivityClass::Kernel, 33}, {ActivityClass::Memset, 34}}};
    d.engines[EngineKind::CopyH2D] = {5, 35, 36, {7}, {{ActivityClass::MemcpyH2D, 35}}};
    d.enginePairs[{EngineKind::Compute, EngineKind::CopyH2D}] = 37;
    return d;
}

analysis::Verdict verdict(ActivityClass a, ActivityClass b, analysis::VerdictKind kind) {
    analysis::Verdict v;
    v.device = "0";
    v.a = a;
    v.b = b;
    v.kind = kind;
    v.overlap = 41;
    v.ofAttainable = 0.875;
    v.ofA = 0.75;
    v.ofB = 0.25;
    v.blocked = 42'000;
    v.blockedA = 42'000;
    v.blockedB = 43;
    v.ofRun = 0.0625;
    v.text = "because";
    v.known = v.blockedKnown = kind != analysis::VerdictKind::NotApplicable;
    return v;
}

} // namespace

Trace sampleTrace() {
    TraceBuilder b;
    DeviceRecord d;
    d.name = "Test GPU";
    d.uuid = "GPU-1";
    d.smCount = 132;
    b.add(d);
    b.add(ContextRecord{1, 0, 7});
    b.add(StreamRecord{1, 13, StreamKind::NonBlocking, 0});
    ActivityRecord kernel = device(ActivityClass::Kernel, 1000, 4000, 13);
    kernel.geometry = KernelGeometry{{64, 1, 1}, {256, 1, 1}, 40, 0, 1024};
    kernel.name = b.intern("spin");
    b.add(kernel);
    ActivityRecord copy = device(ActivityClass::MemcpyH2D, 1500, 2500, 14);
    copy.bytes = 1 << 20;
    copy.source = MemoryKind::Pinned;
    copy.target = MemoryKind::Device;
    b.add(copy);
    b.add(host(ActivityClass::HostFn, 4100, 4200));
    b.add(host(ActivityClass::Api, 900, 950, b.intern("cudaLaunchKernel")));
    b.add(device(ActivityClass::Kernel, 500, 400, 13)); // refused: it ends before it starts
    b.add(SoloRecord{0, ActivityClass::Kernel, 0, 2900, 5, 64, 1056});
    b.add(WindowRecord{900, 4300, true});
    b.add(EnvironmentRecord{"driver", "580.82"});
    b.add(EnvironmentRecord{"calibration.loops", "1234"});
    b.add(ProvenanceRecord{SourceKind::Cuda, "olab", "0.1.0", "2026-01-02T03:04:05Z"});
    b.addDefect(DefectCode::GateOpenedEarly, 1, kAllClasses, "at op 3");
    return b.finish();
}

analysis::Report sampleReport() {
    analysis::Report r;
    r.devices = {deviceReport()};
    r.host.hostFnCount = 6;
    r.host.hostFnBusy = 61;
    r.host.api["cudaMemcpyAsync"] = {7, 71, 72};
    r.verdicts = {
        verdict(ActivityClass::MemcpyH2D, ActivityClass::Kernel, analysis::VerdictKind::Overlapped),
        verdict(ActivityClass::MemcpyD2H, ActivityClass::Kernel, analysis::VerdictKind::Inconclusive),
        verdict(ActivityClass::Memset, ActivityClass::Kernel, analysis::VerdictKind::NotApplicable)};
    r.bounds.serial = 81, r.bounds.oneCopyEngine = 82, r.bounds.twoCopyEngines = 83;
    r.bounds.criticalPath = 84, r.bounds.measured = 85, r.bounds.ideal = 86;
    r.bounds.efficiency = 0.5, r.bounds.limiting = "compute";
    r.toolEffect = analysis::ToolEffect{1010, 1000, 5};
    r.findings = {{"pageable",
                   analysis::FindingStatus::Proved,
                   91,
                   {3, 1},
                   "slow",
                   "pin it",
                   {{"h2d.memory", "pinned"}}},
                  {"null-stream", analysis::FindingStatus::Refuted, 0, {}, "no", "", {}}};
    r.abstained = {{"launch-bound", "API records"}};
    r.notCauses = {{"query", 3, 95, "it asks"}};
    r.notObservable = {{"clocks", "no records"}};
    r.defects = {{DefectCode::GateOpenedEarly, 1, kAllClasses, "at op 3"}};
    r.counts = {10, 9, 1};
    return r;
}

} // namespace olab::test
