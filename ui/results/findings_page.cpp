#include "results/findings_page.h"

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/page_parts.h"
#include "results/findings_parts.h"
#include "results/ledger_row.h"
#include "results/verdict_strip.h"

#include <olab/analysis/costly_waits.h>
#include <olab/analysis/ideal.h>
#include <olab/analysis/race.h>
#include <olab/analysis/rules.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QPushButton>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kProgressSteps = 1000;
constexpr std::size_t kMostDefects = 50; // nobody reads more, and each is laid out

QString changeText(const std::vector<std::pair<std::string, std::string>>& changes) {
    QStringList parts;
    for (const auto& [key, value] : changes)
        parts << actionText(fromText(key + "=" + value));
    return parts.join(QStringLiteral(", "));
}

QString statusText(const analysis::Finding& finding, const view::ViewData& shown) {
    const bool simulated = shown.trace().provenance().source == SourceKind::Simulated;
    return fromText(analysis::findingStatusText(finding.status, simulated));
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
        return FindingsPage::tr("No rule explains why this took %1 and not the ideal %2. The rows "
                                "below say what held the run up.")
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
    scrollPage(*this);
    setAccessibleName(tr("Findings"));
    new LookWatch(*this, [this] { refine(m_shown); });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_kept.clear(); });
    setShown(nullptr);
}

void FindingsPage::setShown(const view::ViewDataPtr& shown) {
    m_kept.clear();
    m_shown = shown;
    rebuild();
}

void FindingsPage::refine(const view::ViewDataPtr& shown) {
    const QString top = m_kept.isEmpty() ? topCard() : m_kept;
    m_shown = shown;
    rebuild();
    bringIntoView(top.toStdString());
}

/// The id of the card that is read; empty: the page stands at its beginning.
QString FindingsPage::topCard() const {
    const int at = verticalScrollBar()->value();
    for (const QFrame* card : findChildren<QFrame*>(QStringLiteral("card")))
        if (at > 0 && card->geometry().bottom() > at)
            return card->property(FindingCard::kFindingId).toString();
    return {};
}

void FindingsPage::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    scrollToKept(); // its card lies elsewhere in another width
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
            if (card->property(FindingCard::kFindingId).toString() == m_kept)
                return verticalScrollBar()->setValue(card->y());
    });
}

void FindingsPage::setWorking(bool working, bool busy) {
    const bool same = std::exchange(m_working, working) == working;
    if (std::exchange(m_busy, busy) != busy || !same)
        if (!m_shown || !m_shown->account() || !m_shown->steadyState()) // else it says nothing of it
            refine(m_shown);
}

void FindingsPage::setFindsIteration(bool finds) {
    if (std::exchange(m_findsIteration, finds) != finds)
        refine(m_shown);
}

void FindingsPage::setProgress(double share) {
    if (m_steady)
        m_steady->setProgress(share);
    if (!m_progress)
        return;
    m_progress->setRange(0, share < 0 ? 0 : kProgressSteps); // no range: it only moves
    if (share >= 0)
        m_progress->setValue(static_cast<int>(share * kProgressSteps));
}

void FindingsPage::setSimulates(bool simulates) {
    if (std::exchange(m_simulates, simulates) != simulates)
        refine(m_shown);
}

void FindingsPage::choose(std::size_t entry) {
    LedgerRow* row = m_causes[m_shown->account()->ledger().entries[entry].cause];
    ensureWidgetVisible(row, 0, 0);
    row->step(+1);
}

// --- built

void FindingsPage::rebuild() {
    m_causes.clear();
    auto* page = new WrappingPage;
    m_column = columnIn(page, {12, 8, 12, 8}, 6);
    if (!m_shown) {
        m_column->addWidget(
            wrappingLabel(tr("Says what held the pipeline back and what each cause cost, and offers to try "
                             "the remedy.")));
    } else {
        const auto report = m_shown->report();
        const view::AccountPtr account = m_shown->account();
        const bool isWrong = !analysis::raceText(m_shown->recording->report).empty();
        const analysis::Ledger* ledger =
            account && !isWrong && account->ledger().missing.empty() ? &account->ledger() : nullptr;
        if (!account && !isWrong)
            addOffer();
        addCards(*report, ledger);
        if (ledger)
            addRest(*ledger);
        else if (account && !isWrong)
            m_column->addWidget(wrappingLabel(sentence(account->ledger().missing)));
        if (!isWrong) {
            addWaits();
            addSteadyState();
        }
        addVerdicts(*report);
        addOftenBlamed(*report);
        addDataQuality(*report);
    }
    m_column->addStretch(1);
    setWidget(page); // deletes the page before
    keepTabOrderIn(*this);
}

