// Controls and proofs in files: what is written is read again, and what cannot be is a defect.
#include "sample.h"

#include <olab/io/recording_file.h>
#include <olab/trace/container.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

comparison::Proof sampleProof() {
    comparison::Proof proof;
    proof.finding = "pageable";
    proof.changes = {{"d2h.memory", "pinned"}, {"h2d.memory", "pinned"}};
    proof.pairs = 7;
    proof.simulated = proof.untraced = true;
    proof.predicted.all = {{"simulator", "the model of an H200", {1000, 600, {}, 20}, {400, 0, 90, {}}}};
    proof.predicted.lacks = "nothing";
    proof.makespan = comparison::PairedChange{1000, 420, -580, 7, -600, -570, 0.984};
    proof.wait = comparison::PairedChange{600, 0, -600, 1, {}, {}, 0};
    proof.status = comparison::ProofStatus::Confirmed;
    proof.text = "It got shorter.";
    return proof;
}

class InterventionsFile : public testing::Test {
protected:
    InterventionsFile() {
        std::string name = (fs::temp_directory_path() / "olab-proofs-test-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
        m_file = m_folder / "a.olab";
    }
    ~InterventionsFile() override { fs::remove_all(m_folder); }
    Interventions writtenAndRead(const Interventions& written) const {
        writeRecording(m_file, m_trace, nullptr, std::nullopt, {}, {}, {}, {}, {}, {}, written);
        const RecordingData data = readRecording(m_file);
        EXPECT_TRUE(data.trace == m_trace) << "no defect";
        return data.interventions;
    }
    /// The environment chunk of the file last written.
    json environment() const {
        json found;
        std::vector<RefusedRecord> damage;
        readContainer(
            m_file,
            [&](Chunk&& chunk) {
                if (chunk.type == ChunkType::Environment)
                    found = json::parse(reinterpret_cast<const char*>(chunk.payload.data()),
                                        reinterpret_cast<const char*>(chunk.payload.data()) +
                                            chunk.payload.size());
            },
            damage);
        return found;
    }
    RecordingData readWith(const json& environment) const {
        {
            ContainerWriter file(m_file);
            file.append(ChunkType::Environment, environment.dump());
        }
        return readRecording(m_file);
    }
    fs::path m_folder, m_file;
    Trace m_trace = test::sampleTrace();
};

TEST_F(InterventionsFile, AProofIsReadAgain) {
    const comparison::Proof written = sampleProof();
    const Interventions read = writtenAndRead({{}, {written, written}});
    EXPECT_FALSE(read.controls);
    ASSERT_EQ(read.proofs.size(), 2u);
    const comparison::Proof& proof = read.proofs[1];
    EXPECT_EQ(proof.finding, written.finding);
    EXPECT_EQ(proof.changes, written.changes);
    EXPECT_EQ(proof.pairs, 7);
    EXPECT_TRUE(proof.simulated && proof.untraced && !proof.failed);
    ASSERT_EQ(proof.predicted.all.size(), 1u);
    EXPECT_EQ(proof.predicted.all[0].by, "simulator");
    EXPECT_EQ(proof.predicted.all[0].before.wait, 600);
    EXPECT_FALSE(proof.predicted.all[0].before.overlap);
    EXPECT_EQ(proof.predicted.relative(), written.predicted.relative());
    EXPECT_EQ(proof.makespan, written.makespan);
    EXPECT_EQ(proof.wait, written.wait);
    EXPECT_FALSE(proof.overlap || proof.blocked);
    EXPECT_EQ(proof.status, comparison::ProofStatus::Confirmed);
    EXPECT_EQ(proof.text, written.text);
}

TEST_F(InterventionsFile, ControlsAreReadAgain) {
    const Interventions read = writtenAndRead(
        {comparison::Controls{{100, 60, 0.9, true}, {200, 0, {}, true}, true, "The controls hold."}, {}});
    ASSERT_TRUE(read.controls);
    EXPECT_TRUE(read.controls->hold() && read.controls->simulated);
    EXPECT_EQ(read.controls->together.makespan, 100);
    EXPECT_EQ(read.controls->together.ofAttainable, 0.9);
    EXPECT_FALSE(read.controls->apart.ofAttainable);
    EXPECT_EQ(read.controls->text, "The controls hold.");
    EXPECT_TRUE(read.proofs.empty());
}

TEST_F(InterventionsFile, WhatCannotBeIsADefectAndTheRestIsRead) {
    writtenAndRead({comparison::Controls{}, {sampleProof()}});
    const json good = environment();
    for (const auto& [where, value] :
         std::vector<std::pair<const char*, json>>{{"/proofs/0/status", "certain"},
                                                   {"/proofs/0/runs", 1e300},
                                                   {"/proofs/0/runs", -1},
                                                   {"/proofs/0/measured/makespan/before_ns", "long"},
                                                   {"/proofs/0/measured/makespan/coverage", 2},
                                                   {"/proofs/0/predicted/by", json::object()},
                                                   {"/proofs/0/changes", json::array()},
                                                   {"/proofs/0/changes/d2h.memory", 3},
                                                   {"/proofs/0/text", nullptr},
                                                   {"/proofs", "none"},
                                                   {"/proofs", std::vector<json>(1000, good["proofs"][0])}}) {
        json bad = good;
        bad[json::json_pointer(where)] = value;
        const RecordingData data = readWith(bad);
        EXPECT_TRUE(data.interventions.proofs.empty()) << where;
        EXPECT_TRUE(data.interventions.controls) << where;
        EXPECT_NE(std::ranges::find(data.trace.defects(), DefectCode::BadChunk, &Defect::code),
                  data.trace.defects().end())
            << where;
    }
}

} // namespace
} // namespace olab::io
