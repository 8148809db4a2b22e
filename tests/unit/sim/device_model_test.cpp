#include "sim_test.h"

#include <olab/experiment/plan.h>
#include <olab/sim/model_check.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace olab::test {
namespace {

using Json = nlohmann::ordered_json;

Error refusal(const std::string& text) {
    try {
        sim::deviceModelFromJson(text, "x.json");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.code(), "bad-model");
        EXPECT_FALSE(error.hint().empty());
        EXPECT_THAT(error.what(), testing::HasSubstr("x.json"));
        return error;
    }
    ADD_FAILURE() << "was read: " << text.substr(0, 200);
    return {ErrorKind::Internal, "", ""};
}

Json goodJson() {
    return Json::parse(sim::deviceModelToJson({}));
}

/// 0 or 1.
bool isFlag(const std::string& key) {
    return key.ends_with("_waits") || key == "d2d_on_sms" || key == "in_order_queues" ||
           key == "delayed_signals";
}

TEST(DeviceModelJson, EveryFlagComesBackAlone) {
    Json off = goodJson();
    for (auto& [key, value] : off.items())
        if (isFlag(key))
            value = 0;
    std::size_t flags = 0;
    for (const auto& [key, value] : off.items()) {
        if (!isFlag(key))
            continue;
        Json json = off;
        json[key] = 1;
        EXPECT_EQ(Json::parse(sim::deviceModelToJson(sim::deviceModelFromJson(json.dump(), "x"))), json)
            << key;
        ++flags;
    }
    EXPECT_EQ(flags, 8u);
}

/// Files of version 1 lack the fields of the later options: these are estimates then.
TEST(DeviceModelJson, AnOlderModelIsStillRead) {
    Json json = goodJson();
    json["version"] = 1;
    json.erase("wddm_submit_ns");
    json.erase("free_waits");
    EXPECT_EQ(sim::deviceModelFromJson(json.dump(), "x"), sim::DeviceModel{});
    json.erase("sm_count");
    EXPECT_THAT(refusal(json.dump()).what(), testing::HasSubstr("sm_count"));
}

TEST(DeviceModelJson, EveryFieldComesBack) {
    Json json = goodJson();
    std::int64_t next = 3;
    for (auto& [key, value] : json.items())
        if (value.is_number() && key != "version" && !isFlag(key))
            value = next++; // all different: no two fields can be mixed up unseen
    const sim::DeviceModel model = sim::deviceModelFromJson(json.dump(), "x");
    EXPECT_EQ(Json::parse(sim::deviceModelToJson(model)), json);
    EXPECT_EQ(sim::deviceModelFromJson(sim::deviceModelToJson(model), "x"), model);
}

TEST(DeviceModelJson, NoMemberIsLeftOut) {
    // Every number of the model takes at least 4 bytes of it; a member without a field would show here.
    std::size_t bytes = 0;
    const Json json = goodJson(); // items() refers to it
    for (const auto& [key, value] : json.items())
        if (value.is_number() && key != "version")
            bytes += key.find("per_us") != std::string::npos || key.ends_with("_ns") ||
                             key.find("bytes") != std::string::npos
                         ? 8
                         : 4;
    const std::size_t numbers =
        sizeof(sim::DeviceModel) - sizeof(std::string) - sizeof(std::optional<sim::ModelCheck>);
    EXPECT_LE(bytes, numbers);
    EXPECT_GE(bytes + 24, numbers) << "alignment explains less than that: a member has no field";
}

TEST(DeviceModelJson, AMissingFieldIsNamed) {
    const Json good = goodJson();
    for (const auto& [key, value] : good.items()) {
        if (key == "checked")
            continue; // models from before it have none
        Json json = good;
        json.erase(key);
        const Error error = refusal(json.dump());
        if (key != "format") {
            EXPECT_THAT(error.what(), testing::HasSubstr(key));
        }
    }
}

TEST(DeviceModelJson, AnUnknownFieldIsNamed) {
    Json json = goodJson();
    json["h2d_pinned_rate"] = 1;
    EXPECT_THAT(refusal(json.dump()).what(), testing::HasSubstr("h2d_pinned_rate"));
}

TEST(DeviceModelJson, WrongValuesAreNamed) {
    const Json good = goodJson();
    for (const auto& [key, value] : good.items()) {
        for (const Json& wrong :
             {Json(-1), Json("7"), Json(1.5), Json(nullptr), Json(18446744073709551615ull),
              Json(std::int64_t{1} << 62), Json::array({1})}) {
            if (((key == "name" || key == "format") && wrong.is_string()) ||
                (key == "checked" && wrong.is_null()))
                continue;
            Json json = good;
            json[key] = wrong;
            const Error error = refusal(json.dump());
            if (key != "format" && key != "version") {
                EXPECT_THAT(error.what(), testing::HasSubstr(key)) << wrong;
            }
        }
    }
}

TEST(DeviceModelJson, HowItWasCheckedComesBack) {
    sim::DeviceModel model;
    EXPECT_TRUE(goodJson().at("checked").is_null());
    const sim::PredictedCell cells[] = {{experimentWith({"streams=2"}), -0.1234, 6, 5},
                                        {experimentWith({"streams=3", "memset=off"}), 0.05, 3, 3}};
    model.checked = sim::checkOf(std::span(cells, 1), std::span(cells + 1, 1));
    model.checked->driver = "580";
    model.checked->recordedAt = "2026-11-20T15:56:18Z";
    EXPECT_EQ(sim::deviceModelFromJson(sim::deviceModelToJson(model), "x"), model);
    model.checked->measured = false;
    EXPECT_EQ(sim::deviceModelFromJson(sim::deviceModelToJson(model), "x"), model);
}

