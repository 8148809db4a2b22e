// Assertions about a report: the grammar of --assert, of preset claims, and of everything else that is
// decided by a recording.
//
//   EXPR  := LEFT SIGN RIGHT                 SIGN := >= <= == != > <
//   LEFT  := overlap(a,b) | hidden(a,b)       shares of a pair, worst device
//          | blocked(a,b)                     time, worst device
//          | verdict(a,b)                     stretched, serialized, ...; on every device
//          | finding(id)                      how many, without refuted ones
//          | raced()                          runs of the job whose data was wrong
//          | count(class) | count(class,gpu)  records of device work
//          | streams(class) | channels(engine)      how many were used, highest of all devices
//          | waited(class) | waited(class,SIZE)     longest time from the return of the issuing call to the
//                                             start of the activity; only those of at most SIZE bytes
//          | first_done(class)                stream, from 0, that was first to finish its last activity
//          | concurrent(class)                share of the class's busy time with two or more at once
//          | slowed(a,b)                      how much longer b made a's ops, as a share of their solo time
//          | on_engine(class,engine)          share of the class's records that ran on that engine
//          | returned_early(class)            share of the class's records whose call returned before the end
//          | inversions()                     records that began before an earlier one of their stream ended
//          | number(NAME)                     what a probe measured
//          | /json/pointer                    into the report
//   RIGHT := NUMBER [ns us ms s %] | word | "text"      % of shares; required above 1
//          | [NUMBER *] @NAME [+ NUMBER | - NUMBER]     the same of another recording, blanks around the sign
//
// It fails closed: a value that is inconclusive, null, missing or based on lost data, in any run of the job,
// never passes, whatever the sign.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/report.h>
#include <olab/io/report_document.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace olab::assertion {

/// The recording that an assertion is about.
struct Judged {
    const analysis::Report& report;
    const io::ReportDocument& document;     ///< of that recording
    const analysis::Facts* facts = nullptr; ///< null: waited() and first_done() cannot be judged
};
/// The recording that @NAME refers to, or null.
using JudgedByName = std::function<const Judged*(std::string_view name)>;

/// The measurements of a probe (number(NAME)): medians under their names, extremes under NAME.min and
/// NAME.max.
std::map<std::string, double, std::less<>> numbersOf(const Trace& trace);

struct AssertionResult {
    bool passed = false;
    std::string text;   ///< the expression with the measured value, or why it cannot be judged
    bool judged = true; ///< false: it could not be judged, and does not pass
};
/// @throws Error kind Usage for an invalid expression.
AssertionResult checkAssertion(const Judged& judged, std::string_view expression,
                               const JudgedByName& others = {});

/// The value of a LEFT of the grammar in a recording, to be inserted into a sentence.
struct ValueText {
    bool known = false;
    std::string text;  ///< "1.24 ms", "0.93", "serialized"; if unknown, the reason
    double number = 0; ///< 0 for words
};
/// @throws Error kind Usage for an invalid LEFT.
ValueText valueText(const Judged& judged, std::string_view left);

} // namespace olab::assertion
