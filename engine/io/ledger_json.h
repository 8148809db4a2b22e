// The account of lost time as the members `headline` and `ledger` of the report (cli.md, "The ledger and its
// causes").
#pragma once

#include <olab/analysis/report.h>

#include <nlohmann/json.hpp>

namespace olab::io {

/// Null if none was computed, or the recording does not allow one: then `ledger_missing` says why.
nlohmann::ordered_json ledgerJson(const analysis::Ledger* ledger);

} // namespace olab::io
