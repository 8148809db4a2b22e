#include "results/inspector.h"

#include "timeline/hover_card.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QEvent>

namespace olab {

namespace {

QString rowsOf(const FieldList& fields, const Theme& theme) {
    QString rows;
    for (const auto& [name, value] : fields)
        rows += QStringLiteral("<tr><td style='color:%1;padding:1px 10px 1px 0'>%2</td><td "
                               "style='padding:1px 0'>%3</td></tr>")
                    .arg(theme.dim.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
    return QStringLiteral("<table cellspacing='0'>%1</table>").arg(rows);
}

QString environmentOf(const Trace& trace, const char* key) {
    const auto at = trace.environment().find(key);
    return at == trace.environment().end() ? QString() : fromText(at->second);
}

} // namespace

Inspector::Inspector(QWidget* parent)
    : QTextBrowser(parent) {
    setAccessibleName(tr("Inspector"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    document()->setDocumentMargin(10);
    refresh();
}

void Inspector::showActivity(const ShownPtr& shown, std::optional<ActivityIndex> index) {
    m_shown = shown;
    m_index = index;
    refresh();
}

void Inspector::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void Inspector::refresh() {
    if (!m_shown)
        return setHtml(QStringLiteral("<p style='color:%1'>%2</p>")
                           .arg(Theme::of(palette()).dim.name(), tr("Nothing is shown yet.")));
    if (!m_index || *m_index >= m_shown->trace().size())
        return setHtml(summary());
    const Theme& theme = Theme::of(palette());
    QString html = QStringLiteral("<p style='font-size:large'><span "
                                  "style='background:%1;color:%1'>&nbsp;&nbsp;&nbsp;</span> <b>%2</b> "
                                  "<span style='color:%3'>#%4</span></p>")
                       .arg(theme.colour(m_shown->trace().cls(*m_index)).name(),
                            activityLabel(m_shown->trace(), *m_index).toHtmlEscaped(), theme.dim.name(),
                            numberText(m_shown->trace(), *m_index));
    if (const QString why = whyThen(*m_shown, *m_index); !why.isEmpty())
        html += QStringLiteral("<p><b>%1</b><br>%2</p>")
                    .arg(m_shown->waitOf(*m_index) ? tr("Why it started then") : tr("What it is"),
                         why.toHtmlEscaped());
    setHtml(html + rowsOf(activityFields(*m_shown, *m_index), theme));
}

QString Inspector::summary() const {
    const Trace& trace = m_shown->trace();
    const Bounds& bounds = m_shown->recording->report.bounds;
    FieldList fields;
    const auto add = [&](const QString& name, const QString& value) {
        if (!value.isEmpty())
            fields.emplace_back(name, value);
    };
    if (!trace.devices().empty())
        add(tr("Device"), fromText(trace.devices().front().name));
    add(tr("Driver"), environmentOf(trace, "driver"));
    add(tr("Source"), sourceText(trace.provenance().source));
    add(tr("Took"), durationText(bounds.measured));
    add(tr("Serial sum"), durationText(bounds.serial));
    add(tr("Best possible"), durationText(bounds.twoCopyEngines));
    add(tr("Limit"), limitText(bounds.limiting));
    add(tr("Activities"), countText(trace.size()));
    QString html = QStringLiteral("<p style='font-size:large'><b>%1</b></p>")
                       .arg(QString::fromStdString(m_shown->recording->title).toHtmlEscaped());
    if (const QString when = timeText(trace.provenance().recordedAt); !when.isEmpty())
        html += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(Theme::of(palette()).dim.name(), tr("recorded %1").arg(when).toHtmlEscaped());
    html += rowsOf(fields, Theme::of(palette()));
    if (m_shown->recording->experiment) {
        QString changed;
        for (const std::string& change : differsFromDefault(*m_shown->recording->experiment))
            changed += QString::fromStdString(change).toHtmlEscaped() + QStringLiteral("<br>");
        html += QStringLiteral("<p><b>%1</b><br>%2</p>")
                    .arg(tr("Experiment"), changed.isEmpty() ? tr("all options at their default") : changed);
    }
    return html + QStringLiteral("<p style='color:%1'>%2</p>")
                      .arg(Theme::of(palette()).dim.name(),
                           tr("Click an operation to see when it ran and why it started then."));
}

} // namespace olab
