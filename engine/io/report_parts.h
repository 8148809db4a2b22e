// The report as values of the JSON library, and its parts. Private to io.
#pragma once

#include <olab/analysis/collectives.h>
#include <olab/analysis/communication.h>
#include <olab/analysis/costly_waits.h>
#include <olab/analysis/report.h>
#include <olab/analysis/steady_state.h>

#include <olab/io/report_json.h>

#include <nlohmann/json.hpp>

#include <functional>

namespace olab::io {

// The account of lost time as the members `headline` and `ledger` of the report (cli.md, "The ledger and its
// causes").

/// Null if none was computed, or the recording does not allow one: then `ledger_missing` says why.
nlohmann::ordered_json ledgerJson(const analysis::Ledger* ledger);

// The part of a report about merged recordings, collectives of several devices and communication.

nlohmann::ordered_json ranksJson(const Trace& trace);
nlohmann::ordered_json collectivesJson(const analysis::Collectives& collectives, const Trace& trace);
nlohmann::ordered_json communicationJson(const analysis::Communication& communication, const Trace& trace);

// The steady state in a report.

/// Writes the parts of the report that an iteration and the whole have in common.
struct IterationWriters {
    std::function<nlohmann::ordered_json(const analysis::DeviceReport&)> device;
    std::function<nlohmann::ordered_json(const analysis::Verdict&)> verdict;
    std::function<nlohmann::ordered_json(const analysis::Bounds&)> bounds;
};

/// Null if it was not computed; with "missing" if there is none.
nlohmann::ordered_json steadyStateJson(const analysis::SteadyState* found, const IterationWriters& write);

// The longest waits of a program in the report.

nlohmann::ordered_json waitsJson(const analysis::TraceFacts& facts,
                                 const std::shared_ptr<const analysis::Ledger>& account);

/// The whole report. Ordered, so that the text reads in the order of cli.md.
nlohmann::ordered_json reportJson(const analysis::Report& report, const ReportContext& context);

} // namespace olab::io
