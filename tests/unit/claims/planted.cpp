#include "planted.h"

#include <olab/experiment/backend.h>
#include <olab/trace/trace_builder.h>
#include <olab/trace/value_text.h>

#include <charconv>
#include <cmath>
#include <gtest/gtest.h>

namespace olab::test {
namespace {

struct Parts {
    std::string left, sign, right;
};

Parts partsOf(const std::string& expression) {
    const auto last = expression.find_last_of("<>=");
    auto first = last;
    while (first > 0 && std::string("<>=!").find(expression[first - 1]) != std::string::npos)
        --first;
    return {expression.substr(0, first), expression.substr(first, last - first + 1),
            expression.substr(last + 1)};
}

long double numberIn(const std::string& text) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(read.ptr, text.data() + text.size());
    const std::map<std::string, long double> units{
        {"", 1}, {"ns", 1}, {"us", 1e3L}, {"ms", 1e6L}, {"s", 1e9L}};
    EXPECT_TRUE(units.contains(unit)) << text;
    return value * units.at(unit);
}

/// A bit more than a number, or less.
long double step(long double number) {
    return std::max(0.001L, std::abs(number) * 0.01L);
}

/// A value of the range, not just on a limit that is no whole number: what is divided does not meet it.
long double inside(long double low, long double high) {
    const bool hasLow = low > -1e29L, hasHigh = high < 1e29L;
    if (hasLow && hasHigh)
        return (low + high) / 2;
    const long double limit = hasLow ? low : high;
    if (limit == std::floor(limit))
        return limit;
    return hasLow ? low + step(low) : high - step(high);
}

std::vector<std::string> argumentsOf(const std::string& left) {
    std::vector<std::string> all(1);
    const auto open = left.find('(');
    for (const char c : left.substr(open + 1, left.size() - open - 2))
        c == ',' ? (void)all.emplace_back() : all.back().push_back(c);
    return all;
}

std::string formOf(const std::string& left) {
    return left.starts_with('/') ? left : left.substr(0, left.find('('));
}

/// Ten activities of the class, each with its call; `mark` is told whether it is one of the `share`.
template <typename Mark>
void addTen(TraceBuilder& builder, ActivityClass cls, std::uint32_t first, long double share, Mark&& mark) {
    for (std::uint32_t i = 0; i < 10; ++i) {
        ActivityRecord call, work;
        call.cls = ActivityClass::Api, call.thread = 1, call.correlation = first + i;
        call.begin = 1000 + 1000 * i, call.end = call.begin + 100;
        work.cls = cls, work.device = 0, work.context = 1, work.stream = 7, work.correlation = first + i;
        work.begin = call.begin + 50, work.end = work.begin + 40; // done before its call has returned
        mark(work, static_cast<long double>(i) < share * 10 - 0.01L);
        builder.add(call);
        builder.add(work);
    }
}

/// What only activities can tell.
Trace traceWith(const std::map<std::string, long double>& values) {
    TraceBuilder builder;
    builder.add(DeviceRecord{0, "GPU", "uuid", 132, 3, 2048, 32, 65536, 228 << 10, 141ull << 30, 9, 0});
    builder.add(ContextRecord{1, 0, 7});
    builder.add(ProvenanceRecord{SourceKind::Cuda, "tests", "1", "2026-01-02T03:04:05Z"});
    std::uint32_t correlation = 1;
    for (const auto& [left, value] : values) {
        const auto arguments = argumentsOf(left);
        if (formOf(left) == "number")
            builder.add(EnvironmentRecord{std::string(experiment::kNumberKey) + arguments[0],
                                          shortText(static_cast<double>(value), 12)});
        if (formOf(left) == "returned_early")
            addTen(builder, *classFromName(arguments[0]), correlation, value,
                   [](ActivityRecord& work, bool early) { work.end += early ? 500 : 0; });
        if (formOf(left) == "on_engine")
            addTen(builder, *classFromName(arguments[0]), correlation, value,
                   [&](ActivityRecord& work, bool there) {
                       const bool compute = there == (arguments[1] == "compute");
                       work.channel = compute ? 1 : 2;
                       work.channelType = compute ? ChannelType::Compute : ChannelType::AsyncCopy;
                   });
        correlation += 100;
    }
    return builder.finish();
}

analysis::Verdict& verdictOf(analysis::Report& report, const std::vector<std::string>& classes) {
    const ActivityClass a = *classFromName(classes[0]), b = *classFromName(classes[1]);
    for (analysis::Verdict& verdict : report.verdicts)
        if ((verdict.a == a && verdict.b == b) || (verdict.a == b && verdict.b == a))
            return verdict;
    analysis::Verdict verdict;
    verdict.device = "0";
    verdict.a = a, verdict.b = b;
    verdict.kind = analysis::VerdictKind::Partial;
    verdict.known = verdict.blockedKnown = true;
    report.verdicts.push_back(verdict);
    return report.verdicts.back();
}

void setForm(analysis::Report& report, const std::string& left, long double value) {
    const std::string form = formOf(left);
    analysis::DeviceReport& device = report.devices.front();
    device.classes[ActivityClass::MemcpyOther].count = 1; // no form asks for it: the device did something
    if (form == "/bounds/measured_ns") {
        report.bounds.measured = static_cast<Ns>(value);
    } else if (form == "/devices/0/classes/memcpy_h2d/busy_ns") {
        device.classes[ActivityClass::MemcpyH2D].busy = static_cast<Ns>(value);
    } else if (form == "overlap") {
        verdictOf(report, argumentsOf(left)).ofAttainable = static_cast<double>(value);
    } else if (form == "slowed") {
        analysis::Verdict& verdict = verdictOf(report, argumentsOf(left));
        verdict.slowedA = static_cast<double>(value);
    } else if (form == "concurrent") {
        analysis::ClassNumbers& numbers = device.classes[*classFromName(argumentsOf(left)[0])];
        numbers.busy = 1'000'000;
        numbers.concurrent = static_cast<Ns>(value * 1'000'000);
    } else if (form == "count") {
        device.classes[*classFromName(argumentsOf(left)[0])].count = static_cast<std::uint64_t>(value);
    } else if (form == "channels") {
        device.engines[EngineKind::Compute].channels.resize(static_cast<std::size_t>(value));
    } else if (form == "finding") {
        for (int i = 0; i < static_cast<int>(value); ++i)
            report.findings.emplace_back().id = argumentsOf(left)[0];
    } else if (form == "raced" && value >= 1) {
        Defect wrong;
        wrong.code = DefectCode::DataMismatch, wrong.count = 3;
        report.runs = {2, 0, 1, true, {{2, true, {wrong}}}};
    }
}

const std::set<std::string> kForms{"/bounds/measured_ns",
                                   "/devices/0/classes/memcpy_h2d/busy_ns",
                                   "overlap",
                                   "slowed",
                                   "concurrent",
                                   "count",
                                   "channels",
                                   "finding",
                                   "raced",
                                   "number",
                                   "returned_early",
                                   "on_engine"};

} // namespace

