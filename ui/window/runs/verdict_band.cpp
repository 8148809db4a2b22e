#include "window/runs/verdict_band.h"

#include "base/look_style.h"
#include "base/page_parts.h"
#include "charts/ledger_bar.h"
#include "results/findings_parts.h"
#include "results/headline_line.h"

#include <olab/analysis/communication.h>
#include <olab/analysis/race.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

/// The first whose remedy is a change of options, in the order in which fixing pays.
const analysis::Finding* firstToTry(const analysis::Report& report) {
    for (const analysis::Finding* finding : ranked(report))
        if (!finding->tryChanges.empty())
            return finding;
    return nullptr;
}

/// "GPU idle 31 %"; nothing where `whole` is none.
void addShare(QStringList& parts, const QString& words, Ns part, Ns whole) {
    if (whole > 0)
        parts << words.arg(percentLabel(static_cast<double>(part) / static_cast<double>(whole)));
}

/// What the profiler added to the run.
Ns recordingIn(const analysis::Report& report) {
    if (!report.ledger)
        return 0;
    const auto& entries = report.ledger->entries;
    const auto tool = std::ranges::find(entries, analysis::LossCause::Tool, &analysis::LedgerEntry::cause);
    return tool == entries.end() ? 0 : tool->cost;
}

/// "675 ms in 23 iterations of 969 ms": what is judged, of a program that repeats itself.
QString judgedText(const analysis::Report& report) {
    const QString measured = durationText(*report.bounds.measured);
    const analysis::JudgedPart* part = report.ledger ? report.ledger->part.get() : nullptr;
    if (!part)
        return measured;
    Ns longest = 0;
    for (const analysis::DeviceReport& device : report.devices)
        longest = std::max(longest, device.span);
    return VerdictBand::tr("%1 in %2 iterations, of %3")
        .arg(measured, countText(part->iterations), durationText(longest));
}

QString numbersTip(const analysis::Bounds& bounds) {
    return VerdictBand::tr("Back to back %1, measured %2, %3 %4, limited by: %5.")
        .arg(durationText(bounds.serial), durationText(bounds.measured), idealName(bounds),
             durationText(bounds.ideal), limitText(bounds));
}

} // namespace

BandNumbers numbersOf(const analysis::Report& report) {
    if (!analysis::raceText(report).empty() || !report.bounds.measured)
        return {};
    const QString between = QStringLiteral(" · ");
    QStringList parts{judgedText(report)}, idleParts, more;
    if (const Ns tool = recordingIn(report); tool > 0) // the headline counts without it
        parts.front() +=
            VerdictBand::tr(" (%1 without the recording)").arg(durationText(*report.bounds.measured - tool));
    if (report.bounds.ideal)
        parts << QStringLiteral("%1 %2").arg(idealName(report.bounds), durationText(report.bounds.ideal));
    Ns idle = 0, span = 0, kernels = 0, copies = 0, hidden = 0;
    for (const analysis::DeviceReport& device : report.devices) {
        idle += device.idle;
        span += device.span;
        kernels += device.classes.at(ActivityClass::Kernel).busy;
        copies += device.derived.copyBusy;
        hidden += device.derived.kernelAndCopy;
    }
    addShare(idle > 0 ? idleParts : parts, VerdictBand::tr("GPU idle %1"), idle, span);
    addShare(more, VerdictBand::tr("kernels run %1"), kernels, span);
    addShare(more, VerdictBand::tr("copies hidden %1"), hidden, copies);
    if (const auto& all = report.communication)
        addShare(more, VerdictBand::tr("communication hidden %1"), all->all.hidden, all->all.total);
    return {parts.join(between), idleParts.join(between), more.join(between)};
}

VerdictBand::VerdictBand(QWidget* parent)
    : QWidget(parent)
    , m_headline(new HeadlineLine)
    , m_badge(makeLabel({}))
    , m_try(new QPushButton(tr("Try it")))
    , m_fix(new QPushButton(tr("Find the fix")))
    , m_line(new QWidget)
    , m_numbers(makeLabel({}))
    , m_idle(makeButton(tr("GPU idle"), QStringLiteral("gpuIdle"),
                        tr("Shows the longest time in which nothing ran"),
                        [this] {
                            if (const auto longest = recording::longestIdle(*m_shown->recording))
                                emit idleWanted(*longest);
                        }))
    , m_more(new ElidedLabel)
    , m_column(new QVBoxLayout(this)) {
    auto* top = rowIn(nullptr, {0, 0, 8, 0}, 6);
    top->addWidget(m_headline, 1);
    top->addStretch(); // without a headline the rest stays at the right, as wide as it is
    for (QWidget* each :
         {static_cast<QWidget*>(m_badge), static_cast<QWidget*>(m_try), static_cast<QWidget*>(m_fix)})
        top->addWidget(each);
    m_column->setContentsMargins(0, 4, 0, 2);
    m_column->setSpacing(3);
    m_column->addLayout(top);
    m_column->addWidget(m_line);
    auto* line = rowIn(m_line, {8, 0, 8, 0}, 12);
    line->addWidget(m_numbers);
    line->addWidget(m_idle);
    line->addWidget(m_more, 1);
    m_badge->setObjectName(QStringLiteral("badge"));
    m_try->setObjectName(QStringLiteral("tryIt"));
    m_fix->setObjectName(QStringLiteral("findTheFix"));
    m_line->setObjectName(QStringLiteral("numbers"));
    for (QLabel* each : {m_numbers, static_cast<QLabel*>(m_more)})
        each->setForegroundRole(QPalette::PlaceholderText);
    m_idle->setStyleSheet(
        QStringLiteral("border:none;padding:0;color:palette(link);text-decoration:underline;"));
    setTip(*m_fix, tr("Predicts what every change of one option would bring to the run that is shown, and "
                      "measures the best in runs interleaved with it"));
    connect(m_headline, &HeadlineLine::moreRequested, this, &VerdictBand::accountWanted);
    connect(m_fix, &QPushButton::clicked, this, &VerdictBand::fixWanted);
    connect(m_try, &QPushButton::clicked, this, [this] {
        if (const analysis::Finding* finding = firstToTry(*m_shown->report()))
            emit tryWanted(finding->tryChanges);
    });
    new LookWatch(*this, [this] { setShown(m_shown); });
    setShown(nullptr);
}