/// What the recording itself took is a row behind them.
void FindingsPage::addCards(const analysis::Report& report, const analysis::Ledger* ledger) {
    const Theme& theme = Theme::of(palette());
    for (const analysis::Finding* finding : ranked(report)) {
        const analysis::LedgerEntry* entry = nullptr;
        for (const analysis::LedgerEntry& each :
             ledger ? std::span(ledger->entries) : std::span<const analysis::LedgerEntry>())
            if (analysis::lossCauseId(each.cause) == finding->id)
                entry = &each;
        if (entry && entry->cause == analysis::LossCause::Tool)
            continue;
        auto* card = new FindingCard(*finding,
                                     entry ? rowOf(*entry, *ledger, finding, theme)
                                           : rowOf(*finding, statusText(*finding, *m_shown), theme),
                                     tryButton(*finding));
        follow(card->row(), entry ? entry->cause : analysis::LossCause::None);
        connect(card, &FindingCard::showRequested, this, &FindingsPage::timelineWanted);
        connect(card, &FindingCard::claimsRequested, this, &FindingsPage::claimsRequested);
        m_column->addWidget(card);
    }
    if (report.findings.empty())
        m_column->addWidget(wrappingLabel(nothingFound(report)));
}

/// Causes too small for a finding, what the recording took, the ideal and what the model misses.
void FindingsPage::addRest(const analysis::Ledger& ledger) {
    const Theme& theme = Theme::of(palette());
    std::vector<const analysis::LedgerEntry*> rest;
    for (const analysis::LedgerEntry& entry : ledger.entries)
        if (!m_causes.contains(entry.cause))
            rest.push_back(&entry);
    std::stable_partition(rest.begin(), rest.end(),
                          [](const auto* entry) { // clang 14 cannot read that of ranges
                              return entry->cause != analysis::LossCause::Tool;
                          });
    for (const analysis::LedgerEntry* entry : rest)
        addRow(rowOf(*entry, ledger, nullptr, theme), entry->cause);
    for (const LedgerPiece& piece : ledgerPieces(ledger))
        if (piece.kind == LedgerPiece::Kind::Unexplained || piece.kind == LedgerPiece::Kind::Ideal)
            m_column->addWidget(new LedgerRow(rowOf(piece, ledger, theme)));
    if (ledger.ifIndependent.gain > 0)
        addRow(rowOf(ledger.ifIndependent, ledger, theme), analysis::LossCause::None)
            ->setObjectName(QStringLiteral("ifIndependent"));
    m_column->addWidget(wrappingLabel(sumText(ledger)));
}

LedgerRow* FindingsPage::addRow(LedgerRowText text, analysis::LossCause cause) {
    auto* row = new LedgerRow(std::move(text));
    m_column->addWidget(row);
    follow(*row, cause);
    return row;
}

void FindingsPage::follow(LedgerRow& row, analysis::LossCause cause) {
    if (cause != analysis::LossCause::None)
        m_causes.emplace(cause, &row);
    connect(&row, &LedgerRow::placeChosen, this,
            [this, cause](quint32 activity) { emit placeChosen(activity, cause); });
}

