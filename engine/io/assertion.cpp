#include <olab/analysis/rules.h>
#include <olab/experiment/option_table.h>
#include <olab/io/report_json.h>
#include <olab/trace/number_text.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace olab {
namespace {

constexpr std::string_view kForms =
    "Write overlap(a,b), hidden(a,b), blocked(a,b), finding(id) or a JSON pointer "
    "such as /bounds/efficiency, then >= <= == > or < and a number; times take ns, "
    "us, ms or s.";

[[noreturn]] void refuse(std::string_view expression, const std::string& why) {
    throw Error(ErrorKind::Usage, "bad-assertion",
                "The assertion '" + std::string(expression) + "' cannot be read: " + why + ".",
                std::string(kForms));
}

std::string_view trimmed(std::string_view s) {
    const auto first = s.find_first_not_of(" \t");
    return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(" \t") - first + 1);
}

enum class Compare : std::uint8_t { GreaterEqual, LessEqual, Equal, Greater, Less };

struct Wanted {
    std::string_view left;
    Compare compare{};
    long double number = 0; ///< 64 bits of mantissa: every int64 ns compares exactly
    bool isTime = false;
};

Compare compareFrom(std::string_view op, std::string_view expression) {
    constexpr std::pair<std::string_view, Compare> kTable[] = {{">=", Compare::GreaterEqual},
                                                               {"<=", Compare::LessEqual},
                                                               {"==", Compare::Equal},
                                                               {">", Compare::Greater},
                                                               {"<", Compare::Less}};
    for (const auto& [text, compare] : kTable)
        if (op == text)
            return compare;
    refuse(expression, "'" + std::string(op) + "' is no comparison");
}

void readNumber(std::string_view text, Wanted& wanted, std::string_view expression) {
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !std::isfinite(number))
        refuse(expression, "'" + std::string(text) + "' is no number");
    const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(rest - text.data())));
    constexpr std::pair<std::string_view, long double> kUnits[] = {
        {"ns", 1.0L}, {"us", 1e3L}, {"ms", 1e6L}, {"s", 1e9L}};
    wanted.number = number;
    if (unit.empty())
        return;
    for (const auto& [name, factor] : kUnits) {
        if (unit == name) {
            wanted.number *= factor;
            wanted.isTime = true;
            return;
        }
    }
    refuse(expression, "'" + std::string(unit) + "' is no unit of time");
}

Wanted parse(std::string_view expression) {
    const auto last = expression.find_last_of("<>=");
    if (last == expression.npos)
        refuse(expression, "there is no comparison in it");
    auto first = last;
    while (first > 0 && std::string_view("<>=").find(expression[first - 1]) != std::string_view::npos)
        --first;
    Wanted wanted;
    wanted.left = trimmed(expression.substr(0, first));
    wanted.compare = compareFrom(expression.substr(first, last - first + 1), expression);
    readNumber(trimmed(expression.substr(last + 1)), wanted, expression);
    return wanted;
}

bool holds(const Wanted& wanted, long double found) {
    switch (wanted.compare) {
    case Compare::GreaterEqual:
        return found >= wanted.number;
    case Compare::LessEqual:
        return found <= wanted.number;
    case Compare::Equal:
        return found == wanted.number;
    case Compare::Greater:
        return found > wanted.number;
    case Compare::Less:
        return found < wanted.number;
    }
    return false;
}

/// A value, or why there is none.
struct Found {
    long double value = 0;
    std::string shown;  ///< the value as text
    std::string reason; ///< not empty: cannot be judged
};

Found cannotJudge(std::string reason) {
    return {0, {}, std::move(reason)};
}

/// Numbers of a recording that lost data say nothing about what really happened.
std::string lossReason(const Report& report) {
    for (const Defect& defect : report.defects)
        if (defect.severity() != Severity::Notice)
            return "the recording is not whole (" + std::string(defectRow(defect.code).id) +
                   "): " + defect.text();
    return {};
}

/// The verdicts are those of the run that is shown; an assertion is about the experiment.
std::string otherLossReason(const Report& report, ClassMask classes) {
    for (const RunTrouble& run : report.runs.troubled)
        for (const Defect& defect : run.defects)
            if (run.run != report.runs.shown && (defect.classes & classes) != 0)
                return runName(report.runs, run) + " is not whole (" +
                       std::string(defectRow(defect.code).id) + "): " + defect.text();
    return {};
}

