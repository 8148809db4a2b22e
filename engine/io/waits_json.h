// The longest waits of a program in the report. Private to io.
#pragma once

#include <olab/analysis/costly_waits.h>

#include <nlohmann/json.hpp>

namespace olab::io {

nlohmann::ordered_json waitsJson(const analysis::TraceFacts& facts,
                                 const std::shared_ptr<const analysis::Ledger>& account);

} // namespace olab::io
