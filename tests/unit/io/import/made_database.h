// Databases as a profiler writes them, made on the spot: a file in a folder that goes with the test.
#pragma once

#include <olab/analysis/analyze.h>
#include <olab/io/recording_file.h>
#include <olab/trace/lanes_of.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <string>
#include <unistd.h>

namespace olab::test {

namespace fs = std::filesystem;

/// Runs statements on a database; the file is there afterwards.
inline void makeDatabase(const fs::path& path, const std::string& sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(::sqlite3_open(path.c_str(), &handle), SQLITE_OK);
    char* message = nullptr;
    ::sqlite3_exec(handle, "PRAGMA synchronous=OFF", nullptr, nullptr, nullptr);
    ASSERT_EQ(::sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    ::sqlite3_close(handle);
}

class Imports : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::path(testing::TempDir()) / ("olab_imports_" + std::to_string(::getpid()));
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    fs::path path(const std::string& name) const { return m_folder / name; }
    fs::path put(const std::string& name, std::string_view content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }
    std::string content(const fs::path& file) const {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    Trace read(const std::string& sql, const std::string& name = "a.sqlite") const {
        fs::remove(path(name));
        makeDatabase(path(name), sql);
        return std::move(io::readRecording(path(name)).trace);
    }
    /// What is said of a file that is refused.
    static std::string refusalOf(const fs::path& file) {
        try {
            io::readRecording(file);
        } catch (const Error& error) {
            EXPECT_FALSE(error.hint().empty()) << error.what();
            return std::string(error.what()) + " " + error.hint();
        }
        return "it was read";
    }
    fs::path m_folder;
};

inline const Defect* defectOf(const Trace& trace, DefectCode code) {
    const auto at = std::ranges::find(trace.defects(), code, &Defect::code);
    return at != trace.defects().end() ? &*at : nullptr;
}

inline std::vector<Activity> activitiesOf(const Trace& trace, ActivityClass cls) {
    std::vector<Activity> found;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls)
            found.push_back(trace[i]);
    return found;
}

} // namespace olab::test
