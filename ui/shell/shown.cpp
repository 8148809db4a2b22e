#include <olab/ui/shown.h>

#include "shell/plain_text.h"

#include <olab/ui/format.h>

#include <algorithm>

namespace olab {

namespace {

/// Of `control` only the cancel: the steps of an analysis that was made before are no news.
Facts factsOf(const Recording& r, const RunControl& control) {
    RunControl quiet;
    quiet.stop = control.stop;
    return gatherFacts({r.trace, r.lanes, r.schedule ? &*r.schedule : nullptr, r.report.toolEffect}, quiet);
}

} // namespace

Run::Run(const Recording& recording)
    : m_ownTitle(recording.label.title.empty()
                     ? recording.title
                     : recording.file.filename().string()) // when its name is taken away again
    , m_label(recording.label) {}

RunLabel Run::label() const {
    const std::lock_guard lock(m_mutex);
    return m_label;
}

void Run::setLabel(RunLabel label) const {
    const std::lock_guard lock(m_mutex);
    m_label = std::move(label);
}

QString Run::title() const {
    const RunLabel named = label();
    return cutText(fromText(named.title.empty() ? m_ownTitle : named.title), 4 * kLongestLine);
}

Shown::Shown(RecordingPtr shownRecording, const RunControl& control, RunPtr ofRun)
    : recording(std::move(shownRecording))
    , run(ofRun ? std::move(ofRun) : std::make_shared<const Run>(*recording))
    , facts(factsOf(*recording, control))
    , index(recording->trace, recording->lanes, control)
    , links(facts, control) {}

const Wait* Shown::waitOf(ActivityIndex activity) const {
    if (activity >= facts.waitOf.size() || facts.waitOf[activity] >= facts.waits.size())
        return nullptr;
    return &facts.waits[facts.waitOf[activity]];
}

std::vector<ActivityIndex> Shown::sameOp(ActivityIndex activity) const {
    std::vector<ActivityIndex> same{activity};
    if (activity >= facts.apiOf.size())
        return same;
    if (facts.apiOf[activity] != kNoActivity)
        same.push_back(facts.apiOf[activity]);
    const auto work = links.issuedBy(activity);
    same.insert(same.end(), work.begin(), work.end());
    std::ranges::sort(same);
    return same;
}

Ns Shown::zero() const {
    const Interval device = trace().deviceSpan();
    return device.length() > 0 ? device.begin : trace().span().begin;
}

Interval Shown::limits() const {
    const Interval span = trace().span();
    const Ns air = std::max<Ns>(span.length() / 100, 1);
    return {span.begin - air, span.end + air};
}

std::size_t Shown::memoryBytes() const {
    constexpr std::size_t kFacts = 2 * sizeof(ActivityIndex) + sizeof(Ns) + sizeof(std::uint64_t) +
                                   sizeof(std::uint32_t); // for each activity
    std::size_t bytes = sizeof(*this) + recording->memoryBytes() + index.allBytes() + links.memoryBytes();
    bytes += facts.apiOf.capacity() * kFacts + facts.waits.capacity() * sizeof(Wait);
    for (const DeviceFacts& device : facts.perDevice) {
        bytes += device.full.memoryBytes() + device.fullGrids.capacity() * sizeof(FullGrid) +
                 device.crowdedCompute.memoryBytes() + device.crowdedCopies.memoryBytes();
        for (const IntervalSet& covered : device.coverage)
            bytes += covered.memoryBytes();
    }
    return bytes;
}

QString verdictWord(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::Overlapped:
        return QStringLiteral("overlapped");
    case VerdictKind::Partial:
        return QStringLiteral("partial");
    case VerdictKind::Serialized:
        return QStringLiteral("SERIALIZED");
    case VerdictKind::Apart:
        return QStringLiteral("apart");
    case VerdictKind::Inconclusive:
        return QStringLiteral("inconclusive");
    case VerdictKind::NotApplicable:
        break;
    }
    return QStringLiteral("not applicable");
}

VerdictKind shownKind(const Verdict& v) {
    return v.minor() ? VerdictKind::Apart : v.kind;
}

QString verdictLine(const Verdict& v) {
    return QStringLiteral("%1 | %2: %3 %4")
        .arg(fromText(classLabel(v.a)), fromText(classLabel(v.b)), verdictWord(v.kind),
             v.known ? percentText(v.ofAttainable) : QString())
        .trimmed();
}

} // namespace olab
