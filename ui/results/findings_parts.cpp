#include "results/findings_parts.h"

#include "base/page_parts.h"

#include <olab/analysis/steady_state.h>
#include <olab/claims/claim_words.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kSearchSteps = 1000;

bool isLong(const view::ViewData& shown) {
    return shown.facts.deviceWork().size() > recording::kAccountAtOnce;
}

} // namespace

/// Of a short recording that nothing repeats itself is no news.
bool SteadySection::hasWords(const view::ViewData& shown) {
    const auto found = shown.steadyState();
    return found ? found->missing.empty() || isLong(shown) : isLong(shown);
}

SteadySection::SteadySection(const view::ViewData& shown, State state, QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("steadySection"));
    auto* column = columnIn(this, {0, 6, 0, 0}, 6);
    column->addWidget(headingLabel(tr("The repeating iteration")));
    const auto found = shown.steadyState();
    if (!found)
        addOffer(shown, state, *column);
    else if (!found->missing.empty())
        column->addWidget(wrappingLabel(sentence(found->missing)));
    else
        addFound(*found, *column);
}

void SteadySection::addFound(const analysis::SteadyState& found, QVBoxLayout& column) {
    column.addWidget(wrappingLabel(sentence(found.text)));
    auto* row = new QHBoxLayout;
    for (std::size_t i = 0; i < found.judged.size(); ++i) {
        const analysis::JudgedIteration& iteration = found.judged[i];
        auto* button = makeButton((i == 0 ? tr("Show the typical one, %1") : tr("Show the worst one, %1"))
                                      .arg(durationText(iteration.time.length())),
                                  i == 0 ? QStringLiteral("typical") : QStringLiteral("worst"));
        setTip(*button, tr("Number %1 of %2, in the timeline; the minimap marks both (T and W)")
                            .arg(iteration.number + 1)
                            .arg(found.iterations.size()));
        connect(button, &QPushButton::clicked, this,
                [this, time = iteration.time] { emit iterationChosen(time); });
        row->addWidget(button);
    }
    row->addStretch(1);
    column.addLayout(row);
}

void SteadySection::addOffer(const view::ViewData& shown, State state, QVBoxLayout& column) {
    const bool isWorking = state == State::Working;
    const QString operations = countText(shown.facts.deviceWork().size());
    column.addWidget(wrappingLabel(
        isWorking
            ? tr("Looking for what repeats itself in %1 operations...").arg(operations)
            : tr("In long recordings (%1 operations) the repeating iteration is searched for on request: its "
                 "period, how much it varies, and what its typical and its worst one overlap.")
                  .arg(operations)));
    if (isWorking) {
        m_progress = new QProgressBar;
        m_progress->setAccessibleName(tr("How far the search for the iteration is"));
        setProgress(-1);
        column.addWidget(m_progress);
    }
    auto* button =
        makeButton(isWorking ? tr("Cancel") : tr("Find the iteration"), QStringLiteral("findIteration"));
    button->setEnabled(state != State::Busy);
    setTip(*button, isWorking              ? tr("Stops it; nothing is lost")
                    : state == State::Busy ? tr("Something else is running: cancel it (Esc) or wait for it")
                                           : tr("As olab analyze --steady; it can be cancelled"));
    connect(button, &QPushButton::clicked, this,
            isWorking ? &SteadySection::cancelRequested : &SteadySection::requested);
    column.addWidget(button, 0, Qt::AlignLeft);
}

void SteadySection::setProgress(double share) {
    if (!m_progress)
        return;
    m_progress->setRange(0, share < 0 ? 0 : kSearchSteps); // no range: it only moves
    if (share >= 0)
        m_progress->setValue(static_cast<int>(share * kSearchSteps));
}

namespace {

constexpr int kBelowTitle = 44; // below the title of its row, in usual type

std::size_t placeIn(const analysis::Ledger* ledger, const analysis::Finding& finding) {
    const std::size_t causes = ledger ? ledger->entries.size() : 0;
    if (finding.id == analysis::lossCauseId(analysis::LossCause::Tool))
        return causes + 1;
    for (std::size_t i = 0; i < causes; ++i)
        if (finding.id == analysis::lossCauseId(ledger->entries[i].cause))
            return i;
    return causes;
}

} // namespace

