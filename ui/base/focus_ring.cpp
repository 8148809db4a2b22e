#include "base/focus_ring.h"

#include <olab/ui/theme.h>

#include <QAbstractButton>
#include <QApplication>
#include <QFocusEvent>
#include <QLabel>
#include <QPainter>

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

namespace {

/// The part of a control that no parent cuts off, in pixels of its window.
QRect seenPart(const QWidget& control) {
    QRect seen(control.mapTo(control.window(), QPoint()), control.size());
    for (const QWidget* in = control.parentWidget(); in; in = in->isWindow() ? nullptr : in->parentWidget())
        seen &= QRect(in->mapTo(control.window(), QPoint()), in->size());
    return seen;
}

/// With the words beside a button that has none of its own: around its small circle alone the frame would
/// cover it.
QRect ringArea(const QWidget& control) {
    QRect area = seenPart(control);
    const auto* button = qobject_cast<const QAbstractButton*>(&control);
    if (!button || !button->text().isEmpty() || !button->isCheckable())
        return area;
    for (const QLabel* words : control.parentWidget()->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
        if (words->buddy() == &control)
            area |= seenPart(*words);
    const int air = ViewStyle::of(control.font()).strong; // the frame beside the letters, not on them
    return area.isEmpty() ? area : area.adjusted(-air, -air, air, air);
}

} // namespace

FocusRing::FocusRing(QWidget& window)
    : QWidget(&window)
    , m_window(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, &FocusRing::look);
}

/// What moves, scrolls or hides the control moves the frame: only the control and what it lies in are heard.
bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::KeyPress:
        m_byKeys = true;
        break;
    case QEvent::MouseButtonPress:
        m_byKeys = false;
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::FontChange:
        if (!m_focus || watched == this || !watched->isWidgetType() ||
            (watched != m_focus && !static_cast<QWidget*>(watched)->isAncestorOf(m_focus)))
            return false;
        break;
    default:
        return false;
    }
    QMetaObject::invokeMethod(this, &FocusRing::place, Qt::QueuedConnection); // when it has happened
    return false;
}

void FocusRing::look() {
    QWidget* focus = QApplication::focusWidget();
    m_focus = focus && focus->window() == &m_window ? focus : nullptr;
    place();
}

void FocusRing::place() {
    if (!m_focus || !m_byKeys || !m_focus->isVisible() || m_focus == &m_window)
        return hide();
    const QRect area = ringArea(*m_focus);
    if (area.isEmpty())
        return hide();
    const int wide = ViewStyle::of(m_window.font()).strong;
    setGeometry(area);
    setMask(QRegion(rect()) - QRegion(rect().adjusted(wide, wide, -wide, -wide)));
    show();
    raise();
    update();
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), Theme::of(palette()).accent);
}

} // namespace olab::ui
