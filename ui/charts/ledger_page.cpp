#include "charts/ledger_page.h"

#include "base/look_watch.h"
#include "base/page_parts.h"
#include "base/plain_text.h"
#include "base/tab_order.h"
#include "charts/ledger_row.h"
#include "charts/steady_section.h"

#include <olab/analysis/costly_waits.h>
#include <olab/analysis/race.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/view_style.h>

#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kProgressSteps = 1000;

QLabel* wrapping(const QString& text, bool bold = false) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    label->setMinimumWidth(1); // no long word makes the page wider than it is
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QFont font = label->font();
    font.setBold(bold);
    label->setFont(font);
    return label;
}

/// "24.6 ms · 65 %"; of what is less than one per cent no share.
QString amountOf(Ns part, const analysis::Ledger& ledger) {
    const double share = static_cast<double>(part) / static_cast<double>(std::max<Ns>(ledger.measured, 1));
    return share < 0.01 ? durationText(part)
                        : QStringLiteral("%1 · %2").arg(durationText(part), percentLabel(share));
}

/// What the sentence does not say already: what mending it alone brings, where that is another number, and
/// all the waiting.
QString factsOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger) {
    QStringList facts;
    const QString said = sentence(entry.text);
    const auto add = [&](const QString& words, Ns time) {
        if (!said.contains(durationText(time)))
            facts << words.arg(durationText(time));
    };
    const double differs = std::abs(static_cast<double>(entry.gain - entry.cost));
    if (differs > 3 * analysis::kSmallCost * static_cast<double>(ledger.measured))
        add(LedgerPage::tr("fixing this alone saves %1"), std::max<Ns>(entry.gain, 0));
    if (entry.waited > 0)
        add(LedgerPage::tr("waited %1 in all"), entry.waited);
    if (entry.cost <= 0)
        facts << LedgerPage::tr("hidden: costs nothing");
    return facts.join(QStringLiteral(" · "));
}

LedgerRowText rowOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger, const Theme& theme) {
    LedgerRowText row;
    row.title = causeTitle(entry.cause);
    row.amount = entry.cost > 0 ? amountOf(entry.cost, ledger) : LedgerPage::tr("costs nothing");
    row.sentence = sentence(entry.text);
    row.facts = factsOf(entry, ledger);
    row.fill = hatchedBrush(theme.colour(entry.cause), hatchOf(entry.cause));
    row.places = entry.activities;
    return row;
}

/// "issued by cudaLaunchKernel in forward, in ProfilerStep#3 · at 1.20 s"
QString placeOf(const analysis::CostlyWait& costly, const view::ViewData& shown) {
    const Trace& trace = shown.trace();
    const auto name = [&trace](ActivityIndex row) {
        return cutText(fromText(trace.text(trace.nameOf(row))), kLongestLine / 2);
    };
    QStringList ranges;
    for (const ActivityIndex range : costly.ranges)
        ranges << LedgerPage::tr("in %1").arg(name(range));
    const QString at = LedgerPage::tr("at %1").arg(durationText(costly.own.begin - shown.zero()));
    if (costly.call == kNoActivity)
        return at;
    QString code = LedgerPage::tr("issued by %1").arg(name(costly.call));
    if (!ranges.isEmpty())
        code += QLatin1Char(' ') + ranges.join(QStringLiteral(", "));
    return code + QStringLiteral(" · ") + at;
}

LedgerRowText rowOf(const analysis::CostlyWait& costly, const view::ViewData& shown, const Theme& theme) {
    LedgerRowText row;
    row.title = sentence(analysis::activityName(shown.facts, costly.wait.op));
    row.amount = durationText(costly.own.length());
    row.sentence = causeTitle(costly.wait.cause);
    if (costly.wait.blocker != kNoActivity && costly.wait.blocker != costly.call)
        row.sentence =
            LedgerPage::tr("%1, for %2")
                .arg(row.sentence, sentence(analysis::activityName(shown.facts, costly.wait.blocker)));
    row.facts = placeOf(costly, shown);
    row.fill = hatchedBrush(theme.colour(costly.wait.cause), hatchOf(costly.wait.cause));
    row.places = {costly.wait.op};
    return row;
}

