#include "results/inspector.h"

#include "base/look_style.h"
#include "timeline/texts/range_text.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/report_json.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>
#include <olab/view/code_chain.h>

#include <QClipboard>
#include <QGuiApplication>

namespace olab::ui {

namespace {

RichText rowsOf(const FieldList& fields, const Theme& theme) {
    RichText rows;
    for (const auto& [name, value] : fields)
        rows += RichText("<tr><td style='color:%1;padding:1px 10px 1px 0'>%2</td><td "
                         "style='padding:1px 0'>%3</td></tr>",
                         {theme.dim.name(), name, value});
    return RichText::wrap("<table cellspacing='0'>%1</table>", rows);
}

constexpr std::size_t kMostInChain = 12; ///< of Python functions there may be fifty within each other

/// "cudaLaunchKernel", "in aten::addmm", ...: each with a way there.
RichText chainOf(const QString& title, const Trace& trace, const std::vector<ActivityIndex>& chain) {
    RichText lines("<b>%1</b>", {title});
    for (std::size_t i = 0; i < chain.size() && i < kMostInChain; ++i) {
        const bool isRange = trace.cls(chain[i]) == ActivityClass::Nvtx;
        lines += RichText("<br>%1<a href='go:%2'>%3</a>",
                          {isRange ? Inspector::tr("in ") : QString(), QString::number(chain[i]),
                           activityLabel(trace, chain[i])});
    }
    if (chain.size() > kMostInChain)
        lines +=
            RichText("<br>%1", {Inspector::tr("and %1 more around it").arg(chain.size() - kMostInChain)});
    return RichText::wrap("<p>%1</p>", lines);
}

} // namespace

Inspector::Inspector(QWidget* parent)
    : QTextBrowser(parent) {
    setAccessibleName(tr("Inspector"));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // its words wrap
    document()->setDocumentMargin(10);
    connect(this, &QTextBrowser::anchorClicked, this, &Inspector::follow);
    new LookWatch(*this, [this] { refresh(); });
    refresh();
}

void Inspector::follow(const QUrl& link) {
    if (link.scheme() == QLatin1String("go"))
        emit activityChosen(link.path().toUInt());
    else
        copy(link == QUrl(QStringLiteral("copy:table")));
}

void Inspector::showActivity(const view::ViewDataPtr& shown, std::optional<ActivityIndex> index) {
    m_shown = shown;
    m_subject = std::monostate{};
    if (index && shown && *index < shown->trace().size())
        m_subject = *index;
    refresh();
}

void Inspector::showGap(const view::ViewDataPtr& shown, const view::Gap& gap) {
    m_shown = shown;
    m_subject = gap;
    refresh();
}

void Inspector::showRange(const view::ViewDataPtr& shown, Interval range) {
    m_shown = shown;
    m_subject = range;
    refresh();
}

void Inspector::copy(bool table) const {
    const auto* measured = std::get_if<Interval>(&m_subject);
    if (!measured || !m_shown)
        return;
    const view::RangeNumbers numbers = view::measureRange(*m_shown, *measured);
    QGuiApplication::clipboard()->setText(table ? rangeTable(*m_shown, numbers)
                                                : rangeText(*m_shown, numbers));
}

void Inspector::refresh() {
    if (!m_shown)
        return setRichText(*this, RichText("<p style='color:%1'>%2</p>",
                                           {Theme::of(palette()).dim.name(), tr("Nothing is shown yet.")}));
    if (const auto* index = std::get_if<ActivityIndex>(&m_subject))
        return setRichText(*this, activity(*index));
    if (const auto* idle = std::get_if<view::Gap>(&m_subject))
        return setRichText(*this, gap(*idle));
    const auto* measured = std::get_if<Interval>(&m_subject);
    setRichText(*this, measured ? range(*measured) : summary());
}

RichText Inspector::activity(ActivityIndex index) const {
    const Theme& theme = Theme::of(palette());
    RichText all("<p style='font-size:large'><span style='background:%1;color:%1'>&nbsp;&nbsp;&nbsp;</span> "
                 "<b>%2</b> <span style='color:%3'>#%4</span></p>",
                 {theme.colour(m_shown->index.looks().of(index)).name(),
                  activityLabel(m_shown->trace(), index), theme.dim.name(),
                  numberText(m_shown->trace(), index)});
    all +=
        RichText("<p><b>%1</b><br>%2", {m_shown->waitOf(index) ? tr("Why it started then") : tr("What it is"),
                                        whyThen(*m_shown, index)});
    if (const auto wait = blockedWaitOf(*m_shown, index))
        all +=
            RichText(" <a href='go:%1'>%2</a>", {QString::number(wait->blocker), tr("Go to what held it")});
    all += RichText("</p>");
    all += code(index);
    all += rowsOf(activityFields(*m_shown, index), theme);
    return all;
}

RichText Inspector::code(ActivityIndex index) const {
    const Trace& trace = m_shown->trace();
    RichText all;
    if (trace.cls(index) == ActivityClass::Nvtx)
        if (const view::WorkWithin work = view::workWithin(m_shown->facts, index); work.count > 0)
            all += RichText("<p><b>%1</b><br>%2 <a href='go:%3'>%4</a></p>",
                            {tr("What it issued"),
                             tr("%1%2 operations of the device, %3 in all.")
                                 .arg(work.isAll ? QString() : tr("More than "), countText(work.count),
                                      durationText(work.time)),
                             QString::number(work.longest), tr("Go to the longest")});
    if (const auto chain = view::codeChain(m_shown->facts, index); !chain.empty())
        all += chainOf(tr("Where it comes from"), trace, chain);
    return all;
}

RichText Inspector::gap(const view::Gap& gap) const {
    RichText all("<p style='font-size:large'><b>%1</b></p><p>%2</p>",
                 {tr("Idle for %1").arg(durationText(gap.time.length())), gapSentence(*m_shown, gap)});
    all += rowsOf(gapFields(*m_shown, gap), Theme::of(palette()));
    const auto doing = view::hostDoing(*m_shown, gap);
    if (doing.empty())
        return all;
    const Ns middle = gap.time.begin + gap.time.length() / 2;
    const auto ranges = view::rangesAround(m_shown->facts, doing.front().thread->queue, {middle, middle});
    if (!ranges.empty())
        all += chainOf(tr("The host was"), m_shown->trace(), ranges);
    return all;
}

RichText Inspector::range(Interval range) const {
    const view::RangeNumbers numbers = view::measureRange(*m_shown, range);
    RichText all("<p style='font-size:large'><b>%1</b></p><p><a href='copy:text'>%2</a> &nbsp; <a "
                 "href='copy:table'>%3</a></p>",
                 {tr("Measured: %1").arg(durationText(range.length())), tr("Copy text"), tr("Copy table")});
    all += rowsOf(rangeFields(*m_shown, numbers), Theme::of(palette()));
    return all;
}

namespace {

QString iterationsText(const analysis::JudgedPart& part) {
    const QString text = counted("%n iterations", "%n iteration", part.iterations);
    return part.unusual == 0 ? text
                             : counted("%1; %n others are left out, one took %2 for the same work",
                                       "%1; %n other is left out, it took %2 for the same work", part.unusual)
                                   .arg(text, durationText(part.longestUnusual));
}

} // namespace

RichText Inspector::summary() const {
    const Trace& trace = m_shown->trace();
    const auto report = m_shown->report();
    const analysis::Bounds& bounds = report->bounds;
    FieldList fields;
    const auto add = [&](const QString& name, const QString& value) {
        if (!value.isEmpty())
            fields.emplace_back(name, value);
    };
    if (!trace.devices().empty())
        add(tr("Device"), fromText(trace.devices().front().name));
    add(tr("Driver"), environmentOf(trace, "driver"));
    add(tr("Machine"), environmentOf(trace, "host"));
    add(tr("Source"), io::originKnown(trace) ? sourceText(trace.provenance().source) : tr("not known"));
    add(tr("Run time"), durationText(bounds.measured));
    if (report->ledger && report->ledger->part)
        add(tr("... of"), iterationsText(*report->ledger->part));
    add(tr("Back-to-back time"), durationText(bounds.serial));
    add(bounds.idealIsEstimate ? tr("Ideal (estimate)") : tr("Ideal"), durationText(bounds.ideal));
    add(bounds.ideal ? tr("... limited by") : tr("... not known"), limitText(bounds));
    add(tr("Activities"), countText(trace.size()));
    RichText all("<p style='font-size:large'><b>%1</b></p>", {titleText(*m_shown)});
    const QString dim = Theme::of(palette()).dim.name();
    if (const QString when = timeText(trace.provenance().recordedAt); !when.isEmpty())
        all += RichText("<p style='color:%1'>%2</p>", {dim, tr("recorded %1").arg(when)});
    all += rowsOf(fields, Theme::of(palette()));
    if (m_shown->recording->experiment) {
        QStringList changed;
        for (const std::string& change : experiment::differsFromDefault(*m_shown->recording->experiment))
            changed << fromText(change);
        all += RichText("<p><b>%1</b><br>%2</p>",
                        {tr("Experiment"), changed.isEmpty() ? tr("all options at their default")
                                                             : changed.join(QLatin1Char('\n'))});
    }
    all += RichText("<p style='color:%1'>%2</p>",
                    {dim, tr("Click an operation to see when it ran and why it started then.")});
    return all;
}

} // namespace olab::ui
