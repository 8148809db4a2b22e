// The pieces of the bar that says where the time of a run went, and their words and looks: the same in the
// window and in pictures. Their lengths add up to the measured time, to the nanosecond. Any thread.
#pragma once

#include <olab/ui/theme.h>

#include <QBrush>
#include <QFontMetrics>
#include <QString>

#include <vector>

namespace olab::ui {

struct LedgerPiece {
    enum class Kind : std::uint8_t { Ideal, Cause, Smaller, Unexplained } kind{};
    analysis::LossCause cause = analysis::LossCause::None; ///< of Kind::Cause
    Ns length = 0;         ///< below 0 only of Unexplained: then it is said, not drawn
    std::size_t entry = 0; ///< of Kind::Cause: its place in the ledger
};

/// The ideal first, then the causes in the order of the ledger, what is left of them, what the model misses.
/// Empty where there is no account.
std::vector<LedgerPiece> ledgerPieces(const analysis::Ledger& ledger);
QString titleOf(const LedgerPiece& piece); ///< "pageable memory"
QColor colourOf(const LedgerPiece& piece, const Theme& theme);
Qt::BrushStyle hatchOf(const LedgerPiece& piece);
/// A fill with the hatch in an ink that is seen on it.
QBrush hatchedBrush(const QColor& fill, Qt::BrushStyle hatch);

QString causeTitle(analysis::LossCause cause); ///< as lossCauseTitle(), with a capital where it begins a line
/// "38.0 ms measured = 13.3 ms ideal + 24.6 ms pageable memory + 0.1 ms unexplained".
QString sumText(const analysis::Ledger& ledger);
/// What is written on a piece of `room` pixels: all of "pageable memory 24.6 ms" or what fits; empty:
/// nothing.
QString labelOf(const LedgerPiece& piece, const QFontMetrics& metrics, int room);
/// The causes of waits that a legend names: those that own one, what costs most first.
std::vector<analysis::LossCause> shownCauses(const analysis::Ledger& ledger);
/// "the model of this run is 0.8 % shorter than the run".
QString modelErrorText(const analysis::Ledger& ledger);

} // namespace olab::ui
