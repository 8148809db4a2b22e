#include <olab/claims/claim_words.h>

#include "claim_texts.h"

#include <olab/analysis/rules.h>
#include <olab/experiment/held_experiment.h>
#include <olab/trace/value_text.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace olab::claims {
namespace {

constexpr std::string_view kSigns[] = {">=", "<=", "==", "!=", ">", "<"};
constexpr std::string_view kSignWords[] = {"at least", "at most", "", "not", "more than", "less than"};

/// "overlap(h2d,kernel)>=0.8", parsed.
struct Parts {
    std::string_view name;                ///< "overlap", or the whole of a pointer
    std::vector<std::string_view> inside; ///< "h2d", "kernel"
    std::size_t sign = 0;
    std::string_view right;
};

std::string_view cut(std::string_view text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::vector<std::string_view> listOf(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto comma = text.find(',');
        parts.push_back(cut(text.substr(0, comma)));
        if (comma == text.npos)
            return parts;
        text.remove_prefix(comma + 1);
    }
}

Parts partsOf(std::string_view expression) {
    std::size_t at = expression.npos, sign = 0;
    for (std::size_t i = 0; i < std::size(kSigns); ++i) // those with two characters come first
        if (const auto found = expression.find(kSigns[i]); found < at)
            at = found, sign = i;
    if (at == expression.npos)
        throw Error(ErrorKind::Usage, "bad-rule", "'" + std::string(expression) + "' compares nothing.");
    Parts parts;
    parts.sign = sign;
    parts.right = cut(expression.substr(at + kSigns[sign].size()));
    const std::string_view left = cut(expression.substr(0, at));
    const auto open = left.find('(');
    parts.name = left.substr(0, open);
    if (open != left.npos && left.ends_with(')'))
        parts.inside = listOf(left.substr(open + 1, left.size() - open - 2));
    return parts;
}

std::string className(std::string_view word) {
    constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"h2d", "H2D copies"},
                                                                        {"d2h", "D2H copies"},
                                                                        {"d2d", "D2D copies"},
                                                                        {"p2p", "P2P copies"},
                                                                        {"memset", "memsets"},
                                                                        {"kernel", "kernels"},
                                                                        {"compute", "the SMs"},
                                                                        {"memcpy_h2d", "H2D copies"},
                                                                        {"copy_h2d", "the H2D copy engine"},
                                                                        {"copy_d2h", "the D2H copy engine"}};
    for (const auto& [key, name] : kNames)
        if (key == word)
            return std::string(name);
    return std::string(word);
}

std::string titleOfRule(std::string_view id) {
    for (const analysis::RuleRow& row : analysis::ruleTable())
        if (row.id == id)
            return "\"" + std::string(row.title) + "\"";
    return std::string(id);
}

/// What is evaluated; `share`: a number from 0 to 1 shown as a percentage.
struct Subject {
    std::string words;
    bool share = false;
};

Subject subjectOf(const Parts& parts) {
    const auto of = [&](std::size_t i) { return i < parts.inside.size() ? className(parts.inside[i]) : ""; };
    if (parts.name == "number")
        return {"the probe's number " + std::string(parts.inside.empty() ? "" : parts.inside[0])};
    if (parts.name == "overlap")
        return {"the overlap of " + of(0) + " and " + of(1), true};
    if (parts.name == "concurrent")
        return {"the share of their time in which " + of(0) + " ran two or more at once", true};
    if (parts.name == "returned_early")
        return {"the share of calls for " + of(0) + " that returned before the work had ended", true};
    if (parts.name == "on_engine")
        return {"the share of " + of(0) + " done by " + of(1), true};
    if (parts.name == "slowed")
        return {"by how much " + of(1) + " made " + of(0) + " longer", true};
    if (parts.name == "/bounds/measured_ns")
        return {"the time of the whole run"};
    if (parts.name.starts_with("/devices/") && parts.name.ends_with("/memcpy_h2d/busy_ns"))
        return {"the time of all H2D copies"};
    return {std::string(parts.name) + (parts.inside.empty() ? "" : "(" + std::string(parts.inside[0]) + ")")};
}

std::optional<double> numberAt(std::string_view text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::string percent(double share) {
    return fixedText(100 * share, share > 0 && share < 0.1 ? 1 : 0) + " %";
}

std::string timeWords(double ns) {
    if (ns >= 1e6)
        return fixedText(ns / 1e6, 2) + " ms";
    return ns >= 1e3 ? fixedText(ns / 1e3, 2) + " us" : shortText(ns, 4) + " ns";
}

bool hasUnit(std::string_view right) {
    const auto unit = right.find_first_not_of("0123456789.+-e");
    return unit != right.npos && right.find('@') == right.npos &&
           (right.ends_with("ns") || right.ends_with("us") || right.ends_with("ms") || right.ends_with('s'));
}

bool isTime(const Parts& parts) {
    return parts.name.ends_with("_ns") || hasUnit(parts.right);
}

/// "1.1*@E23.small_copy" -> "1.1 times that of E23.small_copy"
std::string limitWords(const Parts& parts, bool share) {
    const auto at = parts.right.find('@');
    if (at != parts.right.npos) {
        const auto times = parts.right.find('*');
        return (times < at ? std::string(cut(parts.right.substr(0, times))) + " times that of "
                           : "that of ") +
               std::string(parts.right.substr(at + 1));
    }
    const auto number = numberAt(parts.right);
    if (share && number)
        return percent(*number);
    const auto unit = parts.right.find_first_not_of("0123456789.+-");
    if (!hasUnit(parts.right) || unit == parts.right.npos)
        return std::string(parts.right);
    return std::string(parts.right.substr(0, unit)) + " " + std::string(parts.right.substr(unit));
}

/// Rules with special wording: findings and wrong data.
std::string countWords(const Parts& parts) {
    const auto number = numberAt(parts.right);
    const bool none = number && ((*number == 0 && parts.sign == 2) || (*number <= 1 && parts.sign == 5));
    if (parts.name == "raced")
        return none ? "the data comes out right" : "the data comes out wrong";
    return (none ? "the program does not find " : "the program finds ") +
           (parts.inside.empty() ? std::string() : titleOfRule(parts.inside[0]));
}

/// The leading number in words, and the one after " and in RUN ".
std::string foundWords(const Parts& parts, std::string text) {
    const bool share = subjectOf(parts).share, time = isTime(parts);
    if (parts.name == "finding")
        return text == "0" ? "it does not" : "it does";
    if (parts.name == "raced")
        return text == "0" ? "it is right" : "wrong data in " + text + " of the runs";
    if (!share && !time)
        return text;
    const auto replace = [&](std::size_t from) {
        const std::string_view rest = std::string_view(text).substr(from);
        const auto number = numberAt(rest);
        if (!number)
            return;
        const auto end = std::min(rest.find(' '), rest.size());
        text.replace(from, end, share ? percent(*number) : timeWords(*number));
    };
    constexpr std::string_view kBeside = " and in ";
    if (const auto beside = text.find(kBeside); beside != text.npos)
        if (const auto name = text.find(' ', beside + kBeside.size()); name != text.npos)
            replace(name + 1);
    replace(0);
    return text;
}

} // namespace

