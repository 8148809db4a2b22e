#include "window/messages/messages.h"

#include "base/look_style.h"
#include "base/page_parts.h"
#include "base/plain_text.h"
#include "window/messages/message_bars.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QLabel>
#include <QProgressBar>
#include <QScrollBar>
#include <QTime>
#include <QToolButton>

namespace olab::ui {

namespace {

constexpr int kBusyAfterMs = 300, kSteps = 1000;
constexpr int kBusyWide = 330, kBarWide = 90; // in usual type

} // namespace

BusyLine::BusyLine(const QWidget& form, QWidget* parent)
    : QWidget(parent)
    , m_form(form)
    , m_what(new ElidedLabel)
    , m_bar(new QProgressBar) {
    setObjectName(QStringLiteral("busyLine"));
    auto* row = rowIn(this);
    m_bar->setTextVisible(false);
    const auto fit = [this] {
        const ViewStyle sizes = ViewStyle::of(font());
        setFixedWidth(sizes.scaled(kBusyWide)); // the line beside it does not move with every word
        m_bar->setFixedSize(sizes.scaled(kBarWide), sizes.scaled(6));
    };
    new LookWatch(*this, fit);
    fit();
    m_bar->setRange(0, kSteps);
    m_bar->setAccessibleName(tr("Progress of what runs"));
    auto* cancel = new QToolButton;
    cancel->setObjectName(QStringLiteral("busyCancel"));
    cancel->setText(tr("Cancel"));
    cancel->setAutoRaise(true);
    setTip(*cancel, tr("Stops what runs (Esc)"));
    connect(cancel, &QToolButton::clicked, this, &BusyLine::cancelRequested);
    row->addWidget(m_what, 1);
    row->addWidget(m_bar);
    row->addWidget(cancel);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kBusyAfterMs);
    connect(&m_soon, &QTimer::timeout, this, &BusyLine::refresh);
    hide();
}

void BusyLine::start(const QString& what) {
    m_runs = true;
    m_bar->setValue(0);
    m_what->setText(shownText(what));
    m_soon.start();
}

void BusyLine::setProgress(double share, const QString& what) {
    if (!m_runs)
        return;
    m_bar->setValue(share < 0 ? 0 : static_cast<int>(share * kSteps));
    if (!what.isEmpty())
        m_what->setText(shownText(what));
    if (!m_soon.isActive())
        refresh();
}

void BusyLine::end() {
    m_runs = false;
    m_soon.stop();
    refresh();
}

void BusyLine::refresh() {
    setVisible(m_runs && !m_form.isVisible());
}

namespace {

constexpr qsizetype kLongestFact = 60; // the line must not ask for more than a small screen has

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent) {
    auto* row = rowIn(this, {8, 0, 8, 0}, 18);
    m_device = addLabel(tr("Device"));
    m_driver = addLabel(tr("Driver and CUPTI"), true);
    m_records = addLabel(tr("Records"), true);
    m_effect = addLabel(tr("Effect of tracing"));
    row->addStretch(1);
    new LookWatch(*this, [this] { setShown(m_shown); });
    setShown(nullptr);
}

QLabel* StatusLine::addLabel(const QString& name, bool givesWay) {
    QLabel* label = givesWay ? new ElidedLabel(this) : makeLabel({}, this);
    label->setObjectName(name);
    layout()->addWidget(label);
    return label;
}

void StatusLine::set(QLabel* label, const QString& text, const QString& tip) {
    const bool isCut = !qobject_cast<ElidedLabel*>(label) && text.size() > kLongestFact;
    label->setText(isCut ? cutText(text, kLongestFact) : text);
    label->setAccessibleName(QStringLiteral("%1: %2").arg(label->objectName(), text));
    label->setAccessibleDescription(tip);
    setTip(*label, isCut ? text + QLatin1Char('\n') + tip : tip);
    label->setVisible(!text.isEmpty());
}

void StatusLine::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    if (!shown) {
        set(m_device, tr("No recording shown"));
        for (QLabel* label : {m_driver, m_records, m_effect})
            set(label, {});
        return;
    }
    const Trace& trace = shown->trace();
    const analysis::Report& report = shown->recording->report;
    set(m_device, trace.devices().empty() ? tr("no device") : fromText(trace.devices().front().name));
    QStringList versions;
    for (const auto& [label, key] : {std::pair{tr("driver"), "driver"}, std::pair{tr("CUPTI"), "cupti"}})
        if (const QString value = environmentOf(trace, key); !value.isEmpty())
            versions << label + QLatin1Char(' ') + value;
    set(m_driver, versions.join(QStringLiteral(" · ")));
    const RecordCounts counts = trace.counts();
    set(m_records,
        tr("%1 records read, %2 kept, %3 refused")
            .arg(countText(counts.read), countText(counts.kept), countText(counts.refused)),
        tr("Nothing is dropped in silence: what could not be used is refused and counted"));
    const auto& effect = report.toolEffect;
    set(m_effect,
        effect && effect->ratio() > 0 ? tr("traced/untraced %1").arg(effect->ratio(), 0, 'f', 2) : QString(),
        tr("The same window with and without tracing: above 1.10 the verdicts are inconclusive"));
}

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

void Messages::wrote(const QString& path) {
    m_notice->showSaved(path, NoticeBar::Kind::Recording);
}

} // namespace olab::ui
