#include <olab/view/looks.h>

#include <olab/analysis/communication.h>

#include <algorithm>

namespace olab::view {

std::string_view lookLabel(ActivityClass look) {
    return look == kCommunication ? "communication" : classLabel(look);
}

ClassPattern lookPattern(ActivityClass look) {
    return look == kCommunication ? ClassPattern::Crossed
                                  : kClassRows[static_cast<std::size_t>(look)].pattern;
}

Looks::Looks(const Trace& trace)
    : m_trace(&trace) {
    const auto communicates = [&](const ActivityKind& kind) {
        return kind.cls == ActivityClass::Kernel && analysis::isCommunicationKernel(trace.text(kind.name));
    };
    if (std::ranges::none_of(trace.kinds(), communicates))
        return;
    for (const ActivityKind& kind : trace.kinds())
        m_ofKinds.push_back(communicates(kind) ? kCommunication : kind.cls);
}

} // namespace olab::view