// --- overlap(a,b), hidden(a,b), blocked(a,b)

enum class PairForm : std::uint8_t { Overlap, Hidden, Blocked };

long double pairValue(PairForm form, const Verdict& v, bool swapped) {
    switch (form) {
    case PairForm::Overlap:
        return v.ofAttainable;
    case PairForm::Hidden:
        return swapped ? v.ofB : v.ofA;
    case PairForm::Blocked:
        break;
    }
    return static_cast<long double>(v.blocked);
}

std::string pairText(PairForm form, const Verdict& v, long double value) {
    return (form == PairForm::Blocked ? std::to_string(v.blocked) + " ns"
                                      : shortText(static_cast<double>(value), 4)) +
           " on device " + v.device + ", " + std::string(verdictName(v.kind));
}

/// Why a pair of one device has no such number; empty: it has.
std::string noNumberReason(PairForm form, const Verdict& v) {
    if (v.kind == VerdictKind::Inconclusive)
        return "inconclusive on device " + v.device + ": " + v.text;
    if (!v.known)
        return "it was not computed for device " + v.device;
    if (form == PairForm::Blocked && !v.blockedKnown)
        return "the recording lacks the solo runs that tell how long an operation takes alone";
    return {};
}

/// Worst over the devices where both classes occur: the lowest share, the longest blocked time.
Found findPair(PairForm form, const Report& report, ActivityClass a, ActivityClass b) {
    const std::string neither =
        "no device ran both " + std::string(className(a)) + " and " + std::string(className(b));
    Found worst = cannotJudge(neither);
    if (std::string reason = otherLossReason(report, maskOf(a) | maskOf(b)); !reason.empty())
        return cannotJudge(std::move(reason));
    for (const Verdict& v : report.verdicts) {
        const bool swapped = v.a == b && v.b == a;
        if (!(v.a == a && v.b == b) && !swapped)
            continue;
        if (v.kind == VerdictKind::NotApplicable) {
            if (!worst.reason.empty() && !v.text.empty())
                worst.reason = neither + ": " + v.text;
            continue;
        }
        if (std::string reason = noNumberReason(form, v); !reason.empty())
            return cannotJudge(std::move(reason));
        const long double value = pairValue(form, v, swapped);
        const bool isWorse = form == PairForm::Blocked ? value > worst.value : value < worst.value;
        if (!worst.reason.empty() || isWorse)
            worst = {value, pairText(form, v, value), {}};
    }
    return worst;
}

ActivityClass classArgument(std::string_view name, std::string_view expression) {
    if (const auto cls = classFromName(trimmed(name)); cls && isDeviceClass(*cls))
        return *cls;
    refuse(expression,
           "'" + std::string(name) + "' is no class of device work (kernel, memset, h2d, d2h, d2d, p2p)");
}

Found findPairForm(PairForm form, const Report& report, std::string_view arguments,
                   std::string_view expression) {
    const auto comma = arguments.find(',');
    if (comma == arguments.npos)
        refuse(expression, "two classes are needed");
    const ActivityClass a = classArgument(arguments.substr(0, comma), expression);
    const ActivityClass b = classArgument(arguments.substr(comma + 1), expression);
    if (a == b)
        refuse(expression, "the two classes are the same");
    return findPair(form, report, a, b);
}

// --- finding(id)

void refuseUnknownRule(std::string_view id, std::string_view expression) {
    std::vector<std::string_view> ids;
    std::string all;
    for (const RuleRow& row : ruleTable()) {
        if (row.id == id)
            return;
        ids.push_back(row.id);
        all += (all.empty() ? "" : ", ") + std::string(row.id);
    }
    const std::string nearest(nearestOf(ids, id));
    refuse(expression,
           "there is no rule '" + std::string(id) + "'" +
               (nearest.empty() ? " (the rules are " + all + ")" : "; the nearest is '" + nearest + "'"));
}

Found findFinding(const Report& report, std::string_view id, std::string_view expression) {
    refuseUnknownRule(id, expression);
    for (const Abstention& a : report.abstained)
        if (a.rule == id)
            return cannotJudge("the rule abstained for want of " + a.lacks);
    if (std::string reason = lossReason(report); !reason.empty())
        return cannotJudge(std::move(reason));
    const auto count = std::count_if(report.findings.begin(), report.findings.end(), [id](const Finding& f) {
        return f.id == id && f.status != FindingStatus::Refuted;
    });
    return {static_cast<long double>(count), std::to_string(count), {}};
}

