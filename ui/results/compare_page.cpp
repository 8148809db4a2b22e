#include "results/compare_page.h"

#include "base/look_style.h"
#include "base/page_parts.h"
#include "results/compare_strips.h"
#include "results/verdict_strip.h"

#include <olab/comparison/agreement.h>
#include <olab/comparison/comparison.h>
#include <olab/intervention/intervention.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QLabel>
#include <QPushButton>

namespace olab::ui {

namespace {

comparison::ComparedRun comparedRun(const view::ViewData& shown) {
    comparison::ComparedRun run = intervention::comparedRun(*shown.recording);
    run.name = cutText(titleText(shown), kLongestLine).toStdString();
    return run;
}

QString differenceText(const comparison::OptionDifference& option) {
    return QStringLiteral("%1: %2 → %3")
        .arg(fromText(option.key), fromText(option.before), fromText(option.after));
}

/// What the difference of the two times is made of; empty: there is no account of both, or nothing to say.
QString accountText(const comparison::AccountChange& change) {
    const std::string causes = change.missing.empty() ? comparison::accountChangeText(change) : "";
    if (causes.empty())
        return {};
    const QString what = sentence(causes);
    return change.perIteration ? ComparePage::tr("The difference of an iteration is made of: %1").arg(what)
                               : ComparePage::tr("The difference is made of: %1").arg(what);
}

QLabel* verdictCell(const analysis::Verdict* verdict, const Theme& theme) {
    const analysis::VerdictKind kind = verdict ? shownKind(*verdict) : analysis::VerdictKind::NotApplicable;
    auto* cell = makeSmallLabel(verdict ? verdictOutcome(*verdict) : QStringLiteral("–"));
    cell->setStyleSheet(QStringLiteral("background:%1;color:%2;border-radius:3px;padding:1px 4px;")
                            .arg(theme.colour(kind).name(), theme.text.name()));
    if (verdict)
        setTip(*cell, sentence(verdict->text));
    return cell;
}

} // namespace

comparison::Comparison compareShown(const view::ViewData& before, const view::ViewData& after) {
    return comparison::compare(comparedRun(before), comparedRun(after));
}

ComparePage::ComparePage(QWidget* parent)
    : QScrollArea(parent) {
    scrollPage(*this, false);
    setAccessibleName(tr("Two runs compared"));
    new LookWatch(*this, [this] { rebuild(); });
}

void ComparePage::compare(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    if (!before || !after)
        return;
    m_before = before;
    m_after = after;
    rebuild();
}

bool ComparePage::isOf(const view::RunPtr& run) const {
    return run && !empty() && (m_before->run == run || m_after->run == run);
}

comparison::Comparison ComparePage::comparison() const {
    return empty() ? comparison::Comparison{} : compareShown(*m_before, *m_after);
}

QString ComparePage::headline() const {
    return fromText(comparison().headline);
}

QString ComparePage::optionsText(const comparison::Comparison& comparison) const {
    QStringList changes;
    for (const comparison::OptionDifference& option : comparison.options)
        changes << differenceText(option);
    if (!changes.isEmpty())
        return tr("Changed: %1").arg(changes.join(QStringLiteral(", ")));
    const bool known = m_before->recording->experiment && m_after->recording->experiment;
    return known ? tr("Both ran with the same settings.") : QString();
}

/// Beside what the simulator says: what GPUs did with the same settings.
QString ComparePage::recordedText() const {
    const auto isSimulated = [](const view::ViewData& shown) {
        return shown.trace().provenance().source == SourceKind::Simulated;
    };
    const auto &was = m_before->recording->experiment, &is = m_after->recording->experiment;
    if (!was || !is || !isSimulated(*m_before) || !isSimulated(*m_after))
        return {};
    return sentence(comparison::recordedChangeText(*was, *is));
}

void ComparePage::rebuild() {
    if (empty())
        return;
    auto* page = new WrappingPage;
    auto* column = columnIn(page, {0, 5, 8, 4}, 4);
    auto* texts = columnIn(nullptr, {12, 0, 0, 0}, 2);
    const comparison::Comparison found = comparison();
    texts->addWidget(wordsLabel(fromText(found.headline), true));
    if (const QString options = optionsText(found); !options.isEmpty())
        texts->addWidget(wordsLabel(options));
    if (!found.obstacle.empty())
        texts->addWidget(wordsLabel(QStringLiteral("⚠ ") + fromText(found.obstacle)));
    else if (!found.unjudged.empty())
        texts->addWidget(wordsLabel(tr("⚠ Inconclusive: %1").arg(fromText(found.unjudged))));
    if (!found.spread.empty())
        texts->addWidget(m_spread = wordsLabel(fromText(found.spread)));
    else
        m_spread = nullptr;
    if (const QString recorded = recordedText(); !recorded.isEmpty())
        texts->addWidget(wordsLabel(recorded));
    if (const QString account = accountText(found.account); !account.isEmpty())
        texts->addWidget(wordsLabel(account));
    m_panel = new ProofPanel;
    connect(m_panel, &ProofPanel::stopRequested, this, &ComparePage::stopRequested);
    texts->addWidget(m_panel);
    column->addLayout(texts);
    column->addWidget(new CompareStrips(m_before, m_after));
    auto* full = makeButton(tr("Full size"), QStringLiteral("compareFullSize"));
    setTip(*full,
           tr("Both on one axis, zoomed and moved together, each operation beside the same one (Ctrl+D)"));
    connect(full, &QPushButton::clicked, this, &ComparePage::fullSizeRequested);
    texts->addWidget(full, 0, Qt::AlignLeft);
    column->addWidget(verdictTable(found));
    column->addStretch(1);
    setWidget(page); // deletes the page before
    refreshProof();
}

void ComparePage::setProof(const view::RunPtr& before, const view::RunPtr& after, const ShownProof& proof) {
    std::erase_if(m_proofs, [&](const KeptProof& kept) {
        const auto was = kept.before.lock(), is = kept.after.lock();
        return !was || !is || (was == before && is == after);
    });
    m_proofs.push_back({before, after, proof});
    refreshProof();
}

/// In place: the strips stay as they are.
void ComparePage::refreshProof() {
    if (empty() || !m_panel)
        return;
    for (const KeptProof& kept : m_proofs)
        if (kept.before.lock() == m_before->run && kept.after.lock() == m_after->run) {
            m_panel->setProof(kept.shown.proof, kept.shown.pairs, kept.shown.done, kept.shown.stopped);
            if (m_spread && kept.shown.proof.pairs > 0) // what runs differ by is in its intervals
                m_spread->hide();
            return;
        }
    m_panel->hide();
}

/// Both verdicts of each pair one above the other; in a narrow page pairs go on in the next row.
QWidget* ComparePage::verdictTable(const comparison::Comparison& comparison) const {
    const Theme& theme = Theme::of(palette());
    auto* box = new QWidget;
    auto* flow = new FlowLayout(box);
    flow->setContentsMargins(12, 2, 0, 0);
    flow->setSpacing(4);
    const auto add = [&](const QString& head, QLabel* was, QLabel* is) {
        auto* column = new QWidget;
        auto* lines = columnIn(column, {0, 0, 0, 2}, 2);
        auto* title = makeSmallLabel(head);
        title->setContentsMargins(4, 0, 0, 0);
        for (QLabel* each : {title, was, is})
            lines->addWidget(each);
        flow->addWidget(column);
    };
    add(QString(), makeSmallLabel(tr("Before")), makeSmallLabel(tr("After")));
    for (const auto& [was, is] : comparison.verdicts) {
        const analysis::Verdict& any = was ? *was : *is;
        add(QStringLiteral("%1 | %2").arg(fromText(classLabel(any.a)), fromText(classLabel(any.b))),
            verdictCell(was, theme), verdictCell(is, theme));
    }
    return box;
}

} // namespace olab::ui
