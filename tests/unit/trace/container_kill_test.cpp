// A writer killed at any moment leaves a file that can be read, holding a prefix of what was written.
#include "container_fixture.h"
#include "made_records.h"

#include <chrono>
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace olab {
namespace {

using namespace std::chrono_literals;

constexpr int kKills = 100;

std::vector<ActivityRecord> someRecords() {
    std::mt19937 random(1);
    std::vector<ActivityRecord> records;
    for (std::uint32_t n = 0; n < 997; ++n)
        records.push_back(made::randomActivity(random, n));
    return records;
}

// The n-th record follows from n, so that whatever is read can be checked against what was written there.
ActivityRecord nth(std::uint32_t n) {
    static const std::vector<ActivityRecord> records = someRecords();
    ActivityRecord r = records[n % records.size()];
    r.begin += n, r.end += n;
    return r;
}

[[noreturn]] void writeUntilKilled(const std::filesystem::path& path) {
    ContainerWriter file(path);
    RecordWriter records(file);
    for (std::uint32_t n = 0;; ++n)
        records.add(nth(n));
}

class Checked final : public RecordSink {
public:
    std::uint32_t count = 0;
    bool same = true, others = false;
    void add(const ActivityRecord& r) override { same = same && r == nth(count++); }
    TextId intern(std::string_view) override { return {}; }
    void add(const ProcessRecord&) override { others = true; }
    void add(const ClockRecord&) override { others = true; }
    void add(const RankRecord&) override { others = true; }
    void add(const DeviceRecord&) override { others = true; }
    void add(const ContextRecord&) override { others = true; }
    void add(const StreamRecord&) override { others = true; }
    void add(const StreamCallRecord&) override {}
    void add(const CorrelationRecord&) override { others = true; }
    void add(const SoloRecord&) override { others = true; }
    void add(const WindowRecord&) override { others = true; }
    void add(const EnvironmentRecord&) override { others = true; }
    void add(const ProvenanceRecord&) override { others = true; }
    void add(const RefusedRecord&) override { others = true; }
};

class Killed : public made::ContainerFixture {
protected:
    /// Kills it some time after the file has reached `size`: on a busy machine, time alone says nothing.
    void killAWriter(std::uintmax_t size, std::chrono::microseconds later) {
        nth(0); // made before the fork, once for all writers
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0)
            writeUntilKilled(m_path);
        const auto patience = std::chrono::steady_clock::now() + 300s;
        // From the moment it exists the file must be readable.
        while (!std::filesystem::exists(m_path) || std::filesystem::file_size(m_path) < size) {
            ASSERT_LT(std::chrono::steady_clock::now(), patience);
            std::this_thread::sleep_for(100us);
        }
        std::this_thread::sleep_for(later);
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
};

TEST_F(Killed, AHundredTimesLeavesAHundredReadableFiles) {
    std::mt19937 random(std::random_device{}());
    std::uint32_t most = 0, empty = 0;
    for (int round = 0; round < kKills; ++round) {
        std::filesystem::remove(m_path);
        killAWriter(random() % 200'000, std::chrono::microseconds(random() % 2000));
        Checked checked;
        for (const Chunk& chunk : read()) {
            ASSERT_EQ(chunk.type, ChunkType::Records);
            readRecords(chunk.payload, checked);
        }
        ASSERT_TRUE(checked.same) << "in the first " << checked.count;
        ASSERT_FALSE(checked.others) << "nothing invented";
        ASSERT_EQ(m_defects.size(), 1u);
        ASSERT_TRUE(has(DefectCode::TruncatedFile)) << "the loss of the rest is told";
        most = std::max(most, checked.count);
        empty += checked.count == 0 ? 1 : 0;
    }
    EXPECT_GT(most, 1000u) << "killed while really writing";
    EXPECT_LT(empty, 90u);
}

} // namespace
} // namespace olab
