#include "backend_conformance.h"

#include <olab/experiment/option_table.h>

#include <algorithm>

namespace olab::conformance {
namespace {

std::vector<std::string> integerValues(const experiment::OptionRow& row) {
    if (row.key == "kernel.threads")
        return {"32", "96", "1024"};
    if (row.key == "device")
        return {"0"}; // the only one that every machine has
    std::vector<std::string> values{std::to_string(row.min)};
    for (const std::int64_t v : {2, 5, 17})
        if (v > row.min && v <= row.max)
            values.push_back(std::to_string(v));
    return values;
}

/// The smallest, the sizes around which drivers change their ways, and an odd one.
std::vector<std::string> byteValues(const experiment::OptionRow& row) {
    std::vector<std::string> values{experiment::bytesToText(row.min)};
    for (const std::int64_t v : {4099, 65536, 65540, 8 << 20})
        if (v > row.min && v <= row.max)
            values.push_back(std::to_string(v) + "B");
    return values;
}

std::vector<std::string> valuesOf(const experiment::OptionRow& row) {
    if (row.key == "env.max_connections") // of the 33 those at the ends and around the usual 8
        return {"1", "2", "8", "9", "32"};
    if (row.key == "devices" || row.key == "p2p") // see everyDeviceValue()
        return {};
    switch (row.type) {
    case experiment::OptionType::Integer:
        return integerValues(row);
    case experiment::OptionType::Bytes:
        return byteValues(row);
    case experiment::OptionType::Blocks:
        return {"1", "64", "1000", "fill:1", "fill:2", "fill:8"};
    case experiment::OptionType::Switch:
    case experiment::OptionType::Choice:
    case experiment::OptionType::Model: // the built-in ones
        break;
    }
    return {row.choices.begin(), row.choices.end()};
}

/// What a value needs beside it to be possible.
struct Companion {
    std::string_view key, value;
    std::vector<std::pair<std::string_view, std::string_view>> needs;
};

const std::vector<Companion>& companions() {
    static const std::vector<Companion> all{
        {"h2d.target", "constant", {{"h2d.bytes", "4KiB"}}},
        {"stream.kind", "per-thread", {{"issue.threads", "per-stream"}}},
        {"deps", "copy-to-kernel", {{"kernel.stream", "other"}}},
        {"submit", "graph", {{"null_op", "off"}}},
    };
    return all;
}

Case caseOf(const experiment::Experiment& base, const experiment::OptionRow& row, const std::string& value) {
    Case c{std::string(row.key) + "=" + value, base};
    experiment::setOption(c.experiment, row.key, value);
    if (experiment::conflicts(c.experiment).empty())
        return c;
    for (const Companion& companion : companions())
        if (companion.key == row.key && companion.value == value)
            for (const auto& [key, needed] : companion.needs)
                experiment::setOption(c.experiment, key, needed);
    return c;
}

using Settings = std::vector<std::string>; ///< "key=value"

std::vector<Case> casesOf(const experiment::Experiment& base, const std::vector<Settings>& sets) {
    std::vector<Case> cases;
    for (const Settings& settings : sets) {
        Case c{{}, base};
        for (const std::string& assignment : settings) {
            c.name += (c.name.empty() ? "" : " ") + assignment;
            experiment::setOption(c.experiment, assignment);
        }
        cases.push_back(std::move(c));
    }
    return cases;
}

} // namespace

std::string testName(const Case& c) {
    std::string name = c.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char ch) { return !std::isalnum(ch); }, '_');
    return name;
}

experiment::HeldExperiment smallExperiment() {
    experiment::HeldExperiment e;
    experiment::setOption(e, "streams=3");
    experiment::setOption(e, "iterations=4");
    experiment::setOption(e, "h2d.bytes=1MiB");
    experiment::setOption(e, "d2h.bytes=1MiB");
    experiment::setOption(e, "memset.bytes=256KiB");
    experiment::setOption(e, "kernel.us=60");
    return e;
}

std::vector<Case> everyOptionValue(const experiment::Experiment& base) {
    std::vector<Case> cases{{"base", base}};
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        for (const std::string& value : valuesOf(row)) {
            Case c = caseOf(base, row, value);
            if (!(c.experiment == base) && experiment::conflicts(c.experiment).empty())
                cases.push_back(std::move(c));
        }
    }
    return cases;
}

std::vector<Case> everyCombination(const experiment::Experiment& base) {
    static const std::vector<Settings> sets{
        {"issue=on-callback"},
        {"issue=on-callback", "issue.threads=per-stream"},
        {"issue=on-callback", "callback.method=poll"},
        {"issue=on-callback", "callback.method=blocking-event", "issue.threads=per-stream"},
        {"issue=on-callback", "callback.method=streamcallback", "callback.us=50"},
        {"issue.threads=per-stream", "stream.kind=per-thread", "null_op=memset"},
        {"issue.threads=per-stream", "sync.every=iteration", "sync=event"},
        {"kernel.stream=other", "deps=copy-to-kernel", "order=breadth"},
        {"kernel.stream=null", "deps=copy-to-kernel"},
        {"kernel.stream=null", "stream.kind=blocking"},
        {"deps=event-chain", "order=breadth", "stream.kind=blocking"},
        {"sync.every=op", "sync=poll"},
        {"sync.every=op", "sync=stream", "stream.kind=legacy"},
        {"sync.at=before-d2h", "sync=event", "order=breadth"},
        {"submit=graph", "deps=event-chain"},
        {"submit=graph", "kernel.stream=other", "deps=copy-to-kernel"},
        {"stream.roles=on", "submit=graph"},
        {"stream.roles=on", "d2h=off", "sync=stream", "streams=1"},
        {"stream.roles=on", "h2d=off", "order=breadth", "stream.priority=descending"},
        {"submit=graph", "api=driver"},
        {"submit=graph", "stream.kind=blocking", "order=breadth"},
        {"submit=graph", "memset.method=kernel", "h2d.memory=mapped"},
        {"api=driver", "null_op=event", "stream.kind=blocking"},
        {"api=driver", "deps=event-chain", "memset.method=copy"},
        {"api=driver", "callback.method=streamcallback"},
        {"h2d.memory=mapped", "d2h.memory=mapped"},
        {"h2d.memory=managed", "d2h.memory=managed"},
        {"h2d.memory=registered", "d2h.memory=registered", "h2d.portable=on"},
        {"buffers=shared", "memset.method=copy"},
        {"interfere=malloc", "stream.kind=blocking", "order=breadth"},
        {"interfere=d2d", "null_op=kernel", "stream.kind=legacy"},
        {"stream.priority=descending", "kernel.blocks=fill:4"},
    };
    return casesOf(base, sets);
}

std::vector<Case> everyDeviceValue(const experiment::Experiment& base) {
    static const std::vector<Settings> sets{
        {"devices=all"},
        {"devices=all", "p2p=on"},
        {"devices=all", "order=breadth"},
        {"devices=all", "issue.threads=per-stream"},
        {"devices=all", "null_op=memset", "stream.kind=blocking"},
    };
    return casesOf(base, sets);
}

} // namespace olab::conformance
