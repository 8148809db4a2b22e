#include <olab/ui/verdict_text.h>

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/view/view_data.h>

namespace olab {

QString titleText(const Run& run) {
    return cutText(fromText(run.title()), 4 * kLongestLine);
}

QString titleText(const ViewData& data) {
    return titleText(*data.run);
}

QString verdictWord(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::Overlapped:
        return QStringLiteral("overlapped");
    case VerdictKind::Stretched:
        return QStringLiteral("stretched");
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
             v.known ? percentLabel(v.ofAttainable) : QString())
        .trimmed();
}

} // namespace olab
