#include "program.h"

#include <olab/experiment/plan.h>

#include <algorithm>
#include <array>
#include <utility>

namespace olab::code {

CodeWriter::Line& CodeWriter::Line::by(Keys keys) {
    for (const std::string_view key : keys)
        if (!isMadeBy(*m_line, key))
            m_line->options.push_back(key);
    return *this;
}

CodeWriter::Line& CodeWriter::Line::runs(experiment::OpKind kind) {
    m_line->ops |= bitOf(kind);
    return *this;
}

CodeWriter::Line CodeWriter::add(std::string_view text) {
    const bool isDirective = text.starts_with('#'); // the preprocessor's, at the margin
    std::string line(isDirective ? 0 : static_cast<std::size_t>(m_depth) * 4, ' ');
    line += text;
    m_lines.push_back({std::move(line), {}, 0});
    return Line(m_lines.back());
}

void CodeWriter::blank() {
    if (!m_lines.empty() && !m_lines.back().text.empty())
        m_lines.emplace_back();
}

void CodeWriter::begin(std::string_view head, Keys keys) {
    add(head).by(keys);
    indent(1);
}

void CodeWriter::end(std::string_view close) {
    indent(-1);
    add(close);
}

void CodeWriter::beginLoop(std::string_view head, Keys keys) {
    m_loops.push_back(m_lines.size());
    begin(head, keys);
}

void CodeWriter::endLoop() {
    const std::size_t head = m_loops.back();
    m_loops.pop_back();
    indent(-1);
    const std::size_t inside = m_lines.size() - head - 1;
    if (inside == 0) {
        m_lines.pop_back();
    } else if (inside > 1) {
        m_lines[head].text += " {";
        add("}").by({});
    }
}

std::vector<CodeLine> CodeWriter::take() {
    return std::exchange(m_lines, {});
}

namespace {

bool startGate(experiment::Experiment few) {
    few.iterations = std::min(few.iterations, 2);
    return experiment::plan(few, 2).useGate && !few.launchBlocking;
}

} // namespace

Program::Program(const experiment::Experiment& experiment)
    : e(experiment)
    , copiesIn(e.h2d && !experiment::usedInPlace(e.h2dMemory))
    , copiesOut(e.d2h && !experiment::usedInPlace(e.d2hMemory))
    , readsInPlace(e.h2d && experiment::usedInPlace(e.h2dMemory))
    , writesInPlace(e.d2h && experiment::usedInPlace(e.d2hMemory))
    , toConstant(copiesIn && e.h2dTarget == experiment::CopyTarget::Constant)
    , byPass(e.order == experiment::IssueOrder::Depth || e.issue == experiment::IssueMode::OnCallback ||
             e.issueThreads == experiment::IssueThreads::PerStream)
    , perStream(e.issueThreads == experiment::IssueThreads::PerStream)
    , onCallback(e.issue == experiment::IssueMode::OnCallback)
    , driver(e.api == experiment::Api::Driver)
    , allDevices(e.devices == experiment::DeviceUse::All)
    , manyPasses((byPass ? std::int64_t{e.streams} * e.iterations : e.iterations) > 1)
    , nullOp(manyPasses && e.nullOp != experiment::NullOp::Off)
    , interferes(manyPasses && e.interfere != experiment::Interfere::None)
    , hasPieces(interferes && (e.interfere == experiment::Interfere::Free ||
                               e.interfere == experiment::Interfere::FreeHost ||
                               e.interfere == experiment::Interfere::HostRegister))
    , watches(e.callback && experiment::watchesEvent(e.callbackMethod))
    , gate(startGate(e))
    , graph(e.submit == experiment::Submit::Graph)
    , fill(e.memset && e.memsetMethod == experiment::MemsetMethod::Kernel)
    , roles(experiment::hasRoles(e))
    , saysFree(e.streamRoles == experiment::StreamRoles::On)
    , inputs(e.kernel && (e.h2d || e.memset))
    , outputs(e.kernel && e.d2h) {}

std::string Program::kernelStream() const {
    switch (e.kernelStream) {
    case experiment::KernelStream::Null:
        return "cudaStreamLegacy";
    case experiment::KernelStream::Other:
        return allDevices ? "pipelines[p.number / streams * streams + (p.number + 1) % streams].stream"
                          : "pipelines[(p.number + 1) % streams].stream";
    case experiment::KernelStream::Own:
        break;
    }
    return streamFor(Role::Compute);
}

std::string Program::streamFor(Role role) const {
    constexpr std::array kNames{"copyIn", "compute", "copyOut"};
    return roles ? kNames[static_cast<std::size_t>(role)] : "p.stream";
}

std::vector<std::string> Program::roleEvents() const {
    std::vector<std::string> names;
    if (roles && copiesIn)
        names.emplace_back("filled");
    if (roles && (copiesOut || saysFree))
        names.emplace_back("computed");
    if (saysFree && copiesOut)
        names.emplace_back("drained");
    return names;
}

std::string Program::constantSlice() const {
    const std::int64_t largest = std::max(e.h2dBytes, e.h2dFirstBytes);
    return bytesText((largest + experiment::kConstantUnit - 1) / experiment::kConstantUnit *
                     experiment::kConstantUnit);
}

bool Program::usesNullStream() const {
    return nullOp || (e.kernel && e.kernelStream == experiment::KernelStream::Null) ||
           (interferes &&
            (e.interfere == experiment::Interfere::MemsetSync || e.interfere == experiment::Interfere::D2d));
}

std::string bytesText(std::int64_t bytes) {
    const bool isLarge = bytes >> 31 != 0; // more than an int holds
    const auto number = [isLarge](std::int64_t n) {
        return isLarge ? "size_t(" + std::to_string(n) + ")" : std::to_string(n);
    };
    for (const int shift : {30, 20, 10})
        if (bytes >= (std::int64_t{1} << shift) && bytes % (std::int64_t{1} << shift) == 0)
            return number(bytes >> shift) + " << " + std::to_string(shift);
    return std::to_string(bytes);
}

} // namespace olab::code
