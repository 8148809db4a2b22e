#include "results/trust_line.h"

#include <olab/ui/format.h>

namespace olab {

TrustLine::TrustLine(QWidget* parent)
    : QLabel(parent) {
    setObjectName(QStringLiteral("trust"));
    setAccessibleDescription(tr("How far to trust the simulation"));
    setTextFormat(Qt::PlainText); // it may come from a file
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setToolTip(
        tr("From predicting measured runs that the device model had not seen (olab calibrate --check)"));
    setContentsMargins(8, 0, 8, 4);
    setShown(nullptr);
}

void TrustLine::setShown(const ShownPtr& shown) {
    setText(shown ? sentence(shown->recording->trust()) : QString());
    setVisible(!text().isEmpty());
}

} // namespace olab
