#include "results/compare_page.h"

#include "results/compare_strips.h"
#include "results/verdict_strip.h"
#include "shell/look_watch.h"
#include "shell/plain_text.h"

#include <olab/analysis/race.h>
#include <olab/experiment/option_table.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace olab {

namespace {

constexpr double kSame = 0.02; // closer than that nobody should call one faster

QLabel* line(const QString& text, bool bold = false) {
    auto* label = makeLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (bold) {
        QFont font = label->font();
        font.setBold(true);
        label->setFont(font);
    }
    return label;
}

QString titleOf(const Shown& shown) {
    return shown.title();
}

const Verdict* sameVerdict(const Report& report, const Verdict& wanted) {
    const auto all = shownVerdicts(report);
    const auto at =
        std::ranges::find_if(all, [&](const Verdict* v) { return v->a == wanted.a && v->b == wanted.b; });
    return at == all.end() ? nullptr : *at;
}

/// The verdicts of both, each pair of classes once, in the order of the first.
std::vector<std::pair<const Verdict*, const Verdict*>> pairsOf(const Report& before, const Report& after) {
    std::vector<std::pair<const Verdict*, const Verdict*>> pairs;
    for (const Verdict* verdict : shownVerdicts(before))
        pairs.emplace_back(verdict, sameVerdict(after, *verdict));
    for (const Verdict* verdict : shownVerdicts(after))
        if (!sameVerdict(before, *verdict))
            pairs.emplace_back(nullptr, verdict);
    return pairs;
}

QLabel* verdictCell(const Verdict* verdict, const Theme& theme) {
    const VerdictKind kind = verdict ? shownKind(*verdict) : VerdictKind::NotApplicable;
    auto* cell = makeLabel(verdict ? verdictOutcome(*verdict) : QStringLiteral("–"));
    cell->setObjectName(QStringLiteral("small"));
    cell->setStyleSheet(QStringLiteral("background:%1;color:%2;border-radius:3px;padding:1px 4px;")
                            .arg(theme.colour(kind).name(), theme.text.name()));
    if (verdict)
        setTip(*cell, sentence(verdict->text));
    return cell;
}

} // namespace

QStringList optionDifferences(const Recording& before, const Recording& after) {
    QStringList found;
    if (!before.experiment || !after.experiment)
        return found;
    for (const OptionRow& row : optionTable())
        if (const std::string was = row.get(*before.experiment), is = row.get(*after.experiment); was != is)
            found << QStringLiteral("%1: %2 → %3").arg(fromText(row.key), fromText(was), fromText(is));
    return found;
}

QString whyNotComparable(const Recording& before, const Recording& after) {
    const auto deviceOf = [](const Recording& r) {
        return r.trace.devices().empty() ? QString()
                                         : cutText(fromText(r.trace.devices().front().name), kLongestLine);
    };
    for (const Recording* run : {&before, &after})
        if (!run->raceText().empty())
            return ComparePage::tr("%1 raced%2: what came out is wrong, and its times are those of a broken "
                                   "program.")
                .arg(cutText(fromText(run->title), kLongestLine), fromText(raceScope(run->report)));
    const bool simulatedBefore = before.trace.provenance().source == SourceKind::Simulated;
    const bool simulatedAfter = after.trace.provenance().source == SourceKind::Simulated;
    if (simulatedBefore != simulatedAfter)
        return ComparePage::tr("%1 is simulated, the other was measured: compare the words, not the times.")
            .arg(cutText(fromText(simulatedBefore ? before.title : after.title), kLongestLine));
    if (deviceOf(before) != deviceOf(after))
        return ComparePage::tr("They ran on different devices: %1 and %2.")
            .arg(deviceOf(before), deviceOf(after));
    return {};
}

ComparePage::ComparePage(QWidget* parent)
    : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Two runs compared"));
    new LookWatch(*this, [this] { rebuild(); });
}

void ComparePage::compare(const ShownPtr& before, const ShownPtr& after) {
    if (!before || !after)
        return;
    m_before = before;
    m_after = after;
    rebuild();
}

QString ComparePage::headline() const {
    if (empty())
        return {};
    const Bounds &before = m_before->recording->report.bounds, &after = m_after->recording->report.bounds;
    const QString took = tr("%1 took %2, %3 took %4")
                             .arg(titleOf(*m_before), durationText(before.measured), titleOf(*m_after),
                                  durationText(after.measured));
    const Ns was = before.measured.value_or(0), is = after.measured.value_or(0);
    if (was <= 0 || is <= 0 || !whyNotComparable(*m_before->recording, *m_after->recording).isEmpty())
        return took + QLatin1Char('.');
    const double ratio = static_cast<double>(was) / static_cast<double>(is);
    if (std::abs(ratio - 1) < kSame)
        return took + tr(": no difference worth a word.");
    return took + (ratio > 1 ? tr(": %1 times as fast.").arg(ratio, 0, 'f', 2)
                             : tr(": %1 times as long.").arg(1 / ratio, 0, 'f', 2));
}

void ComparePage::rebuild() {
    if (empty())
        return;
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 5, 8, 4);
    column->setSpacing(4);
    auto* texts = new QVBoxLayout;
    texts->setContentsMargins(12, 0, 0, 0);
    texts->setSpacing(2);
    texts->addWidget(line(headline(), true));
    const QStringList changes = optionDifferences(*m_before->recording, *m_after->recording);
    if (!changes.isEmpty())
        texts->addWidget(line(tr("Changed: %1").arg(changes.join(QStringLiteral(", ")))));
    else if (m_before->recording->experiment && m_after->recording->experiment)
        texts->addWidget(line(tr("Both ran with the same settings.")));
    if (const QString why = whyNotComparable(*m_before->recording, *m_after->recording); !why.isEmpty())
        texts->addWidget(line(QStringLiteral("⚠ ") + why));
    column->addLayout(texts);
    column->addWidget(new CompareStrips(m_before, m_after));
    column->addWidget(verdictTable());
    column->addStretch(1);
    setWidget(page); // deletes the page before
}

int ComparePage::wantedHeight() const {
    return widget() ? widget()->sizeHint().height() + 2 : 0;
}

QWidget* ComparePage::verdictTable() const {
    const Theme& theme = Theme::of(palette());
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(12, 2, 0, 0);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(2);
    grid->addWidget(line(tr("Before")), 1, 0);
    grid->addWidget(line(tr("After")), 2, 0);
    int at = 1;
    for (const auto& [was, is] : pairsOf(m_before->recording->report, m_after->recording->report)) {
        const Verdict& any = was ? *was : *is;
        auto* pair = makeLabel(
            QStringLiteral("%1 | %2").arg(fromText(classLabel(any.a)), fromText(classLabel(any.b))));
        pair->setObjectName(QStringLiteral("small"));
        pair->setStyleSheet(QStringLiteral("padding-left:4px;"));
        grid->addWidget(pair, 0, at);
        grid->addWidget(verdictCell(was, theme), 1, at);
        grid->addWidget(verdictCell(is, theme), 2, at++);
    }
    grid->setColumnStretch(at, 1);
    return box;
}

} // namespace olab
