#include <olab/ui/shown.h>

#include "shell/plain_text.h"

#include <olab/ui/format.h>

#include <algorithm>

namespace olab {

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
    , facts(*recording->facts)
    , index(recording->trace, recording->lanes, control)
    , links(facts, control) {}

std::vector<ActivityIndex> Shown::sameOp(ActivityIndex activity) const {
    std::vector<ActivityIndex> same{activity};
    if (activity >= trace().size())
        return same;
    if (const ActivityIndex call = facts.apiOf(activity); call != kNoActivity)
        same.push_back(call);
    const auto work = facts.issuedBy(activity);
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
    return sizeof(*this) + recording->memoryBytes() + index.allBytes() + links.memoryBytes();
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