std::string ruleWords(std::string_view rule) {
    const Parts parts = partsOf(claimRule(rule).expression);
    if (parts.name == "finding" || parts.name == "raced")
        return countWords(parts);
    const Subject subject = subjectOf(parts);
    const std::string sign(kSignWords[parts.sign]);
    return subject.words + " is " + sign + (sign.empty() ? "" : " ") + limitWords(parts, subject.share);
}

std::vector<RuleValue> ruleValues(const ClaimCase& tested, const CaseResult& result) {
    constexpr std::string_view kHolds = "holds, ", kNot = "does not hold, ", kUnjudged = "cannot be judged, ";
    std::vector<RuleValue> values;
    std::size_t from = 0;
    for (std::size_t i = 0; i < tested.holds.size(); ++i) {
        const std::string head = tested.holds[i] + ": ";
        const auto at = result.text.find(head, from);
        if (at == result.text.npos)
            return values;
        from = at + head.size();
        const auto next = i + 1 < tested.holds.size() ? result.text.find("; " + tested.holds[i + 1], from)
                                                      : result.text.npos;
        std::string_view said = std::string_view(result.text).substr(from, next - from);
        const ClaimRule rule = claimRule(tested.holds[i]);
        RuleValue value{std::string(rule.run), std::string(rule.expression), ruleWords(tested.holds[i]), {}};
        value.holds = said.starts_with(kHolds);
        value.judged = value.holds || said.starts_with(kNot);
        for (const std::string_view word : {kHolds, kNot, kUnjudged})
            if (said.starts_with(word))
                said.remove_prefix(word.size());
        value.found = foundWords(partsOf(rule.expression), std::string(said));
        values.push_back(std::move(value));
    }
    return values;
}

std::vector<std::string> claimsAbout(std::string_view finding) {
    const std::string wanted = "finding(" + std::string(finding) + ")";
    std::vector<std::string> ids;
    for (const ClaimRow& claim : claimTable()) {
        const auto speaks = [&](const std::vector<std::string>& rules) {
            return std::ranges::any_of(
                rules, [&](const std::string& rule) { return rule.find(wanted) != rule.npos; });
        };
        if (std::ranges::any_of(claim.cases, [&](const ClaimCase& tested) {
                return speaks(tested.holds) || speaks(tested.contrary);
            }))
            ids.push_back(claim.id);
    }
    return ids;
}

std::string_view outcomeWords(ClaimOutcome outcome) {
    return outcome == ClaimOutcome::NotTestable ? "not testable here" : outcomeName(outcome);
}

namespace {

using nlohmann::json;

struct CodeTable {
    std::vector<CodeListing> listings;
    std::map<std::string, ClaimCode, std::less<>> claims;
};

CodeListing listingFrom(const json& row) {
    CodeListing listing{row.at("id"), row.at("source"), {}, row.at("lines")};
    if (row.contains("numbers"))
        listing.numbers = row.at("numbers").get<std::vector<int>>();
    else
        for (int number = row.at("first"); listing.numbers.size() < listing.lines.size(); ++number)
            listing.numbers.push_back(number);
    return listing;
}

CodeTable readCode() {
    CodeTable table;
    try {
        const json all = json::parse(detail::codeText());
        for (const json& row : all.at("listings"))
            table.listings.push_back(listingFrom(row));
        const json claims = all.at("claims"); // items() refers to it
        for (const auto& [claim, row] : claims.items()) {
            const auto at =
                std::ranges::find(table.listings, row.at("listing").get<std::string>(), &CodeListing::id);
            if (at != table.listings.end())
                table.claims[claim] = {&*at, row.at("lines")};
        }
    } catch (const json::exception& e) { // part of the program: the unit tests catch it first
        throw Error(ErrorKind::Internal, "bad-claims", std::string("The code of claims: ") + e.what(),
                    "Report this as a bug of Overlap Lab.");
    }
    return table;
}

const CodeTable& codeTable() {
    static const CodeTable table = readCode();
    return table;
}

} // namespace

const ClaimCode& claimCode(std::string_view claim) {
    static const ClaimCode kNone;
    const auto at = codeTable().claims.find(claim);
    return at == codeTable().claims.end() ? kNone : at->second;
}

const std::vector<CodeListing>& codeListings() {
    return codeTable().listings;
}

} // namespace olab::claims
