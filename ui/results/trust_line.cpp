#include "results/trust_line.h"

#include "shell/plain_text.h"

#include <olab/ui/format.h>

namespace olab {

TrustLine::TrustLine(QWidget* parent)
    : WrappedLine(QStringLiteral("trust"), 4, parent) {
    setAccessibleDescription(tr("How far to trust the verdicts"));
}

void TrustLine::setShown(const ShownPtr& shown) {
    m_trust = shown ? sentence(shown->recording->trust()) : QString();
    m_note.clear();
    sayAll();
}

void TrustLine::setNote(const QString& note) {
    if (note == m_note)
        return;
    m_note = note;
    sayAll();
}

void TrustLine::sayAll() {
    setTip(
        *this,
        m_trust.isEmpty()
            ? tr("The same work is run with and without tracing, in pairs: what tracing adds is no verdict "
                 "on the pipeline")
            : tr("From predicting measured runs that the device model had not seen (olab calibrate "
                 "--check)"));
    say((m_trust + QLatin1Char(' ') + m_note).trimmed());
}

} // namespace olab
