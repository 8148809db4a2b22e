#include "results/trust_line.h"

#include <olab/ui/format.h>

#include <QResizeEvent>

namespace olab {

namespace {

constexpr int kSide = 8, kFoot = 4; // as the style sheet pads it (theme.cpp)

} // namespace

TrustLine::TrustLine(QWidget* parent)
    : QLabel(parent) {
    setObjectName(QStringLiteral("trust"));
    setAccessibleDescription(tr("How far to trust the simulation"));
    setTextFormat(Qt::PlainText); // it may come from a file
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setToolTip(
        tr("From predicting measured runs that the device model had not seen (olab calibrate --check)"));
    setShown(nullptr);
}

void TrustLine::setShown(const ShownPtr& shown) {
    setText(shown ? sentence(shown->recording->trust()) : QString());
    fit();
    setVisible(!text().isEmpty());
}

/// As high as its lines are at this width, and no higher when the window is asked how small it may become.
void TrustLine::fit() {
    const QRect room(0, 0, width() - 2 * kSide, QWIDGETSIZE_MAX);
    const int lines = fontMetrics().boundingRect(room, Qt::TextWordWrap, text()).height();
    setFixedHeight(lines + kFoot);
}

void TrustLine::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fit();
}

void TrustLine::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fit();
}

} // namespace olab
