#include "made_trace.h"

#include <olab/trace/lanes_of.h>

#include <algorithm>

namespace olab::test {

Made::Made() {
    device.device = 0;
    device.name = "made";
    device.copyEngines = 3;
    stream(7, StreamKind::Null);
}

std::uint32_t Made::plan(experiment::OpKind kind, int pipeline, Ns solo, std::int64_t bytes,
                         std::uint64_t blocks, std::uint64_t residentBlocks) {
    hasSchedule = true;
    const auto number = static_cast<std::uint32_t>(schedule.ops.size());
    const std::optional<ActivityClass> cls = experiment::classOf(kind);
    experiment::Op op{
        .id = OpId{number}, .kind = kind, .pipeline = pipeline, .bytes = bytes, .stream = pipeline};
    if (solo > 0) {
        op.solo = number;
        schedule.solos.push_back({kind, bytes});
        const bool isKernel = cls == Kernel;
        m_builder.add(
            SoloRecord{number, *cls, bytes, solo, 3, isKernel ? blocks : 0, isKernel ? residentBlocks : 0});
    }
    if (cls)
        ++schedule.expected[static_cast<std::size_t>(*cls)];
    schedule.ops.push_back(op);
    schedule.streams.resize(
        std::max(schedule.streams.size(), static_cast<std::size_t>(std::max(0, pipeline)) + 1));
    return number;
}

ActivityRecord& Made::work(ActivityClass cls, Ns begin, Ns end, std::uint32_t stream) {
    ActivityRecord r;
    r.cls = cls, r.begin = begin, r.end = end;
    r.device = 0, r.context = 1, r.stream = stream;
    r.bytes = cls == Kernel ? 0 : 1 << 20;
    if (cls == Kernel)
        r.name = text("fma");
    r.correlation = ++m_correlation;
    m_activities.push_back(r);
    return m_activities.back();
}

ActivityRecord& Made::ran(std::uint32_t op, Ns begin, Ns end, std::uint32_t stream) {
    ActivityRecord& r = work(*experiment::classOf(schedule.ops.at(op).kind), begin, end, stream);
    r.op = OpId{op};
    return r;
}

void Made::issued(Ns begin, Ns end, std::string name) {
    ActivityRecord r;
    r.cls = Api, r.begin = begin, r.end = end, r.thread = 99;
    r.correlation = m_correlation;
    r.name = text(name);
    m_calls.push_back(r);
}

void Made::hostFn(std::uint32_t op, Ns begin, Ns end) {
    ActivityRecord r;
    r.cls = HostFn, r.begin = begin, r.end = end, r.thread = 100;
    r.op = OpId{op};
    m_activities.push_back(r);
}

void Made::stream(std::uint32_t number, StreamKind kind) {
    m_builder.add(StreamRecord{1, number, kind, 0});
}

void Made::finish() {
    if (m_finished)
        return;
    m_finished = true;
    m_builder.add(device);
    for (const auto* list : {&m_activities, &m_calls})
        for (const ActivityRecord& r : *list)
            m_builder.add(r);
    for (const RefusedRecord& d : m_defects)
        m_builder.add(d);
    if (window.begin != 0)
        m_builder.add(window = {window.begin, window.begin + us(1e6), window.traced});
    trace = m_builder.finish();
    lanes = lanesOf(trace);
}

analysis::Report Made::report() {
    finish();
    return analysis::analyze(input());
}

const analysis::Facts& Made::facts() {
    finish();
    m_facts = analysis::gatherFacts(input());
    return *m_facts;
}

const analysis::Verdict& verdictOf(const analysis::Report& report, ActivityClass a, ActivityClass b) {
    for (const analysis::Verdict& v : report.verdicts)
        if (v.a == a && v.b == b)
            return v;
    throw std::runtime_error("no verdict for this pair");
}

const analysis::Finding* findingOf(const analysis::Report& report, std::string_view id) {
    const auto at = std::find_if(report.findings.begin(), report.findings.end(),
                                 [id](const analysis::Finding& f) { return f.id == id; });
    return at == report.findings.end() ? nullptr : &*at;
}

const analysis::Abstention* abstentionOf(const analysis::Report& report, std::string_view id) {
    const auto at = std::find_if(report.abstained.begin(), report.abstained.end(),
                                 [id](const analysis::Abstention& a) { return a.rule == id; });
    return at == report.abstained.end() ? nullptr : &*at;
}

const Defect* defectOf(const analysis::Report& report, DefectCode code) {
    const auto at = std::find_if(report.defects.begin(), report.defects.end(),
                                 [code](const Defect& d) { return d.code == code; });
    return at == report.defects.end() ? nullptr : &*at;
}

} // namespace olab::test
