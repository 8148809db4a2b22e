// Assertions about a report: the grammar of --assert, of what the text of a preset claims, and of everything
// else that decides by a recording.
//
//   EXPR  := LEFT SIGN RIGHT                    SIGN := >= <= == != > <
//   LEFT  := overlap(a,b) | hidden(a,b) | blocked(a,b)   numbers of a pair, worst device
//          | verdict(a,b)                       overlapped, stretched, partial, serialized or apart; on every
//          device | finding(id)                        how many, but for refuted ones | raced() runs of the
//          job whose data came out wrong | count(class) | count(class,gpu)    records of device work |
//          streams(class) | channels(engine)  how many were used, most on any device | waited(class) |
//          waited(class,SIZE) longest time from the return of the call that issued an
//                                               activity to its begin; of those of SIZE bytes at most
//          | first_done(class)                  which stream, from 0, had its last activity first
//          | concurrent(class)                  share of the class's busy time with two of it or more
//          | slowed(a,b)                        how much longer b made a's ops, as a share of their solo time
//          | on_engine(class,engine)            share of the class's records that ran on that engine
//          | returned_early(class)              share of them whose call returned before they had ended
//          | inversions()                       records that began before one issued earlier in their stream
//          had ended | number(NAME)             what a probe measured
//          | /json/pointer                      into the report
//   RIGHT := NUMBER [ns us ms s %] | word | "text"     % of shares, which need it above 1
//          | [NUMBER *] @NAME [+ NUMBER | - NUMBER]      the same of another recording, blanks around the
//          sign
//
// It fails closed: what is inconclusive, null, missing or rests on lost data, in whichever run of the job,
// never passes, whatever the sign.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/report.h>
#include <olab/io/report_document.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace olab {

/// What an assertion is about.
struct Judged {
    const Report& report;
    const ReportDocument& document; ///< of it
    const Facts* facts = nullptr;   ///< null: waited() and first_done() cannot be judged
};
/// The recording that @NAME means, or null.
using JudgedByName = std::function<const Judged*(std::string_view name)>;

/// What a probe measured (number(NAME)): medians under their names, extremes under NAME.min and NAME.max.
std::map<std::string, double, std::less<>> numbersOf(const Trace& trace);

struct AssertionResult {
    bool passed = false;
    std::string text;   ///< the expression with the value found, or why it cannot be judged
    bool judged = true; ///< false: it could not be, which never passes
};
/// @throws Error kind Usage for an expression that cannot be read.
AssertionResult checkAssertion(const Judged& judged, std::string_view expression,
                               const JudgedByName& others = {});

/// What a LEFT of the grammar is in a recording, to be put into a sentence.
struct ValueText {
    bool known = false;
    std::string text;  ///< "1.24 ms", "0.93", "serialized"; where it is not known, why not
    double number = 0; ///< 0 for words
};
/// @throws Error kind Usage for what cannot be read.
ValueText valueText(const Judged& judged, std::string_view left);

} // namespace olab
