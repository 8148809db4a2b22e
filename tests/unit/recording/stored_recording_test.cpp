// Recordings that were put out of memory come back as they were, or say why they cannot.
#include "test_places.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/report_json.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/stored_recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/temporary_folder.h>

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

namespace olab::recording {
namespace {

namespace fs = std::filesystem;

class Storing : public testing::Test {
protected:
    RecordingPtr run(int repeat = 1) {
        experiment::HeldExperiment experiment;
        experiment::setNumber(experiment, "repeat", repeat);
        return runExperiment(experiment, {&m_simulator, nullptr}, "Run 7", {});
    }
    std::size_t files() const {
        const auto isFile = [](const fs::directory_entry& entry) {
            return entry.path().extension() == ".olab";
        };
        return static_cast<std::size_t>(
            std::count_if(fs::directory_iterator(m_folder.path()), fs::directory_iterator{}, isFile));
    }
    static std::string codeOf(const StoredRecording& stored) {
        try {
            (void)stored.read();
        } catch (const Error& error) {
            return error.code();
        }
        return "";
    }
    sim::SimBackend m_simulator;
    TemporaryFolder m_folder;
};

std::string reportOf(const Recording& r) {
    return io::reportToJson(r.report, {r.trace, r.experiment ? &*r.experiment : nullptr, r.live, "same.olab",
                                       r.bookmarks, r.label});
}

void expectSame(const Recording& before, const Recording& after) {
    EXPECT_EQ(after.trace, before.trace);
    ASSERT_EQ(after.experiment != nullptr, before.experiment != nullptr);
    if (before.experiment) {
        EXPECT_TRUE(experiment::sameOptions(*after.experiment, *before.experiment));
    }
    EXPECT_EQ(reportOf(after), reportOf(before));
    EXPECT_EQ(after.title, before.title);
    EXPECT_EQ(after.live, before.live);
    EXPECT_EQ(after.badge(), before.badge());
    EXPECT_EQ(after.trust(), before.trust());
    EXPECT_EQ(after.raceText(), before.raceText());
    EXPECT_EQ(after.bookmarks, before.bookmarks);
    EXPECT_EQ(after.label, before.label);
    EXPECT_EQ(after.file, before.file);
    EXPECT_EQ(after.fileStamp, before.fileStamp);
    EXPECT_EQ(after.tracedRun, before.tracedRun);
    EXPECT_EQ(after.tracedRuns, before.tracedRuns);
    ASSERT_EQ(after.otherRuns.size(), before.otherRuns.size());
    for (std::size_t i = 0; i < before.otherRuns.size(); ++i)
        expectSame(*before.otherRuns[i], *after.otherRuns[i]);
}

TEST_F(Storing, ARunWithItsRepeatsComesBackAsItWas) {
    const RecordingPtr before = run(3);
    ASSERT_EQ(before->otherRuns.size(), 2u);
    {
        const StoredRecording stored(*before, m_folder.path(), "1");
        EXPECT_EQ(files(), 3u);
        EXPECT_GT(stored.bytesWritten(), 1000u);
        expectSame(*before, *stored.read());
        expectSame(*before, *stored.read());
    }
    EXPECT_EQ(files(), 0u) << "what is no longer wanted leaves nothing";
}

/// Measured, imported, raced, with and without an experiment.
TEST_F(Storing, EveryRecordingThatShipsComesBackAsItWas) {
    std::size_t seen = 0;
    for (const auto& entry : fs::directory_iterator(OLAB_SOURCE_DIR "/resources/recordings")) {
        if (entry.path().extension() != ".olab" || entry.file_size() > 400'000)
            continue;
        SCOPED_TRACE(entry.path().filename());
        const RecordingPtr before = openRecording(entry.path());
        const StoredRecording copy(*before, m_folder.path(), "copy");
        expectSame(*before, *copy.read());
        const StoredRecording in(*before, before->file, before->fileStamp);
        EXPECT_EQ(in.bytesWritten(), 0u);
        expectSame(*before, *in.read());
        ++seen;
    }
    EXPECT_GT(seen, 10u);
}

TEST_F(Storing, WhatAPersonAddedAndHowItWasMadeIsKept) {
    const auto before = std::const_pointer_cast<Recording>(run());
    before->label = {"my run", "a note\nof two lines"};
    before->bookmarks = {io::Bookmark{{10, 20}, "compute", "here", std::nullopt}};
    before->tracedRun = 3;
    before->tracedRuns = 5;
    before->report.toolEffect = analysis::ToolEffect{1100, 1000, 5, 1.1, "Run 1"};
    ASSERT_TRUE(before->live);
    const StoredRecording stored(*before, m_folder.path(), "1");
    const RecordingPtr after = stored.read();
    EXPECT_EQ(after->label, before->label);
    EXPECT_EQ(after->bookmarks, before->bookmarks);
    EXPECT_TRUE(after->live);
    EXPECT_EQ(after->tracedRun, 3);
    ASSERT_TRUE(after->report.toolEffect);
    EXPECT_EQ(after->report.toolEffect->measuredWith, "Run 1");
    EXPECT_DOUBLE_EQ(after->report.toolEffect->ratio(), 1.1);
}

TEST_F(Storing, AFileThatIsNotAsItWasIsRefused) {
    const fs::path file = m_folder.path() / "mine.olab";
    const RecordingPtr before = run();
    saveRecording(*before, file);
    const FileStamp stamp = FileStamp::of(file);
    EXPECT_TRUE(StoredRecording::isIn(*before, file, stamp));
    EXPECT_FALSE(StoredRecording::isIn(*run(3), file, stamp)) << "it does not hold the other runs";
    EXPECT_FALSE(StoredRecording::isIn(*before, {}, {}));
    {
        const StoredRecording in(*before, file, stamp);
        EXPECT_EQ(codeOf(in), "");
        std::ofstream(file, std::ios::app) << "more";
        EXPECT_FALSE(StoredRecording::isIn(*before, file, stamp));
        EXPECT_EQ(codeOf(in), "file-changed");
        fs::remove(file);
        EXPECT_EQ(codeOf(in), "file-gone");
        saveRecording(*before, file);
    }
    EXPECT_TRUE(fs::exists(file)) << "a person's file is never removed";
}

TEST_F(Storing, NothingIsLeftOfWhatCouldNotBeWritten) {
    const RecordingPtr before = run(3);
    EXPECT_THROW(StoredRecording(*before, m_folder.path() / "not there", "1"), Error);
    std::stop_source stop;
    RunControl control{stop.get_token(), {}};
    fs::create_directory(m_folder.path() / "1-2.olab"); // the third of three files cannot be
    EXPECT_THROW(StoredRecording(*before, m_folder.path(), "1"), Error);
    fs::remove(m_folder.path() / "1-2.olab");
    stop.request_stop();
    EXPECT_THROW(StoredRecording(*before, m_folder.path(), "1", control), Error);
    EXPECT_EQ(files(), 0u);
}

TEST(TemporaryFolderOnDisk, IsPrivateAndItsPlaceIsSweptByHand) {
    TemporaryFolder parent;
    fs::path place;
    {
        const TemporaryFolder folder(parent.path());
        place = folder.path();
        EXPECT_EQ(place.parent_path(), parent.path());
        EXPECT_EQ(fs::status(place).permissions(), fs::perms::owner_all);
        TemporaryFolder::sweep(parent.path());
        EXPECT_TRUE(fs::exists(place)) << "its owner lives";
    }
    EXPECT_FALSE(fs::exists(place));
    fs::create_directory(parent.path() / "olab-abcdef"); // as a killed process leaves it
    std::ofstream(parent.path() / "olab-abcdef" / ".lock");
    TemporaryFolder::sweep(parent.path());
    EXPECT_FALSE(fs::exists(parent.path() / "olab-abcdef"));
}

} // namespace
} // namespace olab::recording
