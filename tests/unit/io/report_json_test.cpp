#include "sample.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/report_json.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace olab::io {
namespace {

using nlohmann::json;

// The sketch of cli.md: every key with a value of its type. Where it says "...", the sample has what stands
// here.
constexpr const char* kSketch = R"({
  "format": "olab-report", "version": 1,
  "source": {"kind": "cuda", "live": true, "recorded_at": "", "file": "", "tool": "", "tool_version": ""},
  "environment": {"device": "", "device_uuid": "", "driver": "", "runtime": "", "cupti": "", "platform": ""},
  "experiment": {"streams": 3},
  "devices": {"0": {"name": "", "span_ns": 0, "idle_ns": 0, "busy_any_ns": 0, "first_ns": 0, "last_ns": 0,
    "classes": {"kernel": {"count": 0, "busy_ns": 0, "sum_ns": 0, "concurrent_ns": 0, "zero_duration": 0, "bytes": 0,
                           "streams": ["7"]},
                "memcpy_h2d": {}, "memcpy_d2h": {}, "memcpy_d2d": {}, "memcpy_p2p": {}, "memset": {}},
    "pairs": {"kernel&memcpy_h2d": 0},
    "derived": {"copy_busy_ns": 0, "kernel&copy": 0, "copy_hd_busy_ns": 0, "kernel&copy_hd": 0,
                "copy_hd_excl_uvm_busy_ns": 0, "kernel&copy_hd_excl_uvm": 0, "uvm_count": 0, "uvm_busy_ns": 0},
    "engines": {"compute": {"count": 0, "busy_ns": 0, "concurrent_ns": 0, "channels": [1],
                            "by_class": {"kernel": 0, "memset": 0}}, "copy_h2d": {}},
    "engine_pairs": {"compute&copy_h2d": 0}}},
  "host": {"host_fn": {"count": 0, "busy_ns": 0}, "api": {"cudaMemcpyAsync": {"count": 0, "median_ns": 0, "max_ns": 0}}},
  "verdicts": [{"device": "0", "a": "", "b": "", "verdict": "", "overlap_ns": 0, "of_attainable": 0.5, "of_a": 0.5,
                "of_b": 0.5, "blocked_ns": 0, "of_run": 0.5, "minor": true, "text": ""}],
  "bounds": {"serial_ns": 0, "one_copy_engine_ns": 0, "two_copy_engines_ns": 0, "critical_path_ns": 0, "measured_ns": 0,
             "ideal_ns": 0, "ideal_from": "", "efficiency": 0.5, "limiting": "", "gains_little": true},
  "tool_effect": {"traced_ns": 0, "untraced_ns": 0, "ratio": 0.5},
  "findings": [{"id": "", "status": "", "lost_ns": 0, "waited_ns": 0, "activities": [1], "text": "", "remedy": "",
                "try": {"h2d.memory": "pinned"}}],
  "abstained": [{"rule": "", "lacks": ""}],
  "not_causes": [{"id": "", "count": 0, "time_ns": 0, "text": ""}], "not_observable": [{"id": "", "text": ""}],
  "defects": [{"code": "", "severity": "", "count": 0, "text": ""}],
  "counts": {"read": 0, "kept": 0, "refused": 0}})";

void expectHasAllOf(const json& sketch, const json& found, const std::string& path) {
    if (sketch.is_number_integer())
        EXPECT_TRUE(found.is_number_integer()) << path;
    else
        EXPECT_EQ(sketch.type_name(), std::string(found.type_name())) << path;
    if (sketch.is_object())
        for (const auto& [key, value] : sketch.items()) {
            ASSERT_TRUE(found.contains(key)) << path << "/" << key;
            expectHasAllOf(value, found.at(key), path + "/" + key);
        }
    if (sketch.is_array()) {
        ASSERT_FALSE(found.empty()) << path;
        expectHasAllOf(sketch.at(0), found.at(0), path + "/0");
    }
}

class ReportJson : public testing::Test {
protected:
    json make(const analysis::Report& report, bool live = true) const {
        return json::parse(reportToJson(report, {m_trace, &*m_experiment, live, "run.olab"}));
    }
    Trace m_trace = test::sampleTrace();
    experiment::HeldExperiment m_experiment;
};

