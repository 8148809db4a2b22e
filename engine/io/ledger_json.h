// The account of lost time as the members `headline` and `ledger` of the report (cli.md, "The ledger and its
// causes").
#pragma once

#include <olab/analysis/report.h>

#include <nlohmann/json.hpp>

namespace olab {

/// Null where nobody made one, or the recording gives none: then `ledger_missing` says why.
nlohmann::ordered_json ledgerJson(const Ledger* ledger);

} // namespace olab