// --- JSON pointers

/// A number inside a verdict that could not be given is no number to rely on.
std::string verdictReason(const nlohmann::json& json, std::string_view pointer) {
    if (!pointer.starts_with("/verdicts/"))
        return {};
    const auto end = pointer.find('/', std::string_view("/verdicts/").size());
    const nlohmann::json verdict =
        json.value(nlohmann::json::json_pointer(std::string(pointer.substr(0, end))), nlohmann::json());
    const std::string kind = verdict.is_object() ? verdict.value("verdict", "") : "";
    return kind == "inconclusive" || kind == "not_applicable" ? kind + ": " + verdict.value("text", "") : "";
}

bool dependsOnWholeness(std::string_view pointer) {
    constexpr std::string_view kFacts[] = {"/defects",     "/counts",     "/source",
                                           "/environment", "/experiment", "/version"};
    return std::none_of(std::begin(kFacts), std::end(kFacts),
                        [pointer](std::string_view prefix) { return pointer.starts_with(prefix); });
}

Found findPointer(const Report& report, const std::string& reportJson, std::string_view text,
                  std::string_view expression) try {
    const nlohmann::json json = nlohmann::json::parse(reportJson);
    const nlohmann::json::json_pointer pointer{std::string(text)};
    if (!json.contains(pointer))
        return cannotJudge("the report has no such value");
    const nlohmann::json& value = json.at(pointer);
    if (std::string reason = verdictReason(json, text); !reason.empty())
        return cannotJudge(std::move(reason));
    if (!value.is_number())
        return cannotJudge(value.is_null() ? "it is null in this report"
                                           : "it is not a number: " + value.dump());
    if (std::string reason = lossReason(report); !reason.empty() && dependsOnWholeness(text))
        return cannotJudge(std::move(reason));
    const long double number =
        value.is_number_unsigned()  ? static_cast<long double>(value.get<std::uint64_t>())
        : value.is_number_integer() ? static_cast<long double>(value.get<std::int64_t>())
                                    : static_cast<long double>(value.get<double>());
    return {number, value.dump(), {}};
} catch (const nlohmann::json::exception& e) {
    refuse(expression, std::string("the JSON pointer is wrong (") + e.what() + ")");
}

// --- dispatch

Found find(const Report& report, const std::string& reportJson, const Wanted& wanted,
           std::string_view expression) {
    if (wanted.left.starts_with('/')) {
        if (wanted.isTime && !wanted.left.ends_with("_ns") && wanted.left.find("&") == std::string_view::npos)
            refuse(expression, "only values that end in _ns and overlaps are times");
        return findPointer(report, reportJson, wanted.left, expression);
    }
    const auto open = wanted.left.find('(');
    if (open == wanted.left.npos || !wanted.left.ends_with(')'))
        refuse(expression, "'" + std::string(wanted.left) + "' is no known form");
    const std::string_view name = trimmed(wanted.left.substr(0, open));
    const std::string_view arguments = wanted.left.substr(open + 1, wanted.left.size() - open - 2);
    if (name == "blocked")
        return findPairForm(PairForm::Blocked, report, arguments, expression);
    if (wanted.isTime)
        refuse(expression, std::string(name) + " is no time");
    if (name == "overlap")
        return findPairForm(PairForm::Overlap, report, arguments, expression);
    if (name == "hidden")
        return findPairForm(PairForm::Hidden, report, arguments, expression);
    if (name == "finding")
        return findFinding(report, trimmed(arguments), expression);
    refuse(expression, "'" + std::string(name) + "' is no known form");
}

} // namespace

AssertionResult checkAssertion(const Report& report, const std::string& reportJson,
                               std::string_view expression) {
    const Wanted wanted = parse(expression);
    const Found found = find(report, reportJson, wanted, expression);
    const std::string shown = std::string(trimmed(expression));
    if (!found.reason.empty())
        return {false, shown + ": cannot be judged, " + found.reason};
    const bool passed = holds(wanted, found.value);
    return {passed, shown + (passed ? ": holds, " : ": does not hold, ") + found.shown};
}

} // namespace olab
