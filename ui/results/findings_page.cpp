#include "results/findings_page.h"

#include "base/look_watch.h"
#include "base/page_parts.h"
#include "base/plain_text.h"
#include "base/tab_order.h"
#include "results/folded.h"
#include "results/verdict_strip.h"

#include <olab/analysis/ideal.h>
#include <olab/analysis/race.h>
#include <olab/analysis/rules.h>
#include <olab/claims/claim_words.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>
#include <olab/ui/view_style.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace olab::ui {

namespace {

constexpr const char* kFindingId = "finding";
constexpr std::size_t kMostDefects = 50; // nobody reads more, and each is laid out

QString changeText(const std::vector<std::pair<std::string, std::string>>& changes) {
    QStringList parts;
    for (const auto& [key, value] : changes)
        parts << actionText(fromText(key + "=" + value));
    return parts.join(QStringLiteral(",\n")); // one line each: the text beside the button needs the room
}

QString statusText(const analysis::Finding& finding, const view::ViewData& shown) {
    const bool simulated = shown.trace().provenance().source == SourceKind::Simulated;
    return fromText(analysis::findingStatusText(finding.status, simulated));
}

QString lostText(const analysis::Finding& finding, const view::ViewData& shown) {
    if (finding.lost > 0)
        return FindingsPage::tr("%1\nlost").arg(durationText(finding.lost));
    return finding.waited > 0 ? FindingsPage::tr("hidden") : statusText(finding, shown);
}

/// No finding does not mean that nothing was lost.
QString nothingFound(const analysis::Report& report) {
    if (!analysis::raceText(report).empty())
        return FindingsPage::tr("What came out is wrong, so there is nothing to find in how long it took.");
    if (report.abstained.size() >= analysis::ruleTable().size())
        return FindingsPage::tr("No rule could judge this run: what each one lacks is said below.");
    const bool isFar = analysis::isFarFromIdeal(report.bounds);
    if (!report.abstained.empty() && !report.bounds.efficiency && !isFar)
        return FindingsPage::tr("No rule that could judge found anything that held this pipeline back; what "
                                "the others lack is said below.");
    if (!isFar)
        return FindingsPage::tr("No rule found anything that held this pipeline back.");
    if (report.ledger && report.ledger->missing.empty())
        return FindingsPage::tr("No rule explains why this took %1 and not the ideal %2. The page "
                                "Where the time went says what held the run up.")
            .arg(durationText(report.bounds.measured), durationText(report.bounds.ideal));
    return FindingsPage::
        tr("No rule explains why this took %1 and not %2 (the ideal, an estimate). The gaps of the engines "
           "tell more: click a row and press ] to go through them; the inspector says what the host did "
           "meanwhile.")
            .arg(durationText(report.bounds.measured), durationText(report.bounds.ideal));
}

} // namespace

FindingsPage::FindingsPage(QWidget* parent)
    : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Findings"));
    new LookWatch(*this, [this] { refine(m_shown); });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_kept.clear(); });
    setShown(nullptr);
}

void FindingsPage::setShown(const view::ViewDataPtr& shown) {
    m_kept.clear();
    build(shown);
}

void FindingsPage::refine(const view::ViewDataPtr& shown) {
    const QString top = m_kept.isEmpty() ? topCard() : m_kept;
    build(shown);
    bringIntoView(top.toStdString());
}

/// The id of the card that is read; empty: the page stands at its beginning.
QString FindingsPage::topCard() const {
    const int at = verticalScrollBar()->value();
    for (const QFrame* card : findChildren<QFrame*>(QStringLiteral("card")))
        if (at > 0 && card->geometry().bottom() > at)
            return card->property(kFindingId).toString();
    return {};
}

void FindingsPage::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    scrollToKept(); // its card lies elsewhere in another width
}

