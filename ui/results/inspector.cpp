#include "results/inspector.h"

#include "shell/look_watch.h"
#include "timeline/measure.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QClipboard>
#include <QGuiApplication>

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
    connect(this, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { copy(link == QUrl(QStringLiteral("copy:table"))); });
    new LookWatch(*this, [this] { refresh(); });
    refresh();
}

void Inspector::showActivity(const ShownPtr& shown, std::optional<ActivityIndex> index) {
    m_shown = shown;
    m_subject = std::monostate{};
    if (index && shown && *index < shown->trace().size())
        m_subject = *index;
    refresh();
}

void Inspector::showGap(const ShownPtr& shown, const Gap& gap) {
    m_shown = shown;
    m_subject = gap;
    refresh();
}

void Inspector::showRange(const ShownPtr& shown, Interval range) {
    m_shown = shown;
    m_subject = range;
    refresh();
}

void Inspector::copy(bool table) const {
    const auto* measured = std::get_if<Interval>(&m_subject);
    if (!measured || !m_shown)
        return;
    const RangeNumbers numbers = measureRange(*m_shown, *measured);
    QGuiApplication::clipboard()->setText(table ? rangeTable(*m_shown, numbers)
                                                : rangeText(*m_shown, numbers));
}

void Inspector::refresh() {
    if (!m_shown)
        return setHtml(QStringLiteral("<p style='color:%1'>%2</p>")
                           .arg(Theme::of(palette()).dim.name(), tr("Nothing is shown yet.")));
    if (const auto* index = std::get_if<ActivityIndex>(&m_subject))
        return setHtml(activity(*index));
    if (const auto* idle = std::get_if<Gap>(&m_subject))
        return setHtml(gap(*idle));
    const auto* measured = std::get_if<Interval>(&m_subject);
    setHtml(measured ? range(*measured) : summary());
}

QString Inspector::activity(ActivityIndex index) const {
    const Theme& theme = Theme::of(palette());
    QString html = QStringLiteral("<p style='font-size:large'><span "
                                  "style='background:%1;color:%1'>&nbsp;&nbsp;&nbsp;</span> <b>%2</b> "
                                  "<span style='color:%3'>#%4</span></p>")
                       .arg(theme.colour(m_shown->trace().cls(index)).name(),
                            activityLabel(m_shown->trace(), index).toHtmlEscaped(), theme.dim.name(),
                            numberText(m_shown->trace(), index));
    if (const QString why = whyThen(*m_shown, index); !why.isEmpty())
        html += QStringLiteral("<p><b>%1</b><br>%2</p>")
                    .arg(m_shown->waitOf(index) ? tr("Why it started then") : tr("What it is"),
                         why.toHtmlEscaped());
    return html + rowsOf(activityFields(*m_shown, index), theme);
}

QString Inspector::gap(const Gap& gap) const {
    return QStringLiteral("<p style='font-size:large'><b>%1</b></p><p>%2</p>%3")
        .arg(tr("Idle for %1").arg(durationText(gap.time.length())),
             gapSentence(*m_shown, gap).toHtmlEscaped(),
             rowsOf(gapFields(*m_shown, gap), Theme::of(palette())));
}

QString Inspector::range(Interval range) const {
    const RangeNumbers numbers = measureRange(*m_shown, range);
    return QStringLiteral("<p style='font-size:large'><b>%1</b></p><p><a href='copy:text'>%2</a> &nbsp; <a "
                          "href='copy:table'>%3</a></p>%4")
        .arg(tr("Measured: %1").arg(durationText(range.length())), tr("Copy text"), tr("Copy table"),
             rowsOf(rangeFields(*m_shown, numbers), Theme::of(palette())));
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
    add(tr("Best possible"), durationText(bounds.best()));
    add(bounds.best() ? tr("... limited by") : tr("... not known"), limitText(bounds.limiting));
    add(tr("Activities"), countText(trace.size()));
    QString html =
        QStringLiteral("<p style='font-size:large'><b>%1</b></p>").arg(m_shown->title().toHtmlEscaped());
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
