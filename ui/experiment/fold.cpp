#include "experiment/fold.h"

#include <olab/ui/texts.h>

#include <QVBoxLayout>

namespace olab::ui {

Fold::Fold(const QString& title, bool open, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_heading(new QToolButton(this))
    , m_body(new QWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(2);
    QFont bold = font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_heading->setCheckable(true);
    m_heading->setAutoRaise(true);
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_heading->setSizePolicy(QSizePolicy::Ignored,
                             QSizePolicy::Fixed); // long titles must not widen the panel
    m_heading->setFocusPolicy(Qt::StrongFocus);
    column->addWidget(m_heading);
    column->addWidget(m_body);
    connect(m_heading, &QToolButton::toggled, this, [this](bool checked) { setOpen(checked); });
    setChanged(0);
    setOpen(open);
}

void Fold::setOpen(bool open) {
    m_heading->setChecked(open);
    m_heading->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_body->setVisible(open);
}

void Fold::setChanged(int count) {
    m_heading->setText(
        count == 0 ? m_title
                   : counted("%1   (%n changed)", "%1   (%n changed)", static_cast<std::uint64_t>(count))
                         .arg(m_title));
}

} // namespace olab::ui
