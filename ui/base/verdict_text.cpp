#include <olab/ui/texts.h>
#include <olab/ui/verdict_text.h>

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/view/view_data.h>

#include <algorithm>

namespace olab::ui {

QString titleText(const view::Run& run) {
    return cutText(fromText(run.title()), 4 * kLongestLine);
}

QString titleText(const view::ViewData& data) {
    return titleText(*data.run);
}

QString verdictWord(analysis::VerdictKind kind) {
    switch (kind) {
    case analysis::VerdictKind::Overlapped:
        return tr("overlapped");
    case analysis::VerdictKind::Stretched:
        return tr("stretched");
    case analysis::VerdictKind::Partial:
        return tr("partial");
    case analysis::VerdictKind::Serialized:
        return tr("SERIALIZED");
    case analysis::VerdictKind::Apart:
        return tr("apart");
    case analysis::VerdictKind::Inconclusive:
        return tr("inconclusive");
    case analysis::VerdictKind::NotApplicable:
        break;
    }
    return tr("not applicable");
}

analysis::VerdictKind shownKind(const analysis::Verdict& v) {
    return v.minor() ? analysis::VerdictKind::Apart : v.kind;
}

analysis::VerdictKind pricedKind(const analysis::Verdict& v, const analysis::Bounds& bounds) {
    using enum analysis::VerdictKind;
    constexpr double kDear = 0.1;
    const bool lost = v.kind == Serialized || v.kind == Partial || v.kind == Stretched;
    if (!lost || v.minor() || !bounds.believed || !bounds.ideal || bounds.measured.value_or(0) <= 0)
        return shownKind(v);
    const double ofAll =
        static_cast<double>(*bounds.measured - *bounds.ideal) / static_cast<double>(*bounds.measured);
    const double price = std::min(ofAll, v.ofRun);
    if (price < analysis::kMinorShare)
        return Apart;
    return v.kind == Stretched ? v.kind : price < kDear ? Partial : Serialized;
}

QString verdictLine(const analysis::Verdict& v) {
    return QStringLiteral("%1 | %2: %3 %4")
        .arg(fromText(classLabel(v.a)), fromText(classLabel(v.b)), verdictWord(v.kind),
             v.known ? percentLabel(v.ofAttainable) : QString())
        .trimmed();
}

} // namespace olab::ui
