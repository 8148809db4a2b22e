#include "base/tab_order.h"

#include <QWidget>

namespace olab::ui {

namespace {

/// Tab knows no place after what it does not reach.
QWidget* lastBefore(QWidget& container) {
    QWidget* before = &container;
    while (!(before->focusPolicy() & Qt::TabFocus)) {
        before = before->previousInFocusChain();
        if (before == &container)
            break;
    }
    return before;
}

} // namespace

void keepTabOrderIn(QWidget& container) {
    QWidget* last = lastBefore(container);
    for (QWidget* widget : container.findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->window() == container.window()) {
            QWidget::setTabOrder(last, widget);
            last = widget;
        }
}

} // namespace olab::ui
