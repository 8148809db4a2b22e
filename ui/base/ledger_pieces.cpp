#include "base/ledger_pieces.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QImage>
#include <QPainter>

#include <array>
#include <cmath>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kTile = 8; // Qt's hatches repeat after eight pixels
constexpr float kInk = 0.42F;
constexpr std::size_t kMostCauses = 5; // a legend is no list of everything

} // namespace

std::vector<LedgerPiece> ledgerPieces(const analysis::Ledger& ledger) {
    using enum LedgerPiece::Kind;
    if (!ledger.missing.empty() || ledger.measured <= 0)
        return {};
    std::vector<LedgerPiece> pieces{{Ideal, analysis::LossCause::None, ledger.ideal, 0}};
    Ns left = ledger.measured - ledger.ideal - ledger.unexplained;
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        const analysis::LedgerEntry& entry = ledger.entries[i];
        if (static_cast<double>(entry.cost) < analysis::kSmallCost * static_cast<double>(ledger.measured))
            continue;
        pieces.push_back({Cause, entry.cause, entry.cost, i});
        left -= entry.cost;
    }
    if (left > 0)
        pieces.push_back({Smaller, analysis::LossCause::None, left, 0});
    if (const Ns rest = ledger.unexplained + std::min<Ns>(left, 0); rest != 0)
        pieces.push_back({Unexplained, analysis::LossCause::Unexplained, rest, 0});
    return pieces;
}

QString causeTitle(analysis::LossCause cause) {
    return fromText(analysis::lossCauseTitle(cause));
}

QString titleOf(const LedgerPiece& piece) {
    switch (piece.kind) {
    case LedgerPiece::Kind::Ideal:
        return tr("ideal");
    case LedgerPiece::Kind::Cause:
        return causeTitle(piece.cause);
    case LedgerPiece::Kind::Smaller:
        return tr("smaller causes");
    case LedgerPiece::Kind::Unexplained:
        break;
    }
    return tr("unexplained");
}

QColor colourOf(const LedgerPiece& piece, const Theme& theme) {
    return piece.kind == LedgerPiece::Kind::Ideal ? theme.ideal : theme.colour(piece.cause);
}

Qt::BrushStyle hatchOf(const LedgerPiece& piece) {
    return piece.kind == LedgerPiece::Kind::Ideal ? Qt::NoBrush : hatchOf(piece.cause);
}

QBrush hatchedBrush(const QColor& fill, Qt::BrushStyle hatch) {
    if (hatch == Qt::NoBrush)
        return fill;
    QImage tile(kTile, kTile, QImage::Format_RGB32);
    tile.fill(fill);
    QColor ink = inkOn(fill);
    ink.setAlphaF(kInk);
    QPainter(&tile).fillRect(tile.rect(), QBrush(ink, hatch));
    return QBrush(tile);
}

QString sumText(const analysis::Ledger& ledger) {
    QString text = ledger.part ? counted("%1 measured in %n iterations", "%1 measured in %n iteration",
                                         ledger.part->iterations)
                                     .arg(durationText(ledger.measured))
                               : tr("%1 measured").arg(durationText(ledger.measured));
    if (ledger.part && ledger.part->unusual > 0)
        text += counted(" (%n others left out)", " (%n other left out)", ledger.part->unusual);
    bool first = true;
    for (const LedgerPiece& piece : ledgerPieces(ledger)) {
        text += first              ? QStringLiteral(" = ")
                : piece.length < 0 ? QStringLiteral(" − ")
                                   : QStringLiteral(" + ");
        text += durationText(std::abs(piece.length)) + QLatin1Char(' ') + titleOf(piece);
        first = false;
    }
    return text;
}

QString labelOf(const LedgerPiece& piece, const QFontMetrics& metrics, int room) {
    const QString length = durationText(piece.length);
    for (const QString& text : {titleOf(piece) + QLatin1Char(' ') + length, titleOf(piece), length})
        if (metrics.horizontalAdvance(text) <= room)
            return text;
    return {};
}

std::vector<analysis::LossCause> shownCauses(const analysis::Ledger& ledger) {
    std::array<bool, analysis::kLossCauses> owns{};
    for (const analysis::OwnedWait& wait : ledger.waits)
        owns[static_cast<std::size_t>(wait.cause)] = true;
    owns[static_cast<std::size_t>(analysis::LossCause::None)] = false;
    std::vector<analysis::LossCause> causes;
    const auto add = [&](analysis::LossCause cause) {
        if (std::exchange(owns[static_cast<std::size_t>(cause)], false) && causes.size() < kMostCauses)
            causes.push_back(cause);
    };
    for (const analysis::LedgerEntry& entry : ledger.entries)
        add(entry.cause);
    for (std::size_t c = 0; c < analysis::kLossCauses; ++c) // the bounds, which cost nothing
        add(static_cast<analysis::LossCause>(c));
    return causes;
}

QString modelErrorText(const analysis::Ledger& ledger) {
    const double share = ledger.measured > 0 ? 100.0 * static_cast<double>(ledger.missed()) /
                                                   static_cast<double>(ledger.measured)
                                             : 0;
    if (std::abs(share) < 0.05)
        return tr("the model of this run takes as long as the run");
    const QString much = QString::number(std::abs(share), 'f', 1);
    return (share > 0 ? tr("the model of this run is %1 % shorter than the run")
                      : tr("the model of this run is %1 % longer than the run"))
        .arg(much);
}

} // namespace olab::ui
