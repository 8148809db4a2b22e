#include "results/steady_section.h"

#include "base/page_parts.h"
#include "base/plain_text.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/format.h>

#include <QPushButton>

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
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(6);
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
        auto* button =
            new QPushButton((i == 0 ? tr("Show the typical one, %1") : tr("Show the worst one, %1"))
                                .arg(durationText(iteration.time.length())));
        button->setObjectName(i == 0 ? QStringLiteral("typical") : QStringLiteral("worst"));
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
    auto* button = new QPushButton(isWorking ? tr("Cancel") : tr("Find the iteration"));
    button->setObjectName(QStringLiteral("findIteration"));
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

} // namespace olab::ui