TEST_F(ReportJson, HasEveryKeyOfTheContractWithItsType) {
    expectHasAllOf(json::parse(kSketch), make(test::sampleReport()), "");
}

json reportOf(SourceKind source, const char* said) {
    TraceBuilder builder;
    builder.add(ProvenanceRecord{source, "a tool", "1", ""});
    if (said)
        builder.add(EnvironmentRecord{"simulator.report", said});
    builder.add(EnvironmentRecord{"simulator.trust", "Simulated."});
    const Trace trace = builder.finish();
    return json::parse(reportToJson(analysis::Report{}, {trace, nullptr, false, ""}));
}

TEST_F(ReportJson, ASimulatedRunSaysHowFarToTrustIt) {
    const char* said = R"({"model": "M", "checked": null, "for_this_run": {"cells": 0}})";
    const json j = reportOf(SourceKind::Simulated, said);
    EXPECT_EQ(j["simulator"], json::parse(said));
    EXPECT_FALSE(j["environment"].contains("simulator.report")) << "it has a member of its own";
    EXPECT_FALSE(j["environment"].contains("simulator.trust"));
}

TEST_F(ReportJson, OnlyASimulatedRunDoes) {
    EXPECT_TRUE(reportOf(SourceKind::Cuda, R"({"model": "M"})")["simulator"].is_null());
    EXPECT_TRUE(reportOf(SourceKind::Simulated, nullptr)["simulator"].is_null());
    for (const char* damaged : {"", "{", "7", "[1]", "{} {}"})
        EXPECT_TRUE(reportOf(SourceKind::Simulated, damaged)["simulator"].is_null()) << damaged;
}

TEST_F(ReportJson, TheAccountSaysWhatIsInferredAndWhatIsALimitOnlyWhereItIs) {
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->measured = 100;
    ledger->entries.resize(3);
    ledger->entries[0].cause = analysis::LossCause::EventOrder;
    ledger->entries[0].isInferred = true;
    ledger->entries[1].cause = analysis::LossCause::LaunchBound;
    ledger->entries[1].more = 7;
    analysis::Report report = test::sampleReport();
    report.ledger = ledger;
    const json causes = make(report)["ledger"]["causes"];
    EXPECT_EQ(causes[0]["inferred"], true);
    EXPECT_FALSE(causes[0].contains("more_ns"));
    EXPECT_EQ(causes[1]["more_ns"], 7);
    EXPECT_FALSE(causes[1].contains("inferred"));
    EXPECT_FALSE(causes[2].contains("inferred") || causes[2].contains("more_ns"));
}

TEST_F(ReportJson, WhatOnlyTheAuthorCanKnowIsBesideTheCauses) {
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->measured = 100;
    analysis::Report report = test::sampleReport();
    report.ledger = ledger;
    EXPECT_FALSE(make(report)["ledger"].contains("if_independent"));
    ledger->ifIndependent = {
        .gain = 40, .kernels = 5, .sequence = 3, .share = 0.25, .activities = {3}, .text = "If."};
    EXPECT_EQ(
        make(report)["ledger"]["if_independent"],
        json::parse(R"({"gain_ns":40,"kernels":5,"sequence":3,"share":0.25,"activities":[3],"text":"If."})"));
    EXPECT_TRUE(make(report)["ledger"]["causes"].empty());
}

