#include "window/messages/status_line.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace olab::ui {

namespace {

constexpr int kBusyAfterMs = 300, kSteps = 1000;
constexpr int kWide = 330, kBarWide = 90; // in usual type

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
        setFixedWidth(sizes.scaled(kWide)); // the line beside it does not move with every word
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

} // namespace olab::ui
