#include "results/trust_line.h"

#include "base/look_watch.h"
#include "base/plain_text.h"

#include <olab/comparison/agreement.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/view_style.h>

#include <QApplication>

#include <set>

namespace olab::ui {

namespace {

constexpr qsizetype kMostLines = 2; // of damage: it must not push the timeline out of the window

/// What olab says of it, in the same words; of what is said of several classes the first, the page
/// File has them all.
QStringList damageLines(const recording::Recording& recording) {
    QStringList lines;
    std::set<DefectCode> said;
    for (const Defect& defect : recording::damageOf(recording.report)) {
        if (!said.insert(defect.code).second)
            continue;
        QString line = QStringLiteral("⚠ ") + sentence(defect.text());
        if (defect.count > 1)
            line = counted("%1 (%n times)", "%1 (%n time)", defect.count).arg(line);
        lines << line;
    }
    return lines;
}

/// Of a simulated run: the recording of a GPU with the same settings.
const comparison::ModelAgreement* recordedLike(const recording::Recording& recording) {
    const bool isSimulated = recording.trace.provenance().source == SourceKind::Simulated;
    return isSimulated && recording.experiment ? comparison::shippedAgreement(*recording.experiment)
                                               : nullptr;
}

} // namespace

TrustLine::TrustLine(QWidget* parent)
    : WrappedLine(QStringLiteral("trust"), {8, 0, 8, 4}, parent) {
    const auto shrink = [this] {
        const QFont usual = QApplication::font();
        setFont(ViewStyle::of(usual).smallFont(usual));
        sayAll(); // before a projector it says less
    };
    new LookWatch(*this, shrink);
    shrink();
    setAccessibleDescription(tr("How far to trust the verdicts"));
}

void TrustLine::setShown(const view::ViewDataPtr& shown) {
    m_trust = shown ? sentence(shown->recording->trust()) : QString();
    m_recorded.clear();
    m_beside.clear();
    if (const comparison::ModelAgreement* found = shown ? recordedLike(*shown->recording) : nullptr) {
        m_beside = sentence(comparison::agreementText(*found, true));
        m_recorded = sentence(comparison::agreementText(*found));
    }
    m_damage = shown ? damageLines(*shown->recording) : QStringList();
    m_note.clear();
    sayAll();
}

void TrustLine::setNote(const QString& note) {
    if (note == m_note)
        return;
    m_note = note;
    sayAll();
}

QString TrustLine::tip() const {
    if (!m_damage.isEmpty())
        return m_damage.join(QLatin1Char('\n'));
    if (!m_recorded.isEmpty())
        return m_recorded;
    return m_trust.isEmpty()
               ? tr("The same work is run with and without tracing, in pairs: what tracing adds is no "
                    "verdict "
                    "on the pipeline")
               : tr("From predicting measured runs that the device model had not seen (olab calibrate "
                    "--check)");
}

void TrustLine::sayAll() {
    setTip(*this, tip());
    QStringList lines = m_damage.mid(0, kMostLines);
    if (m_damage.size() > kMostLines)
        lines << tr("and %1 more, on the page File").arg(m_damage.size() - kMostLines);
    // What a GPU did with the very settings says more than how others like them were predicted.
    const bool hasRecorded = !m_beside.isEmpty() && !ViewStyle::of(font()).projector();
    QStringList first{hasRecorded ? m_beside : m_trust, m_note};
    first.removeAll(QString());
    if (!first.isEmpty())
        lines.prepend(first.join(QLatin1Char(' ')));
    say(lines.join(QLatin1Char('\n')));
    emit changed();
}

} // namespace olab::ui