/// Null: nothing can be tried.
QPushButton* FindingsPage::tryButton(const analysis::Finding& finding) {
    const view::ViewData& shown = *m_shown;
    if (!shown.recording->experiment || finding.tryChanges.empty())
        return nullptr;
    const bool warns = m_simulates && shown.trace().provenance().source != SourceKind::Simulated;
    const bool isRecorded = warns && m_hasRecording && m_hasRecording(shown, finding.tryChanges);
    auto* button = new QPushButton((isRecorded ? tr("Try it, recorded: %1")
                                    : warns    ? tr("Try it, simulated: %1")
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

/// Where to look first in a program of somebody's: each with the code that it belongs to.
void FindingsPage::addWaits() {
    if (m_shown->recording->experiment)
        return;
    const view::AccountPtr account = m_shown->account();
    const auto waits = analysis::costliestWaits(m_shown->facts, account ? account->sharedLedger() : nullptr);
    if (waits.empty())
        return;
    m_column->addWidget(headingLabel(tr("Longest waits, each since the operation before it in its stream")));
    for (const analysis::CostlyWait& costly : waits) {
        auto* row = new LedgerRow(rowOf(costly, *m_shown, Theme::of(palette())));
        row->setObjectName(QStringLiteral("costlyWait"));
        m_column->addWidget(row);
        connect(row, &LedgerRow::placeChosen, this,
                [this, cause = costly.wait.cause](quint32 activity) { emit placeChosen(activity, cause); });
    }
}

void FindingsPage::addSteadyState() {
    if (!SteadySection::hasWords(*m_shown))
        return;
    using State = SteadySection::State;
    m_steady = new SteadySection(*m_shown, m_findsIteration ? State::Working
                                           : m_busy         ? State::Busy
                                                            : State::Ready);
    connect(m_steady, &SteadySection::requested, this, &FindingsPage::iterationRequested);
    connect(m_steady, &SteadySection::cancelRequested, this, &FindingsPage::cancelRequested);
    connect(m_steady, &SteadySection::iterationChosen, this, &FindingsPage::iterationChosen);
    m_column->addWidget(m_steady);
}

/// A long recording: minutes of nobody's time unless somebody wants to know.
void FindingsPage::addOffer() {
    const auto operations = m_shown->facts.deviceWork().size();
    m_column->addWidget(
        wrappingLabel(m_working ? counted("Working out where the time of %n operations went...",
                                          "Working out where the time of %n operation went...", operations)
                                : tr("This recording has %1 operations of a device. Above %2 the account of "
                                     "where the time went is made on demand: it plays the run tens of times.")
                                      .arg(countText(operations), countText(recording::kAccountAtOnce))));
    if (m_working) {
        m_progress = new QProgressBar;
        m_progress->setAccessibleName(tr("How far the account is"));
        setProgress(-1);
        m_column->addWidget(m_progress);
    }
    auto* button = makeButton(m_working ? tr("Cancel") : tr("Work it out"), QStringLiteral("account"));
    button->setEnabled(m_working || !m_busy);
    setTip(*button, m_working ? tr("Stops it; nothing is lost")
                    : m_busy  ? tr("Something else is running: cancel it (Esc) or wait for it")
                             : tr("Says what held the run up and what each cause cost; it can be cancelled"));
    connect(button, &QPushButton::clicked, this,
            m_working ? &FindingsPage::cancelRequested : &FindingsPage::accountRequested);
    m_column->addWidget(button, 0, Qt::AlignLeft);
}

void FindingsPage::addVerdicts(const analysis::Report& report) {
    const auto verdicts = comparison::allVerdicts(report);
    if (!verdicts.empty())
        m_column->addWidget(headingLabel(tr("What the verdicts say")));
    for (const analysis::Verdict* verdict : verdicts)
        addTextRow(*m_column, pairName(report, *verdict),
                   verdict->minor() ? minorText(*verdict) : sentence(verdict->text));
}

void FindingsPage::addOftenBlamed(const analysis::Report& report) {
    const auto add = [&](const QString& title, const QStringList& texts) {
        if (!texts.isEmpty())
            addFolded(*m_column, title, wrappingLabel(texts.join(QStringLiteral("\n"))));
    };
    QStringList blamed, hidden;
    for (const analysis::NotCause& one : report.notCauses)
        blamed << sentence(one.text);
    for (const analysis::NotObservable& one : report.notObservable)
        hidden << sentence(one.text);
    add(tr("Often blamed, and not the cause here (%1)").arg(blamed.size()), blamed);
    add(tr("What these records cannot show (%1)").arg(hidden.size()), hidden);
}

void FindingsPage::addDataQuality(const analysis::Report& report) {
    if (!report.defects.empty())
        m_column->addWidget(headingLabel(tr("About the data")));
    std::vector<const Defect*> worst;
    for (const Defect& defect : report.defects)
        worst.push_back(&defect);
    std::ranges::stable_sort(worst, std::greater(), &Defect::severity);
    for (const Defect* defect : std::span(worst).first(std::min(worst.size(), kMostDefects)))
        addTextRow(*m_column, fromText(severityName(defect->severity())),
                   QStringLiteral("%1 (%2)").arg(sentence(defect->text())).arg(defect->count));
    if (worst.size() > kMostDefects)
        m_column->addWidget(wrappingLabel(
            tr("And %1 more: olab analyze lists all of them.").arg(worst.size() - kMostDefects)));
    if (!report.abstained.empty())
        m_column->addWidget(headingLabel(tr("Rules that could not judge")));
    for (const analysis::Abstention& abstention : report.abstained)
        addTextRow(*m_column, fromText(abstention.rule), tr("lacks %1").arg(sentence(abstention.lacks)));
}

} // namespace olab::ui