void VerdictBand::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_headline->setShown(shown);
    showBadge();
    showButtons();
    showBar();
    showNumbers();
}

void VerdictBand::setLow(bool low) {
    if (std::exchange(m_isLow, low) == low)
        return;
    showBar();
    showNumbers();
}

void VerdictBand::showBadge() {
    const QString badge = m_shown ? fromText(m_shown->recording->badge()) : QString();
    m_badge->setText(badge);
    m_badge->setAccessibleName(tr("What is shown: %1").arg(badge));
    m_badge->setVisible(!badge.isEmpty());
    if (badge.isEmpty())
        return;
    setTip(*m_badge, m_shown->recording->trust().empty()
                         ? tr("What is shown was not measured by this window just now")
                         : sentence(m_shown->recording->trust()));
    const QColor fill = Theme::of(palette()).colour(analysis::VerdictKind::Partial);
    m_badge->setStyleSheet(
        QStringLiteral("background:%1;color:%2;border-radius:3px;padding:1px 8px;font-weight:bold;")
            .arg(fill.name(), inkOn(fill).name()));
}

/// Of a file that does not say how it was made nothing can be changed.
void VerdictBand::showButtons() {
    const bool has = m_shown && m_shown->recording->experiment;
    const auto report = has ? m_shown->report() : nullptr;
    const analysis::Finding* finding = has ? firstToTry(*report) : nullptr;
    m_try->setVisible(finding != nullptr);
    m_fix->setVisible(has);
    if (!finding)
        return;
    QStringList changes;
    for (const auto& [key, value] : finding->tryChanges)
        changes << fromText(key + "=" + value);
    setTip(*m_try, tr("Runs the same experiment with %1, or opens its recording, and shows both runs")
                       .arg(changes.join(QStringLiteral(", "))));
}

void VerdictBand::showBar() {
    delete std::exchange(m_bar, nullptr);
    const view::AccountPtr account = m_shown ? m_shown->account() : nullptr;
    const bool makesRoom = m_isLow && ViewStyle::of(font()).projector();
    if (makesRoom || !account || !account->ledger().missing.empty() || m_headline->accessibleName().isEmpty())
        return;
    m_bar =
        new LedgerBar(account->ledger(), Theme::of(palette()), ViewStyle::of(font()).smallFont(font()), this);
    m_column->insertWidget(1, m_bar);
    m_bar->show();
    connect(m_bar, &LedgerBar::pieceChosen, this, &VerdictBand::causeChosen);
    connect(m_bar, &LedgerBar::choiceEnded, this, &VerdictBand::causeLeft);
    setChosen(m_chosen);
}

void VerdictBand::setChosen(const std::vector<analysis::LossCause>& causes) {
    m_chosen = causes;
    if (!m_bar)
        return;
    const auto& entries = m_shown->account()->ledger().entries;
    const auto found = std::ranges::find_if(entries, [&](const analysis::LedgerEntry& entry) {
        return !causes.empty() && entry.cause == causes.front();
    });
    m_bar->setChosen(found == entries.end() ? std::nullopt
                                            : std::optional<std::size_t>(found - entries.begin()));
}

void VerdictBand::showNumbers() {
    const auto report = m_shown ? m_shown->report() : nullptr;
    const BandNumbers numbers = report ? numbersOf(*report) : BandNumbers();
    m_numbers->setText(numbers.run);
    if (!numbers.idle.isEmpty())
        m_idle->setText(numbers.idle);
    m_idle->setVisible(!numbers.idle.isEmpty());
    m_more->setText(numbers.more);
    m_line->setVisible(!m_isLow && !numbers.run.isEmpty());
    for (QLabel* each : {m_numbers, static_cast<QLabel*>(m_more)})
        if (report)
            setTip(*each, numbersTip(report->bounds));
}

} // namespace olab::ui
