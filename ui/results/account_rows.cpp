#include "results/account_rows.h"

#include "base/plain_text.h"

#include <olab/analysis/rules.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <cmath>

namespace olab::ui {

namespace {

/// "24.6 ms · 65 %"; of what is less than one per cent no share.
QString amountOf(Ns part, const analysis::Ledger& ledger) {
    const double share = static_cast<double>(part) / static_cast<double>(std::max<Ns>(ledger.measured, 1));
    return share < 0.01 ? durationText(part)
                        : QStringLiteral("%1 · %2").arg(durationText(part), percentLabel(share));
}

/// What the sentence does not say already: what mending it alone brings, where that is another number and no
/// other has to be mended with it, and all the waiting.
QString factsOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger, const QString& said) {
    QStringList facts;
    const auto add = [&](const QString& words, Ns time) {
        if (!said.contains(durationText(time)))
            facts << words.arg(durationText(time));
    };
    const double differs = std::abs(static_cast<double>(entry.gain - entry.cost));
    if (entry.onlyWith.empty() && differs > 3 * analysis::kSmallCost * static_cast<double>(ledger.measured))
        add(tr("fixing this alone saves %1"), std::max<Ns>(entry.gain, 0));
    if (entry.waited > 0)
        add(tr("waited %1 in sum"), entry.waited);
    if (entry.cost <= 0)
        facts << tr("hidden: costs nothing");
    return facts.join(QStringLiteral(" · "));
}

/// "issued by cudaLaunchKernel in forward, in ProfilerStep#3 · at 1.20 s"
QString placeOf(const analysis::CostlyWait& costly, const view::ViewData& shown) {
    const Trace& trace = shown.trace();
    const auto name = [&trace](ActivityIndex row) {
        return cutText(fromText(trace.text(trace.nameOf(row))), kLongestLine / 2);
    };
    QStringList ranges;
    for (const ActivityIndex range : costly.ranges)
        ranges << tr("in %1").arg(name(range));
    const QString at = tr("at %1").arg(durationText(costly.own.begin - shown.zero()));
    if (costly.call == kNoActivity)
        return at;
    QString code = tr("issued by %1").arg(name(costly.call));
    if (!ranges.isEmpty())
        code += QLatin1Char(' ') + ranges.join(QStringLiteral(", "));
    return code + QStringLiteral(" · ") + at;
}

QString idealSentence(const analysis::Ledger& ledger) {
    const QString text =
        tr("What this pipeline needs: the same work in the same streams on the same engines, "
           "without any of the causes.");
    return ledger.cut <= 0 ? text
                           : text + tr(" The ideal run of the model is %1 longer than the run, so "
                                       "the run itself is taken for it.")
                                        .arg(durationText(ledger.cut));
}

QString textOf(const LedgerPiece& piece, const analysis::Ledger& ledger) {
    if (piece.kind == LedgerPiece::Kind::Ideal)
        return idealSentence(ledger);
    return tr("Model error: %1.").arg(modelErrorText(ledger));
}

} // namespace

LedgerRowText rowOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger,
                    const analysis::Finding* finding, const Theme& theme) {
    LedgerRowText row;
    row.title = causeTitle(entry.cause);
    row.title.replace(0, 1, row.title.at(0).toUpper());
    row.amount = entry.cost <= 0  ? tr("costs nothing")
                 : entry.isAtMost ? tr("up to %1").arg(amountOf(entry.cost, ledger))
                                  : amountOf(entry.cost, ledger);
    row.sentence = sentence(finding ? finding->text : entry.text);
    row.facts = factsOf(entry, ledger, row.sentence);
    row.fill = hatchedBrush(theme.colour(entry.cause), hatchOf(entry.cause));
    row.places = entry.activities;
    row.allPlaces = entry.count;
    return row;
}

LedgerRowText rowOf(const analysis::Finding& finding, const QString& status, const Theme& theme) {
    LedgerRowText row;
    const analysis::RuleRow* rule = analysis::ruleOf(finding.id);
    row.title = rule ? sentence(rule->title) : fromText(finding.id);
    row.amount = finding.lost > 0 ? durationText(finding.lost) : finding.waited > 0 ? tr("hidden") : status;
    row.sentence = sentence(finding.text);
    row.fill = theme.accent;
    row.places = finding.activities;
    return row;
}

LedgerRowText rowOf(const analysis::CostlyWait& costly, const view::ViewData& shown, const Theme& theme) {
    LedgerRowText row;
    row.title = sentence(analysis::activityName(shown.facts, costly.wait.op));
    row.amount = durationText(costly.own.length());
    row.sentence = causeTitle(costly.wait.cause);
    if (costly.wait.blocker != kNoActivity && costly.wait.blocker != costly.call)
        row.sentence =
            tr("%1, for %2")
                .arg(row.sentence, sentence(analysis::activityName(shown.facts, costly.wait.blocker)));
    row.facts = placeOf(costly, shown);
    row.fill = hatchedBrush(theme.colour(costly.wait.cause), hatchOf(costly.wait.cause));
    row.places = {costly.wait.op};
    return row;
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

LedgerRowText rowOf(const analysis::IfIndependent& told, const analysis::Ledger& ledger, const Theme& theme) {
    LedgerRowText row;
    row.title = tr("if kernels in a row do not need each other");
    row.amount = tr("up to %1 less").arg(amountOf(told.gain, ledger));
    row.sentence = sentence(told.text);
    row.fill = hatchedBrush(theme.ideal, Qt::BDiagPattern);
    row.places = told.activities;
    return row;
}

} // namespace olab::ui
