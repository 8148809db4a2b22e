#include "experiment/preset_button.h"

#include <QKeyEvent>
#include <QStyleOptionButton>
#include <QStylePainter>

namespace olab::ui {

PresetButton::PresetButton(QWidget* parent)
    : QPushButton(parent) {
    setObjectName(QStringLiteral("preset"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTitle({});
}

void PresetButton::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(tr("Preset: %1").arg(title));
    update();
}

QSize PresetButton::sizeHint() const {
    QStyleOptionButton option;
    initStyleOption(&option);
    const QSize text = fontMetrics().size(Qt::TextShowMnemonic, QStringLiteral("Presets..."));
    return style()->sizeFromContents(QStyle::CT_PushButton, &option, text, this);
}

void PresetButton::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    painter.drawControl(QStyle::CE_PushButton, option);
    const int arrow = fontMetrics().height();
    const QRect room = rect().adjusted(arrow / 2, 0, -arrow / 2, 0);
    const QRect words = room.adjusted(0, 0, -arrow, 0);
    painter.setPen(
        palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_title, Qt::ElideRight, words.width()));
    option.rect = QRect(words.right() + 1, (height() - arrow) / 2, arrow, arrow);
    painter.drawPrimitive(QStyle::PE_IndicatorArrowDown, option);
}

/// Down opens it, as with a combo box; nothing is chosen by that.
void PresetButton::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QPushButton::keyPressEvent(event);
}

} // namespace olab::ui