recording::RecordingPtr recordingWith(const std::map<std::string, long double>& values) {
    auto recording = recording::makeRecording(
        {traceWith(values), experiment::shareExperiment(experiment::HeldExperiment{}), {}}, "planted", true);
    analysis::Report report;
    report.devices.emplace_back().id = "0";
    for (const auto& [left, value] : values) {
        EXPECT_TRUE(kForms.contains(formOf(left))) << "the tests cannot plant " << left;
        setForm(report, left, value);
    }
    recording->report = std::move(report);
    return recording;
}

void Planted::want(const std::string& rule) {
    const claims::ClaimRule parsed = claims::claimRule(rule);
    const std::string run(parsed.run);
    const Parts parts = partsOf(std::string(parsed.expression));
    for (const std::string& name : claims::runsOf(rule))
        m_runs.insert(name);
    const std::string key = run + ": " + parts.left;
    if (const auto at = parts.right.find('@'); at != std::string::npos) {
        const long double factor = at == 0 ? 1 : numberIn(parts.right.substr(0, at - 1));
        m_relations.push_back({key, parts.sign, parts.right.substr(at + 1) + ": " + parts.left, factor});
        return;
    }
    const long double number = numberIn(parts.right);
    Range& range = m_ranges[key];
    if (parts.sign == ">=" || parts.sign == "==")
        range.low = std::max(range.low, number);
    if (parts.sign == "<=" || parts.sign == "==")
        range.high = std::min(range.high, number);
    if (parts.sign == ">" || parts.sign == "!=")
        range.low = std::max(range.low, number + step(number));
    if (parts.sign == "<")
        range.high = std::min(range.high, number - step(number));
    EXPECT_LE(range.low, range.high) << "contradicts what was wanted before: " << rule;
}

void Planted::name(const std::vector<std::string>& rules) {
    for (const std::string& rule : rules)
        for (const std::string& run : claims::runsOf(rule))
            m_runs.insert(run);
}

void Planted::want(const std::vector<std::string>& rules) {
    for (const std::string& rule : rules)
        want(rule);
}

/// Relations pull their left sides until all of them hold.
void Planted::settle() {
    for (const auto& [key, range] : m_ranges)
        m_values[key] = inside(range.low, range.high);
    for (const Relation& relation : m_relations)
        for (const std::string& key : {relation.left, relation.right})
            m_values.try_emplace(key, 1e9L);
    for (int pass = 0; pass < 20; ++pass)
        for (const Relation& relation : m_relations) {
            const long double wanted = relation.factor * m_values[relation.right];
            long double& left = m_values[relation.left];
            if (relation.sign == ">=" && left < wanted)
                left = wanted * 1.02L;
            if (relation.sign == "<=" && left > wanted)
                left = wanted * 0.98L;
        }
}

claims::Evidence Planted::evidence() {
    settle();
    claims::Evidence evidence;
    for (const std::string& run : m_runs) {
        std::map<std::string, long double> values;
        for (const auto& [key, value] : m_values)
            if (key.starts_with(run + ": "))
                values[key.substr(run.size() + 2)] = value;
        evidence[run].repeats.push_back(
            std::make_shared<const assertion::JudgedRecording>(recordingWith(values)));
    }
    return evidence;
}

std::vector<std::string> controlRules(const std::vector<std::string>& experiments) {
    std::vector<std::string> rules;
    const auto add = [&rules](const claims::LabExperiment* experiment) {
        for (const claims::LabControl& control :
             experiment ? experiment->controls : std::vector<claims::LabControl>())
            rules.insert(rules.end(), control.holds.begin(), control.holds.end());
    };
    add(claims::findLabExperiment(claims::kControlsOfAll));
    for (const std::string& id : experiments)
        add(claims::findLabExperiment(id));
    return rules;
}

} // namespace olab::test