void FindingsPage::build(const view::ViewDataPtr& shown) {
    m_shown = shown;
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(7);
    if (!shown) {
        column->addWidget(
            wrappingLabel(tr("Findings say what held the pipeline back, and offer to try the remedy.")));
    } else {
        const auto known = shown->report();
        const analysis::Report& report = *known;
        for (const analysis::Finding& finding : report.findings)
            column->addWidget(findingCard(finding, *shown));
        if (report.findings.empty())
            column->addWidget(wrappingLabel(nothingFound(report)));
        addVerdicts(report, column);
        addOftenBlamed(report, *column);
        addDataQuality(report, column);
    }
    column->addStretch(1);
    setWidget(page); // deletes the page before
    keepTabOrderIn(*this);
}

void FindingsPage::setSimulates(bool simulates) {
    if (std::exchange(m_simulates, simulates) != simulates)
        refine(m_shown);
}

QPushButton* FindingsPage::tryButton(const analysis::Finding& finding, const view::ViewData& shown) {
    const bool warns = m_simulates && shown.trace().provenance().source != SourceKind::Simulated;
    const bool isRecorded = warns && m_hasRecording && m_hasRecording(shown, finding.tryChanges);
    auto* button = new QPushButton((isRecorded ? tr("Try it, recorded:\n%1")
                                    : warns    ? tr("Try it, simulated:\n%1")
                                               : tr("Try it: %1"))
                                       .arg(changeText(finding.tryChanges)));
    setTip(*button, isRecorded
                        ? tr("Opens the recording of the same experiment with this one change, which comes "
                             "with the program, and shows both runs")
                    : warns ? tr("Runs the same experiment with this one change on the simulator, since that "
                                 "is chosen, and shows both runs: what is shown was measured, so compare the "
                                 "words, not the times")
                            : tr("Runs the same experiment with this one change and shows both runs"));
    connect(button, &QPushButton::clicked, this,
            [this, changes = finding.tryChanges] { emit tryRequested(changes); });
    return button;
}

void FindingsPage::bringIntoView(std::string_view finding) {
    m_kept = exactText(finding);
    scrollToKept();
}

void FindingsPage::scrollToKept() {
    if (m_kept.isEmpty())
        return;
    QTimer::singleShot(0, this, [this] { // when the cards have their heights
        for (const QFrame* card : findChildren<QFrame*>(QStringLiteral("card")))
            if (card->property(kFindingId).toString() == m_kept)
                return verticalScrollBar()->setValue(card->y());
    });
}

QWidget* FindingsPage::findingCard(const analysis::Finding& finding, const view::ViewData& shown) {
    const bool canTry = shown.recording->experiment != nullptr;
    const Theme& theme = Theme::of(palette());
    auto* card = new QFrame;
    card->setObjectName(QStringLiteral("card"));
    card->setProperty(kFindingId, exactText(finding.id));
    card->setStyleSheet(
        QStringLiteral("#card{background:%1;border:1px solid %2;border-left:4px solid %3;border-radius:4px;}")
            .arg(theme.raised.name(), theme.line.name(),
                 (finding.lost > 0 ? theme.colour(ActivityClass::MemcpyD2H) : theme.accent).name()));
    auto* row = new QHBoxLayout(card);
    row->setContentsMargins(12, 8, 10, 8);
    row->setSpacing(12);
    auto* lost = headingLabel(lostText(finding, shown));
    lost->setFixedWidth(ViewStyle::of(lost->font()).scaled(72));
    setTip(*lost, tr("%1: %2").arg(fromText(finding.id), statusText(finding, shown)));
    row->addWidget(lost, 0, Qt::AlignTop); // seen also where there is room for a part of the card only
    auto* texts = new QVBoxLayout;
    texts->setSpacing(3);
    texts->addWidget(wrappingLabel(sentence(finding.text)));
    if (!finding.remedy.empty()) {
        auto* remedy = wrappingLabel(sentence(finding.remedy));
        remedy->setStyleSheet(QStringLiteral("color:%1;").arg(theme.dim.name()));
        texts->addWidget(remedy);
    }
    if (!finding.why.empty()) {
        auto* button = addFolded(*texts, tr("Why?"), wrappingLabel(sentence(finding.why)));
        button->setFlat(true);
        setTip(*button, tr("How this cause holds a run up, with the numbers of this one"));
    }
    row->addLayout(texts, 1);
    auto* buttons = new QVBoxLayout;
    if (canTry && !finding.tryChanges.empty())
        buttons->addWidget(tryButton(finding, shown));
    if (!finding.activities.empty()) {
        auto* button = new QPushButton(tr("Show in timeline"));
        setTip(*button, tr("Shows the worst case, #%1: from the start of its wait, with what held it")
                            .arg(numberText(shown.trace(), finding.activities.front())));
        connect(button, &QPushButton::clicked, this,
                [this, index = finding.activities.front()] { emit activityChosen(index); });
        buttons->addWidget(button);
    }
    if (QPushButton* claims = claimsButton(finding))
        buttons->addWidget(claims);
    row->addLayout(buttons);
    return card;
}