TEST(DeviceModelJson, AModelFromBeforeChecksIsAnUncheckedOne) {
    Json json = goodJson();
    json.erase("checked");
    EXPECT_FALSE(sim::deviceModelFromJson(json.dump(), "x").checked);
}

TEST(DeviceModelJson, ADamagedCheckIsRefused) {
    Json good = goodJson();
    const sim::PredictedCell cell{experiment::HeldExperiment{}, 0.1, 6, 6};
    sim::DeviceModel model;
    model.checked = sim::checkOf(std::span(&cell, 1), {});
    good = Json::parse(sim::deviceModelToJson(model));
    const Json check = good["checked"];
    for (const auto& [key, value] : check.items()) {
        Json json = good;
        json["checked"].erase(key);
        EXPECT_THAT(refusal(json.dump()).what(), testing::HasSubstr("checked")) << key;
        json = good;
        json["checked"][key] = Json::array({Json::array({nullptr})});
        EXPECT_THAT(refusal(json.dump()).what(), testing::HasSubstr("checked")) << key;
    }
    good["checked"]["conditions"][0]["when"]["streams"] = 3;
    EXPECT_THAT(refusal(good.dump()).what(), testing::HasSubstr("checked"));
}

TEST(DeviceModelJson, ARateOfZeroIsRefused) {
    Json json = goodJson();
    json["h2d_both_bytes_per_us"] = 0;
    EXPECT_THAT(refusal(json.dump()).what(), testing::HasSubstr("h2d_both_bytes_per_us"));
}

TEST(DeviceModelJson, ANewerVersionIsRefusedAsSuch) {
    Json json = goodJson();
    json["version"] = sim::kDeviceModelVersion + 1;
    json["a_field_of_the_future"] = 1;
    EXPECT_THAT(refusal(json.dump()).what(), testing::HasSubstr("newer"));
}

TEST(DeviceModelJson, WhatIsNoModelIsRefused) {
    for (const char* text :
         {"", "{", "[]", "3", "null", "{}", "{\"format\": 1}", "{\"format\": \"olab-report\"}"})
        refusal(text);
}

TEST(DeviceModelNamed, TheBuiltInOnesCanBeRead) {
    const sim::DeviceModel h200 = sim::deviceModelNamed("h200");
    EXPECT_EQ(h200.name, "NVIDIA H200");
    EXPECT_EQ(h200.smCount, 132u);
    ASSERT_TRUE(h200.checked) << "what ships says how far to trust it";
    EXPECT_TRUE(h200.checked->measured);
    EXPECT_EQ(h200.checked->predicted.cells, 12u);
    EXPECT_LE(h200.checked->predicted.medianError, 0.10);
    EXPECT_GE(h200.checked->predicted.verdictsRight * 10, h200.checked->predicted.verdicts * 9);
}

TEST(DeviceModelNamed, AFileIsPlayedByTheSimulator) {
    sim::DeviceModel model;
    model.name = "Slow GPU";
    model.h2dPinnedRate = model.h2dBothRate = 1'000;
    const auto path = std::filesystem::path(testing::TempDir()) / "slow model.json";
    std::ofstream(path) << sim::deviceModelToJson(model);
    experiment::HeldExperiment e = experimentWith({"streams=1", "iterations=1"});
    experiment::setOption(e, "sim.device", "file:" + path.string());
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(e), {}, builder, {});
    const Trace trace = builder.finish();
    EXPECT_EQ(trace.devices().front().name, "Slow GPU (simulated)");
    EXPECT_GT(trace.deviceSpan().length(), 16'000'000);
    std::filesystem::remove(path);
}

TEST(DeviceModelJson, ImpossibleNumbersOfACheckAreRefused) {
    const Json good = Json::parse(sim::deviceModelToJson(sim::deviceModelNamed("h200")));
    ASSERT_FALSE(good["checked"].is_null());
    for (const char* key : {"cells", "median_error", "lowest", "right"})
        for (const char* value : {"1e300", "-1e300", "\"3\"", "null", "true", "[]"}) {
            Json json = good;
            json["checked"]["predicted"][key] = Json::parse(value);
            refusal(json.dump());
        }
    for (const char* value : {"1.5", "-1", "1e18", "18446744073709551615"}) {
        Json json = good;
        json["checked"]["used_runs"] = Json::parse(value);
        refusal(json.dump());
    }
}

TEST(DeviceModelJson, AbsurdDepthLengthAndNumbersAreRefused) {
    refusal(std::string(100'000, '['));
    refusal("{\"format\": 1e999}");
    refusal("{\"format\": \"" + std::string(2'000'000, 'x') + "\"}");
}

TEST(DeviceModelNamed, AnEndlessFileIsAnErrorOfUse) {
    for (const char* path : {"/dev/zero", "/dev", "/dev/null"})
        EXPECT_THROW(sim::deviceModelNamed(std::string("file:") + path), Error) << path;
}

TEST(DeviceModelNamed, AFileThatIsNotThereIsAnErrorOfUse) {
    try {
        sim::deviceModelNamed("file:/nowhere/model.json");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), "cannot-read");
        EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/model.json"));
    }
    EXPECT_THROW(sim::deviceModelNamed("h100"), Error);
}

} // namespace
} // namespace olab::test
