#pragma once

#include <QTest>

namespace olab::test {

/// As a hand does it. QTest::mouseDClick() alone leaves the button down for all that moves the mouse after
/// it.
inline void doubleClick(QWidget& widget, QPoint at) {
    QTest::mouseDClick(&widget, Qt::LeftButton, {}, at);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, at);
}

} // namespace olab::test