QString idealSentence(const analysis::Ledger& ledger) {
    const QString text =
        LedgerPage::tr("What this pipeline needs: the same work in the same streams on the same engines, "
                       "without any of the causes.");
    return ledger.cut <= 0
               ? text
               : text + LedgerPage::tr(" The ideal run of the model is %1 longer than the run, so "
                                       "the run itself is taken for it.")
                            .arg(durationText(ledger.cut));
}

QString textOf(const LedgerPiece& piece, const analysis::Ledger& ledger) {
    if (piece.kind == LedgerPiece::Kind::Ideal)
        return idealSentence(ledger);
    return LedgerPage::tr("Model error: %1.").arg(modelErrorText(ledger));
}

LedgerRowText rowOf(const LedgerPiece& piece, const analysis::Ledger& ledger, const Theme& theme) {
    LedgerRowText row;
    row.title = titleOf(piece);
    row.amount =
        (piece.length < 0 ? QStringLiteral("−") : QString()) + amountOf(std::abs(piece.length), ledger);
    row.sentence = textOf(piece, ledger);
    row.fill = hatchedBrush(colourOf(piece, theme), hatchOf(piece));
    return row;
}

/// Beside the account: only the author of the program knows whether it holds.
LedgerRowText rowOf(const analysis::IfIndependent& told, const analysis::Ledger& ledger, const Theme& theme) {
    LedgerRowText row;
    row.title = LedgerPage::tr("if kernels in a row do not need each other");
    row.amount = LedgerPage::tr("up to %1 less").arg(amountOf(told.gain, ledger));
    row.sentence = sentence(told.text);
    row.fill = hatchedBrush(theme.ideal, Qt::BDiagPattern);
    row.places = told.activities;
    return row;
}

} // namespace

LedgerPage::LedgerPage(QWidget* parent)
    : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Where the time went"));
    new LookWatch(*this, [this] { rebuild(); });
    rebuild();
}

void LedgerPage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    rebuild();
}

void LedgerPage::setWorking(bool working, bool busy) {
    const bool same = std::exchange(m_working, working) == working;
    if (std::exchange(m_busy, busy) != busy || !same)
        if (!m_shown || !m_shown->account() || !m_shown->steadyState()) // else it says nothing of it
            rebuild();
}

void LedgerPage::setFindsIteration(bool finds) {
    if (std::exchange(m_findsIteration, finds) != finds)
        rebuild();
}

void LedgerPage::setProgress(double share) {
    if (m_steady)
        m_steady->setProgress(share);
    if (!m_progress)
        return;
    m_progress->setRange(0, share < 0 ? 0 : kProgressSteps); // no range: it only moves
    if (share >= 0)
        m_progress->setValue(static_cast<int>(share * kProgressSteps));
}

void LedgerPage::rebuild() {
    m_causes.clear();
    auto* page = new WrappingPage;
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    const view::AccountPtr account = m_shown ? m_shown->account() : nullptr;
    if (!m_shown)
        column->addWidget(wrapping(tr("Says what a run needs, and what each cause added to it.")));
    else if (!analysis::raceText(m_shown->recording->report).empty())
        column->addWidget(
            wrapping(tr("What came out is wrong, so how long it took is no account of anything.")));
    else if (!account)
        addOffer(*column);
    else if (!account->ledger().missing.empty())
        column->addWidget(wrapping(sentence(account->ledger().missing)));
    else
        addLedger(account->ledger(), *column);
    addWaits(*column);
    addSteadyState(*column);
    column->addStretch(1);
    setWidget(page); // deletes the page before
    keepTabOrderIn(*this);
}

