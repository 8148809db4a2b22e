#include "results/trust_line.h"

#include <olab/ui/format.h>

namespace olab {

TrustLine::TrustLine(QWidget* parent)
    : WrappedLine(QStringLiteral("trust"), 4, parent) {
    setAccessibleDescription(tr("How far to trust the simulation"));
    setToolTip(
        tr("From predicting measured runs that the device model had not seen (olab calibrate --check)"));
}

void TrustLine::setShown(const ShownPtr& shown) {
    say(shown ? sentence(shown->recording->trust()) : QString());
}

} // namespace olab
