#include "results/fix_page.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <olab/analysis/waits.h>
#include <olab/comparison/agreement.h>
#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>

#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace olab::ui {

namespace {

QLabel* small(const QString& text, bool bold = false) {
    auto* label = makeSmallLabel(text);
    label->setWordWrap(true); // several changes make a long line
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont font = label->font();
    font.setBold(bold);
    label->setFont(font);
    return label;
}

QString relativeText(const std::optional<double>& relative) {
    return relative ? fromText(comparison::ratioText(1 + *relative)) : QStringLiteral("–");
}

QString measuredText(const comparison::FixCandidate& candidate) {
    if (!candidate.makespan)
        return FixPage::tr("not measured");
    if (!candidate.trouble.empty())
        return sentence(candidate.trouble);
    return FixPage::tr("%1 → %2, %3")
        .arg(durationText(candidate.makespan->before), durationText(candidate.makespan->after),
             fromText(comparison::changeText(*candidate.makespan)));
}

/// Of the best that was simulated only: what a GPU did with the same settings.
QString recordedText(const comparison::Fix& fix) {
    if (!fix.simulated || !fix.best)
        return {};
    const comparison::ModelAgreement* found =
        comparison::shippedAgreement(experiment::experimentFromJson(fix.bestExperiment));
    return found ? FixPage::tr("The best settings: %1").arg(sentence(comparison::agreementText(*found, true)))
                 : QString();
}

} // namespace

FixPage::FixPage(QWidget* parent)
    : QScrollArea(parent) {
    scrollPage(*this, false);
    setAccessibleName(tr("The fix"));
    new LookWatch(*this, [this] { rebuild(); });
}

void FixPage::add(const std::shared_ptr<const comparison::Fix>& fix, const view::RunPtr& of) {
    std::erase_if(
        m_kept, [&](const KeptFix& kept) { return kept.isOf(of) || (!kept.isOfForm && kept.run.expired()); });
    m_kept.push_back({of == nullptr, of, fix});
    setShown(m_run);
}

void FixPage::setShown(const view::RunPtr& run) {
    m_run = run;
    const auto found = std::ranges::find_if(m_kept, [&](const KeptFix& kept) { return kept.isOf(run); });
    m_fix = found == m_kept.end() ? nullptr : found->fix;
    rebuild();
}

void FixPage::rebuild() {
    if (empty())
        return;
    auto* page = new WrappingPage;
    auto* column = columnIn(page, {12, 5, 8, 4}, 4);
    column->addWidget(wordsLabel(tr("For %1. %2").arg(fromText(m_fix->title), sentence(m_fix->text)), true));
    if (m_fix->best) {
        auto* use = makeButton(tr("Use these settings"), QStringLiteral("useFix"),
                               tr("Fills the form on the left with the best that was found"),
                               [this] { emit settingsChosen(m_fix->bestExperiment); });
        column->addWidget(use, 0, Qt::AlignLeft);
    }
    if (const QString recorded = recordedText(*m_fix); !recorded.isEmpty())
        column->addWidget(wordsLabel(recorded));
    column->addWidget(table());
    column->addWidget(
        wordsLabel(tr("%1 changes were predicted. %2").arg(m_fix->considered).arg(sentence(m_fix->basis))));
    column->addStretch(1);
    setWidget(page); // deletes the page before
}

QWidget* FixPage::table() const {
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 2, 0, 2);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(2);
    int row = 0;
    const auto add = [&](const QString& change, const QString& predicted, const QString& measured,
                         bool bold) {
        grid->addWidget(small(change, bold), row, 0);
        grid->addWidget(small(predicted, bold), row, 1);
        grid->addWidget(small(measured, bold), row++, 2);
    };
    add(tr("Change"), tr("Predicted"),
        m_fix->simulated ? tr("Simulated in interleaved pairs (95 % interval)")
                         : tr("Measured in interleaved pairs (95 % interval)"),
        false);
    for (const comparison::FixCandidate& candidate : m_fix->measured)
        add(fromText(comparison::changesText(candidate.changes)), relativeText(candidate.predicted),
            measuredText(candidate), m_fix->best && &candidate == &m_fix->measured[*m_fix->best]);
    for (const comparison::FixCandidate& candidate : m_fix->predicted)
        add(fromText(comparison::changesText(candidate.changes)), relativeText(candidate.predicted),
            measuredText(candidate), false);
    grid->setColumnStretch(0, 3);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 3);
    box->setVisible(row > 1);
    return box;
}

} // namespace olab::ui
