// Forms about a whole report, and JSON pointers.
#include "assertion_values.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/race.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/error.h>

#include <algorithm>

namespace olab::assertion {
namespace {

std::string_view onlyArgument(const Query& query, std::string_view what) {
    if (query.arguments.size() != 1 || query.arguments.front().empty())
        refuseAssertion(query.expression, std::string(what) + " is needed, and nothing else");
    return query.arguments.front();
}

Found numberOf(std::uint64_t number) {
    return {static_cast<long double>(number), std::to_string(number), {}};
}

void refuseUnknownRule(std::string_view id, std::string_view expression) {
    std::vector<std::string_view> ids;
    std::string all;
    for (const std::string_view known : analysis::findingIds()) {
        if (known == id)
            return;
        ids.push_back(known);
        all += (all.empty() ? "" : ", ") + std::string(known);
    }
    const std::string nearest(experiment::nearestOf(ids, id));
    refuseAssertion(expression, "there is no rule '" + std::string(id) + "'" +
                                    (nearest.empty() ? " (the rules are " + all + ")"
                                                     : "; the nearest is '" + nearest + "'"));
}

/// Why the account of lost time is missing, which alone finds ids without a rule; empty: there is one.
std::string noAccountReason(const analysis::Report& report, std::string_view id) {
    if (analysis::isRule(id))
        return {};
    if (!report.ledger)
        return "no account was computed, and only it can find " + std::string(id);
    if (!report.ledger->missing.empty())
        return "there is no account, and only it can find " + std::string(id) + ": " + report.ledger->missing;
    using enum analysis::CauseFamily;
    const analysis::CauseFamily family = analysis::causeRow(analysis::lossCauseOf(id)).family;
    if (report.ledger->lacksCalls && (family == Host || family == Order))
        return "no API calls were recorded, and only they can show " + std::string(id);
    return {};
}

Found findFinding(const Query& query) {
    const analysis::Report& report = query.judged.report;
    const std::string_view id = onlyArgument(query, "a rule");
    refuseUnknownRule(id, query.expression);
    for (const analysis::Abstention& a : report.abstained)
        if (a.rule == id)
            return cannotJudge("the rule abstained, missing: " + a.lacks);
    if (std::string reason = comparison::lossReason(report); !reason.empty())
        return cannotJudge(std::move(reason));
    const auto count =
        std::count_if(report.findings.begin(), report.findings.end(), [id](const analysis::Finding& f) {
            return f.id == id && f.status != analysis::FindingStatus::Refuted;
        });
    if (std::string reason = noAccountReason(report, id); count == 0 && !reason.empty())
        return cannotJudge(std::move(reason));
    return {static_cast<long double>(count), std::to_string(count), {}};
}

/// Whether the right data is known, which is not the case for recorded work that is run again.
bool looksAtData(const analysis::Facts* facts) {
    return !facts || !facts->schedule() || facts->schedule()->checksData;
}

/// Wrong data is detected only in runs of Overlap Lab, which checks its data.
Found findRaced(const Query& query) {
    if (!query.arguments.empty())
        refuseAssertion(query.expression, "raced() takes nothing");
    const analysis::Report& report = query.judged.report;
    if (const int runs = analysis::racedRuns(report.runs).count(); runs > 0)
        return numberOf(static_cast<std::uint64_t>(runs));
    if (!analysis::raceText(report).empty())
        return numberOf(1);
    const bool isOurs = query.judged.document.at("/experiment").is == io::ReportValue::Is::Other;
    if (!isOurs || !looksAtData(query.judged.facts))
        return cannotJudge("the data of this program was not checked");
    if (std::string reason = comparison::lossReason(report); !reason.empty())
        return cannotJudge(std::move(reason)); // the result of the data check may be lost, too
    return numberOf(0);
}

/// The class on a device, or null if there is no such device or the class left no records.
const analysis::ClassNumbers* numbersOf(const analysis::DeviceReport& device, ActivityClass cls) {
    const auto at = device.classes.find(cls);
    return at == device.classes.end() ? nullptr : &at->second;
}

/// Why counts cannot be judged; empty: they can.
std::string noCountReason(const analysis::Report& report) {
    if (std::string reason = comparison::lossReason(report); !reason.empty())
        return reason;
    for (const analysis::DeviceReport& device : report.devices)
        for (const auto& [cls, numbers] : device.classes)
            if (numbers.count > 0)
                return {};
    return "no device work was recorded";
}

Found findCount(const Query& query) {
    if (query.arguments.empty() || query.arguments.size() > 2)
        refuseAssertion(query.expression, "a class is needed, and perhaps a device");
    const ActivityClass cls = classArgument(query.arguments.front(), query.expression);
    const analysis::Report& report = query.judged.report;
    if (std::string reason = noCountReason(report); !reason.empty())
        return cannotJudge(std::move(reason));
    std::uint64_t count = 0;
    bool there = false;
    for (const analysis::DeviceReport& device : report.devices) {
        if (query.arguments.size() == 2 && query.arguments[1] != device.id)
            continue;
        const analysis::ClassNumbers* numbers = numbersOf(device, cls);
        count += numbers ? numbers->count : 0;
        there = true;
    }
    return there ? numberOf(count) : cannotJudge("there is no device " + std::string(query.arguments.back()));
}

Found findStreams(const Query& query) {
    const ActivityClass cls = classArgument(onlyArgument(query, "a class"), query.expression);
    const analysis::Report& report = query.judged.report;
    if (std::string reason = noCountReason(report); !reason.empty())
        return cannotJudge(std::move(reason));
    std::size_t most = 0;
    for (const analysis::DeviceReport& device : report.devices)
        if (const analysis::ClassNumbers* numbers = numbersOf(device, cls))
            most = std::max(most, numbers->streams.size());
    return numberOf(most);
}

Found findChannels(const Query& query) {
    const EngineKind engine = engineArgument(onlyArgument(query, "an engine"), query.expression);
    const analysis::Report& report = query.judged.report;
    if (std::string reason = noCountReason(report); !reason.empty())
        return cannotJudge(std::move(reason));
    std::size_t most = 0;
    for (const analysis::DeviceReport& device : report.devices)
        if (const auto at = device.engines.find(engine); at != device.engines.end()) {
            if (at->second.channels.empty())
                return cannotJudge("the recording does not say which channels were used");
            most = std::max(most, at->second.channels.size());
        }
    return numberOf(most);
}

// --- JSON pointers

/// If a verdict or a proof is inconclusive, its numbers and words cannot be relied on: for the recording, or
/// for an iteration of it.
std::string doubtAbout(const io::ReportDocument& document, std::string_view pointer) {
    for (; !pointer.empty(); pointer = pointer.substr(0, pointer.rfind('/'))) {
        const std::string part(pointer);
        for (const char* word : {"/verdict", "/status"}) {
            const std::string kind = document.at(part + word).text;
            if (kind == "inconclusive" || kind == "not_applicable")
                return kind + ": " + document.at(part + "/text").text;
        }
    }
    return {};
}

bool dependsOnWholeness(std::string_view pointer) {
    constexpr std::string_view kFacts[] = {"/defects", "/source", "/environment", "/experiment", "/version"};
    return std::none_of(std::begin(kFacts), std::end(kFacts),
                        [pointer](std::string_view prefix) { return pointer.starts_with(prefix); });
}

io::ReportValue valueAt(const Judged& judged, std::string_view pointer, std::string_view expression) try {
    return judged.document.at(pointer);
} catch (const Error& e) {
    refuseAssertion(expression, e.what());
}

Found findPointer(const Judged& judged, const Wanted& wanted, std::string_view expression) {
    using Is = io::ReportValue::Is;
    const io::ReportValue value = valueAt(judged, wanted.left, expression);
    if (value.is == Is::Missing)
        return cannotJudge("the report has no such value");
    if (std::string reason = doubtAbout(judged.document, wanted.left); !reason.empty())
        return cannotJudge(std::move(reason));
    const analysis::Bounds& bounds = judged.report.bounds;
    if (wanted.left.starts_with("/bounds/limiting") &&
        !bounds.serial) // the words say why there are no bounds
        return cannotJudge(bounds.limiting);
    if (value.is == Is::Null)
        return cannotJudge("it is null in this report");
    if (value.is == Is::Other)
        return cannotJudge("it is neither a number nor a text: " + value.shown);
    if (std::string reason = comparison::lossReason(judged.report);
        !reason.empty() && dependsOnWholeness(wanted.left))
        return cannotJudge(std::move(reason));
    if (value.is == Is::Text)
        return {0, value.shown, {}, {value.text}};
    return {value.number, value.shown, {}};
}

// --- the forms

struct Form {
    std::string_view name;
    Found (*find)(const Query&);
    bool isTime = false, isWord = false;
    ShareKind share = ShareKind::None;
};
constexpr Form shareForm(std::string_view name, Found (*find)(const Query&), ShareKind kind) {
    return {name, find, false, false, kind};
}
constexpr Form kTable[] = {
    shareForm("overlap", findOverlap, ShareKind::Part),
    shareForm("hidden", findHidden, ShareKind::Part),
    {"blocked", findBlocked, true},
    {"verdict", findVerdict, false, true},
    {"finding", findFinding},
    {"raced", findRaced},
    {"count", findCount},
    {"streams", findStreams},
    {"channels", findChannels},
    {"waited", findWaited, true},
    {"first_done", findFirstDone},
    shareForm("concurrent", findConcurrent, ShareKind::Part),
    shareForm("slowed", findSlowed, ShareKind::Growth),
    shareForm("on_engine", findOnEngine, ShareKind::Part),
    {"inversions", findInversions},
    shareForm("returned_early", findReturnedEarly, ShareKind::Part),
    {"number", findNumber, true},
};

const Form& formNamed(std::string_view name, std::string_view expression) {
    const auto form = std::ranges::find(kTable, name, &Form::name);
    if (form == std::end(kTable))
        refuseAssertion(expression, "'" + std::string(name) + "' is not a known form");
    return *form;
}

std::vector<std::string_view> argumentsIn(std::string_view list) {
    std::vector<std::string_view> arguments;
    if (trimmed(list).empty())
        return arguments;
    for (;;) {
        const auto comma = list.find(',');
        arguments.push_back(trimmed(list.substr(0, comma)));
        if (comma == list.npos)
            return arguments;
        list = list.substr(comma + 1);
    }
}

/// Forms with words need a word, forms with times a time.
void refuseMismatch(const Form& form, const Wanted& wanted, std::string_view expression) {
    if (wanted.isTime && !form.isTime)
        refuseAssertion(expression, std::string(form.name) + " is not a time");
    if (wanted.isPercent && form.share == ShareKind::None)
        refuseAssertion(expression, std::string(form.name) + " is not a share");
    if (!wanted.isPercent)
        refuseBareShare(wanted.number, form.share, expression);
    if (!wanted.word.empty() && !form.isWord)
        refuseAssertion(expression, "'" + wanted.word + "' is no number");
    if (wanted.word.empty() && form.isWord &&
        (wanted.other.empty() || wanted.number != 0 || wanted.factor != 1))
        refuseAssertion(expression, std::string(form.name) + " is a word, not a number");
}

} // namespace

ActivityClass classArgument(std::string_view name, std::string_view expression) {
    if (const auto cls = classFromName(name); cls && isDeviceClass(*cls))
        return *cls;
    refuseAssertion(expression, "'" + std::string(name) +
                                    "' is not a class of device work (kernel, memset, h2d, d2h, d2d, p2p)");
}

EngineKind engineArgument(std::string_view name, std::string_view expression) {
    for (const EngineKind kind : {EngineKind::Compute, EngineKind::CopyH2D, EngineKind::CopyD2H,
                                  EngineKind::CopyD2D, EngineKind::CopyP2P})
        if (engineName(kind) == name)
            return kind;
    refuseAssertion(expression, "'" + std::string(name) +
                                    "' is not an engine (compute, copy_h2d, copy_d2h, copy_d2d, copy_p2p)");
}

bool givesTime(std::string_view left) {
    if (left.starts_with('/'))
        return left.ends_with("_ns") || left.find('&') != left.npos;
    const auto form = std::ranges::find(kTable, trimmed(left.substr(0, left.find('('))), &Form::name);
    return form != std::end(kTable) && form->isTime;
}

Found findValue(const Judged& judged, const Wanted& wanted, std::string_view expression) {
    const std::string_view left = wanted.left;
    if (left.starts_with('/')) {
        if (wanted.isTime && !givesTime(left))
            refuseAssertion(expression, "only values that end in _ns and overlaps are times");
        if (wanted.isPercent)
            refuseAssertion(expression, "values of the report are taken as they stand there, without %");
        return findPointer(judged, wanted, expression);
    }
    const auto open = left.find('(');
    if (open == left.npos || !left.ends_with(')'))
        refuseAssertion(expression, "'" + std::string(left) + "' is not a known form");
    const Form& form = formNamed(trimmed(left.substr(0, open)), expression);
    refuseMismatch(form, wanted, expression);
    return form.find(
        {judged, argumentsIn(left.substr(open + 1, left.size() - open - 2)), wanted, expression});
}

} // namespace olab::assertion
