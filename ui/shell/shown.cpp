#include <olab/ui/shown.h>

#include "shell/plain_text.h"

#include <olab/ui/format.h>

#include <algorithm>

namespace olab {

Shown::Shown(RecordingPtr shownRecording, const RunControl& control)
    : recording(std::move(shownRecording))
    , facts(*recording->facts)
    , index(recording->trace, recording->lanes, control)
    , links(facts, control)
    , m_label(recording->label) {}

RunLabel Shown::label() const {
    const std::lock_guard lock(m_labelMutex);
    return m_label;
}

void Shown::setLabel(RunLabel label) const {
    const std::lock_guard lock(m_labelMutex);
    m_label = std::move(label);
}

QString Shown::title() const {
    const RunLabel named = label();
    const bool isUnnamed = !recording->label.title.empty(); // a name that was taken away again
    const std::string without = isUnnamed ? recording->file.filename().string() : recording->title;
    return cutText(fromText(named.title.empty() ? without : named.title), 4 * kLongestLine);
}

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
