#include "results/folded.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace olab::ui {

QPushButton* addFolded(QVBoxLayout& column, const QString& title, QWidget* body) {
    auto* button = new QPushButton(title);
    button->setCheckable(true);
    column.addWidget(button, 0, Qt::AlignLeft);
    column.addWidget(body);
    body->setVisible(false);
    QObject::connect(button, &QPushButton::toggled, body, &QWidget::setVisible);
    return button;
}

} // namespace olab::ui
