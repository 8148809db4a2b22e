#include "window/messages/messages.h"

#include "base/plain_text.h"
#include "window/messages/message_bars.h"

#include <olab/ui/format.h>

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

Messages::Messages(QObject& owner)
    : QObject(&owner)
    , m_errors(new ErrorBar)
    , m_notice(new NoticeBar)
    , m_offers(new OfferBar) {
    m_said.start();
    connect(this, &Messages::barsChanged, this, [this] { m_said.start(); });
    connect(m_errors, &ErrorBar::runAgainRequested, this, &Messages::runAgainRequested);
    connect(m_errors, &ErrorBar::countChanged, this, &Messages::barsChanged);
    connect(m_notice, &NoticeBar::shownChanged, this, &Messages::barsChanged);
    connect(m_notice, &NoticeBar::cannotOpen, this, [this](const QString& path) {
        error({ErrorKind::Usage, "cannot-open", tr("Nothing opens %1.").arg(path).toStdString(),
               tr("Open it in a program of your choice.").toStdString()});
    });
}

bool Messages::canDismiss() const {
    return m_errors->count() > 0 || !m_notice->isHidden();
}

void Messages::dismiss() {
    if (m_errors->count() > 0)
        m_errors->clear();
    else
        m_notice->hide();
}

void Messages::turnPage() {
    constexpr int kUnreadMs = 1000;
    if (!m_said.hasExpired(kUnreadMs))
        return;
    m_notice->hide();
    m_errors->settle();
}

void Messages::error(const run::RunnerError& error, bool wasRun) {
    m_notice->hide(); // one bar
    m_errors->add(error, wasRun);
    log(tr("Error %1: %2 %3").arg(fromText(error.code), sentence(error.message), sentence(error.hint)));
    emit errorShown(static_cast<int>(error.kind));
}

void Messages::caught(const Error& thrown) {
    error({thrown.kind(), thrown.code(), thrown.what(), thrown.hint()});
}

void Messages::busy(const QString& next) {
    error({ErrorKind::Usage, "busy", tr("Something else is running.").toStdString(),
           tr("Cancel it (Esc), then %1.").arg(next).toStdString()});
}

void Messages::saved(const QString& path) {
    m_errors->settle();
    wrote(path);
}

void Messages::wrote(const QString& path) {
    m_notice->showSaved(path, NoticeBar::Kind::Recording);
}

} // namespace olab::ui
