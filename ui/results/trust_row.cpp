#include "results/trust_row.h"

#include "base/plain_text.h"
#include "results/trust_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

namespace olab::ui {

TrustRow::TrustRow(TrustLine& line, QWidget* parent)
    : QWidget(parent)
    , m_line(line)
    , m_button(new QPushButton(tr("File details"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(4);
    row->addWidget(&line, 1);
    row->addWidget(m_button, 0, Qt::AlignTop);
    m_button->setObjectName(QStringLiteral("contentsOfFile"));
    setTip(*m_button, tr("What was found in the file and what was not, what can therefore not be judged, and "
                         "all that could not be used of it"));
    connect(m_button, &QPushButton::clicked, this, &TrustRow::contentsRequested);
    connect(&line, &TrustLine::changed, this, &TrustRow::offer);
    line.installEventFilter(this);
    offer();
}

void TrustRow::offer() {
    m_button->setVisible(m_line.saysDamage() && !m_line.isHidden());
    setVisible(!m_line.isHidden());
}

bool TrustRow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        offer();
    return QWidget::eventFilter(watched, event);
}

} // namespace olab::ui
