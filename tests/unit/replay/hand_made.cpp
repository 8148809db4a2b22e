#include "hand_made.h"

#include <olab/trace/lanes_of.h>

namespace olab::test {

HandMade::HandMade() {
    device.device = 0;
    device.name = "made";
    device.computeMajor = 9; // the link of an H200
    device.copyEngines = 3;
    stream(7, StreamKind::Null);
}

void HandMade::stream(std::uint32_t number, StreamKind kind, std::uint32_t context, std::int32_t priority) {
    m_builder.add(StreamRecord{context, number, kind, priority});
}

void HandMade::secondDevice() {
    DeviceRecord second = device;
    second.device = 1;
    m_builder.add(second);
    m_builder.add(ContextRecord{2, 1, 7, 0});
    stream(7, StreamKind::Null, 2);
}

HandMade& HandMade::call(const std::string& name, Span time, std::uint32_t thread) {
    ActivityRecord r;
    r.cls = Api, r.thread = thread, r.name = text(name);
    r.begin = us(time.from), r.end = us(time.to);
    r.correlation = m_correlation = ++m_correlations;
    m_rows.push_back(r);
    return *this;
}

ActivityRecord& HandMade::work(ActivityClass cls, std::uint32_t stream, Span time, std::int64_t bytes) {
    ActivityRecord r;
    r.cls = cls, r.device = 0, r.context = 1, r.stream = stream, r.bytes = bytes;
    r.begin = us(time.from), r.end = us(time.to);
    r.correlation = m_correlation;
    if (cls != Kernel)
        r.source = r.target = MemoryKind::Pinned;
    return m_rows.emplace_back(r);
}

void HandMade::hostFn(std::uint32_t stream, Span time) {
    ActivityRecord r;
    r.cls = HostFn, r.thread = 200, r.correlation = m_correlation;
    r.begin = us(time.from), r.end = us(time.to);
    m_rows.push_back(r);
    says(StreamCallKind::HostFunction, stream);
}

void HandMade::overhead(const std::string& name, Span time) {
    ActivityRecord r;
    r.cls = Overhead, r.thread = 100, r.correlation = m_correlation, r.name = text(name);
    r.begin = us(time.from), r.end = us(time.to);
    m_rows.push_back(r);
}

void HandMade::range(const std::string& name, Span time) {
    ActivityRecord r;
    r.cls = Nvtx, r.thread = 100, r.name = text(name);
    r.begin = us(time.from), r.end = us(time.to);
    m_rows.push_back(r);
}

void HandMade::says(StreamCallKind kind, std::uint32_t stream, std::uint32_t event, std::uint64_t recording) {
    m_builder.add(StreamCallRecord{kind, m_correlation, 1, stream, event, recording, 0});
}

const analysis::Facts& HandMade::facts() {
    if (m_finished)
        return *m_facts;
    m_finished = true;
    if (recordsStreamCalls)
        m_builder.add(EnvironmentRecord{std::string(kStreamCallsKey), std::string(kStreamCallsRecorded)});
    m_builder.add(device);
    m_builder.add(ContextRecord{1, 0, 7, 0});
    for (const ActivityRecord& r : m_rows)
        m_builder.add(r);
    if (window)
        m_builder.add(*window);
    m_trace = m_builder.finish();
    m_lanes = lanesOf(m_trace);
    m_facts = analysis::gatherFacts({m_trace, *m_lanes});
    return *m_facts;
}

const replay::Graph& HandMade::graph() {
    if (!m_graph)
        m_graph = replay::buildGraph(facts(), {});
    return *m_graph;
}

replay::Played HandMade::played(Causes causes) {
    return replay::play(graph(), causes, replay::Keep::Times, {});
}

double HandMade::without(Causes causes) {
    return static_cast<double>(played(causes).length) / 1000;
}

double HandMade::beginOf(std::size_t work, Causes causes) {
    return static_cast<double>(played(causes).times[graph().workOf[work]].begin) / 1000;
}

} // namespace olab::test