std::vector<const analysis::Finding*> ranked(const analysis::Report& report) {
    std::vector<const analysis::Finding*> all;
    for (const analysis::Finding& finding : report.findings)
        all.push_back(&finding);
    std::ranges::stable_sort(
        all, {}, [&](const analysis::Finding* finding) { return placeIn(report.ledger.get(), *finding); });
    return all;
}

FindingCard::FindingCard(const analysis::Finding& finding, LedgerRowText text, QPushButton* tryIt,
                         QWidget* parent)
    : QFrame(parent)
    , m_row(new LedgerRow(std::move(text))) {
    setObjectName(QStringLiteral("card"));
    setProperty(kFindingId, exactText(finding.id));
    const Theme& theme = Theme::of(palette());
    setStyleSheet(QStringLiteral("#card{background:%1;border:1px solid %2;border-radius:4px;}")
                      .arg(theme.raised.name(), theme.line.name()));
    auto* column = columnIn(this, {2, 2, 2, 4}, 3);
    column->addWidget(m_row);
    m_below = new QBoxLayout(QBoxLayout::LeftToRight);
    m_below->setContentsMargins(ViewStyle::of(font()).scaled(kBelowTitle), 0, 8, 0);
    column->addLayout(m_below);
    if (!finding.remedy.empty())
        m_below->addWidget(wrappingLabel(sentence(finding.remedy)), 1);
    else
        m_below->addStretch(1);
    m_buttons = new QWidget;
    auto* flow = new FlowLayout(m_buttons);
    flow->setContentsMargins(0, 0, 0, 0);
    if (tryIt)
        flow->addWidget(tryIt);
    if (!finding.activities.empty()) {
        auto* show = new QPushButton(tr("Show in timeline"));
        setTip(*show, tr("Shows the worst case, from the start of its wait, with what held it; again for the "
                         "next"));
        connect(show, &QPushButton::clicked, this, [this] {
            m_row->step(+1);
            emit showRequested();
        });
        flow->addWidget(show);
    }
    if (QPushButton* claims = claimsButton(finding))
        flow->addWidget(claims);
    m_below->addWidget(m_buttons, 0, Qt::AlignTop);
    if (!finding.why.empty())
        addWhy(finding, *flow, *column);
}

void FindingCard::addWhy(const analysis::Finding& finding, QLayout& buttons, QVBoxLayout& column) {
    auto* why = new QPushButton(tr("Why?"));
    auto* body = wrappingLabel(sentence(finding.why));
    why->setCheckable(true);
    setTip(*why, tr("How this cause holds a run up, with the numbers of this one"));
    connect(why, &QPushButton::toggled, body, &QWidget::setVisible);
    buttons.addWidget(why);
    body->setContentsMargins(m_below->contentsMargins());
    column.addWidget(body);
    body->hide();
}

/// Buttons beside the advice, unless that would be left a narrow column.
void FindingCard::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    int all = 0;
    for (const auto* button : m_buttons->findChildren<QPushButton*>(Qt::FindDirectChildrenOnly))
        all += button->sizeHint().width() + m_buttons->layout()->spacing();
    const bool beside = all <= width() / 2;
    m_buttons->setMinimumWidth(beside ? all : 0);
    m_below->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_below->setAlignment(m_buttons, beside ? Qt::AlignTop : Qt::Alignment());
}

/// Null: no claim is decided by it.
QPushButton* FindingCard::claimsButton(const analysis::Finding& finding) {
    QStringList ids;
    for (const std::string& id : claims::claimsAbout(finding.id))
        ids << exactText(id);
    if (ids.isEmpty())
        return nullptr;
    auto* button = makeButton(ids.size() == 1 ? tr("Claim %1").arg(ids.front())
                                              : counted("%n claims about it", "%n claim about it",
                                                        static_cast<std::uint64_t>(ids.size())),
                              QStringLiteral("claimsAbout"),
                              tr("What is claimed about this, what is documented and what was measured: %1")
                                  .arg(ids.join(QStringLiteral(", "))),
                              [this, ids] { emit claimsRequested(ids); });
    return button;
}

} // namespace olab::ui
