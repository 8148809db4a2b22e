// What the rows of the account say: causes, findings, what is left, and the longest waits. Pure.
#pragma once

#include "results/ledger_row.h"

#include <olab/analysis/costly_waits.h>
#include <olab/view/view_data.h>

namespace olab::ui {

/// A cause of the account; `finding`: what the rules say of it too, null: nothing.
LedgerRowText rowOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger,
                    const analysis::Finding* finding, const Theme& theme);
/// One that is no cause of the account.
LedgerRowText rowOf(const analysis::Finding& finding, const QString& status, const Theme& theme);
LedgerRowText rowOf(const analysis::CostlyWait& costly, const view::ViewData& shown, const Theme& theme);
LedgerRowText rowOf(const LedgerPiece& piece, const analysis::Ledger& ledger, const Theme& theme);
/// Beside the account: only the author of the program knows whether it holds.
LedgerRowText rowOf(const analysis::IfIndependent& told, const analysis::Ledger& ledger, const Theme& theme);

} // namespace olab::ui