/// Null: no claim is decided by it.
QPushButton* FindingsPage::claimsButton(const analysis::Finding& finding) {
    QStringList ids;
    for (const std::string& id : claims::claimsAbout(finding.id))
        ids << exactText(id);
    if (ids.isEmpty())
        return nullptr;
    auto* button = new QPushButton(ids.size() == 1 ? tr("Claim %1").arg(ids.front())
                                                   : counted("%n claims about it", "%n claim about it",
                                                             static_cast<std::uint64_t>(ids.size())));
    button->setObjectName(QStringLiteral("claimsAbout"));
    setTip(*button, tr("What is claimed about this, what is documented and what was measured: %1")
                        .arg(ids.join(QStringLiteral(", "))));
    connect(button, &QPushButton::clicked, this, [this, ids] { emit claimsRequested(ids); });
    return button;
}

void FindingsPage::addVerdicts(const analysis::Report& report, QVBoxLayout* column) {
    const auto verdicts = comparison::allVerdicts(report);
    if (!verdicts.empty())
        column->addWidget(headingLabel(tr("What the verdicts say")));
    for (const analysis::Verdict* verdict : verdicts)
        addTextRow(*column, pairName(report, *verdict),
                   verdict->minor() ? minorText(*verdict) : sentence(verdict->text));
}

void FindingsPage::addOftenBlamed(const analysis::Report& report, QVBoxLayout& column) {
    const auto add = [&](const QString& title, const QStringList& texts) {
        if (!texts.isEmpty())
            addFolded(column, title, wrappingLabel(texts.join(QStringLiteral("\n"))));
    };
    QStringList blamed, hidden;
    for (const analysis::NotCause& one : report.notCauses)
        blamed << sentence(one.text);
    for (const analysis::NotObservable& one : report.notObservable)
        hidden << sentence(one.text);
    add(tr("Often blamed, and not the cause here (%1)").arg(blamed.size()), blamed);
    add(tr("What these records cannot show (%1)").arg(hidden.size()), hidden);
}

void FindingsPage::addDataQuality(const analysis::Report& report, QVBoxLayout* column) {
    if (!report.defects.empty())
        column->addWidget(headingLabel(tr("About the data")));
    std::vector<const Defect*> worst;
    for (const Defect& defect : report.defects)
        worst.push_back(&defect);
    std::ranges::stable_sort(worst, std::greater(), &Defect::severity);
    for (const Defect* defect : std::span(worst).first(std::min(worst.size(), kMostDefects)))
        addTextRow(*column, fromText(severityName(defect->severity())),
                   QStringLiteral("%1 (%2)").arg(sentence(defect->text())).arg(defect->count));
    if (worst.size() > kMostDefects)
        column->addWidget(wrappingLabel(
            tr("And %1 more: olab analyze lists all of them.").arg(worst.size() - kMostDefects)));
    if (!report.abstained.empty())
        column->addWidget(headingLabel(tr("Rules that could not judge")));
    for (const analysis::Abstention& abstention : report.abstained)
        addTextRow(*column, fromText(abstention.rule), tr("lacks %1").arg(sentence(abstention.lacks)));
}

} // namespace olab::ui