void LedgerPage::addLedger(const analysis::Ledger& ledger, QVBoxLayout& column) {
    const Theme& theme = Theme::of(palette());
    column.addWidget(wrapping(sentence(ledger.headline), true));
    column.addWidget(wrapping(sumText(ledger)));
    for (const analysis::LedgerEntry& entry : ledger.entries) {
        m_causes.push_back(new LedgerRow(rowOf(entry, ledger, theme)));
        column.addWidget(m_causes.back());
        connect(m_causes.back(), &LedgerRow::placeChosen, this,
                [this, cause = entry.cause](quint32 activity) { emit placeChosen(activity, cause); });
    }
    for (const LedgerPiece& piece : ledgerPieces(ledger))
        if (piece.kind == LedgerPiece::Kind::Unexplained || piece.kind == LedgerPiece::Kind::Ideal)
            column.addWidget(new LedgerRow(rowOf(piece, ledger, theme)));
    if (ledger.ifIndependent.gain > 0) {
        auto* row = new LedgerRow(rowOf(ledger.ifIndependent, ledger, theme));
        row->setObjectName(QStringLiteral("ifIndependent"));
        column.addWidget(row);
        connect(row, &LedgerRow::placeChosen, this,
                [this](quint32 activity) { emit placeChosen(activity, analysis::LossCause::None); });
    }
}

void LedgerPage::choose(std::size_t entry) {
    ensureWidgetVisible(m_causes[entry], 0, 0);
    m_causes[entry]->step(+1);
}

/// Where to look first in a program of somebody's: each with the code that it belongs to.
void LedgerPage::addWaits(QVBoxLayout& column) {
    if (!m_shown || m_shown->recording->experiment || !analysis::raceText(m_shown->recording->report).empty())
        return;
    const view::AccountPtr account = m_shown->account();
    const auto waits = analysis::costliestWaits(m_shown->facts, account ? account->sharedLedger() : nullptr);
    if (waits.empty())
        return;
    column.addWidget(headingLabel(tr("Longest waits")));
    for (const analysis::CostlyWait& costly : waits) {
        auto* row = new LedgerRow(rowOf(costly, *m_shown, Theme::of(palette())));
        row->setObjectName(QStringLiteral("costlyWait"));
        column.addWidget(row);
        connect(row, &LedgerRow::placeChosen, this,
                [this, cause = costly.wait.cause](quint32 activity) { emit placeChosen(activity, cause); });
    }
}

void LedgerPage::addSteadyState(QVBoxLayout& column) {
    if (!m_shown || !analysis::raceText(m_shown->recording->report).empty() ||
        !SteadySection::hasWords(*m_shown))
        return;
    using State = SteadySection::State;
    m_steady = new SteadySection(*m_shown, m_findsIteration ? State::Working
                                           : m_busy         ? State::Busy
                                                            : State::Ready);
    connect(m_steady, &SteadySection::requested, this, &LedgerPage::iterationRequested);
    connect(m_steady, &SteadySection::cancelRequested, this, &LedgerPage::cancelRequested);
    connect(m_steady, &SteadySection::iterationChosen, this, &LedgerPage::iterationChosen);
    column.addWidget(m_steady);
}

/// A long recording: minutes of nobody's time unless somebody wants to know.
void LedgerPage::addOffer(QVBoxLayout& column) {
    const auto operations = m_shown->facts.deviceWork().size();
    column.addWidget(
        wrapping(m_working ? counted("Working out where the time of %n operations went...",
                                     "Working out where the time of %n operation went...", operations)
                           : tr("This recording has %1 operations of a device. Above %2 the account of "
                                "where the time went is made on demand: it plays the run tens of times.")
                                 .arg(countText(operations), countText(recording::kAccountAtOnce))));
    if (m_working) {
        m_progress = new QProgressBar;
        m_progress->setAccessibleName(tr("How far the account is"));
        setProgress(-1);
        column.addWidget(m_progress);
    }
    auto* button = new QPushButton(m_working ? tr("Cancel") : tr("Work it out"));
    button->setObjectName(QStringLiteral("account"));
    button->setEnabled(m_working || !m_busy);
    setTip(*button, m_working ? tr("Stops it; nothing is lost")
                    : m_busy  ? tr("Something else is running: cancel it (Esc) or wait for it")
                             : tr("Says what held the run up and what each cause cost; it can be cancelled"));
    connect(button, &QPushButton::clicked, this,
            m_working ? &LedgerPage::cancelRequested : &LedgerPage::accountRequested);
    column.addWidget(button, 0, Qt::AlignLeft);
}

} // namespace olab::ui
