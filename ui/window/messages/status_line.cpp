#include "window/messages/status_line.h"

#include "base/elided_label.h"
#include "base/look_watch.h"
#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QHBoxLayout>
#include <QLabel>

namespace olab::ui {

namespace {

constexpr qsizetype kLongestFact = 60; // the line must not ask for more than a small screen has

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(18);
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
