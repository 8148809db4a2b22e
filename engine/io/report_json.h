// The report as values of the JSON library.
#pragma once

#include <olab/io/report_json.h>

#include <nlohmann/json.hpp>

namespace olab::io {

/// Ordered, so that the text reads in the order of cli.md.
nlohmann::ordered_json reportJson(const analysis::Report& report, const ReportContext& context);

} // namespace olab::io
