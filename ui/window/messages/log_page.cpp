#include "window/messages/log_page.h"

#include "base/plain_text.h"

#include <QScrollBar>
#include <QTime>

namespace olab::ui {

namespace {

constexpr int kMostLogLines = 5000;

/// Also after the field became smaller.
void followEnd(const QPlainTextEdit& text) {
    QScrollBar* bar = text.verticalScrollBar();
    bar->setProperty("atEnd", true);
    QObject::connect(bar, &QScrollBar::valueChanged, bar,
                     [bar](int value) { bar->setProperty("atEnd", value == bar->maximum()); });
    QObject::connect(bar, &QScrollBar::rangeChanged, bar, [bar](int, int last) {
        if (bar->property("atEnd").toBool())
            bar->setValue(last);
    });
}

} // namespace

LogPage::LogPage() {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setMaximumBlockCount(kMostLogLines);
    setAccessibleName(tr("Log"));
    followEnd(*this);
}

void LogPage::add(const QString& text) {
    appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss.zzz  ")) + shownText(text));
}

} // namespace olab::ui