TEST_F(ReportJson, PutsEachNumberUnderItsOwnName) {
    const json j = make(test::sampleReport());
    const json& d = j["devices"]["0"];
    EXPECT_EQ(d["first_ns"], 1000);
    EXPECT_EQ(d["last_ns"], 4000);
    EXPECT_EQ(d["span_ns"], 3000);
    EXPECT_EQ(d["idle_ns"], 11);
    EXPECT_EQ(d["busy_any_ns"], 2989);
    EXPECT_EQ(d["classes"]["kernel"], json::parse(R"({"count":3,"busy_ns":12,"sum_ns":13,"concurrent_ns":14,
        "zero_duration":1,"bytes":0,"streams":["13","14"]})"));
    EXPECT_EQ(d["derived"],
              json::parse(R"({"copy_busy_ns":21,"kernel&copy":22,"copy_hd_busy_ns":23,"kernel&copy_hd":24,
        "copy_hd_excl_uvm_busy_ns":25,"kernel&copy_hd_excl_uvm":26,"uvm_count":27,"uvm_busy_ns":28})"));
    EXPECT_EQ(d["engines"]["compute"],
              json::parse(R"({"count":4,"busy_ns":31,"concurrent_ns":32,"channels":[1,2],
        "by_class":{"kernel":33,"memset":34}})"));
    EXPECT_EQ(d["engine_pairs"]["compute&copy_h2d"], 37);
    EXPECT_EQ(j["host"]["api"]["cudaMemcpyAsync"], json::parse(R"({"count":7,"median_ns":71,"max_ns":72})"));
    EXPECT_EQ(j["verdicts"][0]["of_a"], 0.75);
    EXPECT_EQ(j["verdicts"][0]["of_b"], 0.25);
    EXPECT_EQ(j["bounds"]["two_copy_engines_ns"], 83);
    EXPECT_EQ(j["bounds"]["ideal_ns"], 86);
    EXPECT_EQ(j["bounds"]["ideal_from"], "estimate") << "there is no account";
    EXPECT_EQ(j["tool_effect"]["ratio"], 1.01);
    EXPECT_EQ(j["findings"][0]["activities"], json::parse("[3,1]"));
    EXPECT_EQ(j["counts"], json::parse(R"({"read":10,"kept":9,"refused":1})"));
}

TEST_F(ReportJson, SaysWhereTheTraceComesFrom) {
    const json j = make(test::sampleReport(), false);
    EXPECT_EQ(j["source"], json::parse(R"({"kind":"cuda","live":false,"recorded_at":"2026-01-02T03:04:05Z",
        "file":"run.olab","tool":"olab","tool_version":"0.1.0"})"));
    EXPECT_EQ(j["environment"]["device"], "Test GPU");
    EXPECT_EQ(j["environment"]["device_uuid"], "GPU-1");
    EXPECT_EQ(j["environment"]["driver"], "580.82");
    EXPECT_EQ(j["environment"]["calibration.loops"], "1234");
}

TEST_F(ReportJson, UnknownThingsAreNullNotZero) {
    analysis::Report report = test::sampleReport();
    report.bounds.efficiency.reset();
    report.toolEffect.reset();
    const json j = json::parse(reportToJson(report, {m_trace, nullptr, false, ""}));
    EXPECT_TRUE(j["bounds"]["efficiency"].is_null());
    EXPECT_TRUE(j["tool_effect"].is_null());
    EXPECT_TRUE(j["experiment"].is_null());
    EXPECT_TRUE(j["verdicts"][2]["overlap_ns"].is_null()) << "not applicable: there is nothing to overlap";
    EXPECT_TRUE(j["verdicts"][2]["of_attainable"].is_null());
    EXPECT_TRUE(j["verdicts"][2]["blocked_b_ns"].is_null());
    EXPECT_EQ(j["verdicts"][1]["overlap_ns"], 41) << "inconclusive, but the clock's number is known";
}

TEST_F(ReportJson, AnEmptyReportIsStillWholeJson) {
    const json j = json::parse(reportToJson(analysis::Report{}, {Trace{}, nullptr, false, ""}));
    EXPECT_TRUE(j["devices"].is_object());
    EXPECT_TRUE(j["devices"].empty());
    EXPECT_TRUE(j["verdicts"].is_array());
    EXPECT_TRUE(j["host"].is_null()) << "nothing was recorded";
    EXPECT_TRUE(j["bounds"]["serial_ns"].is_null());
    EXPECT_TRUE(j["bounds"]["measured_ns"].is_null());
}

TEST_F(ReportJson, BytesThatAreNoUtf8DoNotBreakIt) {
    analysis::Report report = test::sampleReport();
    report.host.api["bad\xff\xfe"] = {1, 2, 3};
    EXPECT_NO_THROW(make(report));
}

} // namespace
} // namespace olab::io
