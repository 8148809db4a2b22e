// plan() lowers what was chosen: a schedule says all of it in the words of those who execute, and they look
// at no option.
#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace olab::experiment {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

Experiment chosen(std::initializer_list<std::string_view> assignments) {
    Experiment experiment;
    experiment.streams = 2, experiment.iterations = 3;
    for (const std::string_view assignment : assignments)
        setOption(experiment, assignment);
    return experiment;
}

/// A value that is not `plain`; empty: none that a table of few words could name.
std::string anotherValue(const OptionRow& row, const std::string& plain) {
    for (const std::string_view choice : row.choices)
        if (choice != plain)
            return std::string(choice);
    switch (row.type) {
    case OptionType::Integer:
        return std::to_string(std::stoll(plain) + row.step);
    case OptionType::Bytes:
        return "8KiB";
    case OptionType::Blocks:
        return "fill:2";
    default:
        return {};
    }
}

/// What else must be chosen before an option can be tried.
std::vector<std::string_view> needsOf(std::string_view key) {
    if (key == "p2p")
        return {"devices=all"};
    return {};
}

/// How often the job runs is the job's, not the plan's; both=on plans the same runs as on.
const std::set<std::string_view> kOfTheJob{"repeat", "trace"};

TEST(Lowered, EveryOptionChangesTheSchedule) {
    for (const OptionRow& row : optionTable()) {
        if (kOfTheJob.contains(row.key))
            continue;
        Experiment before = chosen({"h2d.bytes=4KiB"}); // what also fits into constant memory
        for (const std::string_view needed : needsOf(row.key))
            setOption(before, needed);
        Experiment after = before;
        const std::string value = anotherValue(row, row.get(before));
        ASSERT_NE(value, "") << row.key;
        setOption(after, row.key, value);
        ASSERT_THAT(conflicts(after), IsEmpty()) << row.key;
        const Schedule one = plan(before, 2), other = plan(after, 2);
        EXPECT_FALSE(one == other) << row.key << "=" << value << " is in no word of the schedule";
    }
}

TEST(Lowered, EveryChoiceIsAnotherSchedule) {
    for (const OptionRow& row : optionTable()) {
        if (row.type != OptionType::Choice || kOfTheJob.contains(row.key))
            continue;
        std::vector<Schedule> seen;
        for (const std::string_view choice : row.choices) {
            Experiment experiment = chosen({});
            setOption(experiment, row.key, choice);
            if (!conflicts(experiment).empty() || row.key == "env.max_connections")
                continue;
            const Schedule schedule = plan(experiment, 2);
            EXPECT_FALSE(std::ranges::count(seen, schedule)) << row.key << "=" << choice;
            seen.push_back(schedule);
        }
    }
}

TEST(Lowered, OpsKnowTheirMemoryTheirCallbackAndTheirWait) {
    const Schedule schedule = plan(chosen(
        {"h2d.memory=pageable", "d2h.memory=registered", "callback.method=blocking-event", "sync=poll"}));
    for (const auto* ops : {&schedule.ops, &schedule.warmup})
        for (const Op& op : *ops) {
            if (op.kind == OpKind::CopyH2D) {
                EXPECT_EQ(op.memory, HostMemory::Pageable);
            }
            if (op.kind == OpKind::CopyD2H) {
                EXPECT_EQ(op.memory, HostMemory::Registered);
            }
            if (op.kind == OpKind::HostFn) {
                EXPECT_EQ(op.callback, CallbackMethod::BlockingEvent);
            }
            if (op.kind == OpKind::HostSync) {
                EXPECT_EQ(op.sync, SyncMode::Poll);
            }
            EXPECT_EQ(leavesStreamFree(op), op.kind == OpKind::HostFn);
        }
    EXPECT_TRUE(schedule.waitsByEvent);
    EXPECT_EQ(schedule.solos.front().memory, HostMemory::Pageable);
}

const Buffer* bufferOf(const Schedule& schedule, std::int32_t owner, BufferRole role) {
    const std::uint32_t row = schedule.buffers.find(owner, role);
    return row == kNoNumber ? nullptr : &schedule.buffers.rows()[row];
}

TEST(BufferTable, EachPipelineHasItsOwn) {
    const Schedule schedule = plan(chosen({"h2d.bytes=4KiB", "h2d.first_bytes=1MiB", "h2d.portable=on"}));
    for (std::int32_t pipeline = 0; pipeline < 2; ++pipeline)
        for (const BufferRole role : {BufferRole::Source, BufferRole::Input, BufferRole::Scratch,
                                      BufferRole::Output, BufferRole::Target}) {
            const Buffer* buffer = bufferOf(schedule, pipeline, role);
            ASSERT_TRUE(buffer);
            EXPECT_EQ(buffer->role, role);
            EXPECT_EQ(buffer->pipeline, pipeline);
            EXPECT_FALSE(buffer->shared);
            EXPECT_EQ(buffer->portable, role == BufferRole::Source);
        }
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Input)->bytes, 1 << 20);
    EXPECT_EQ(bufferOf(schedule, 1, BufferRole::Source)->bytes, 4096);
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Peer), nullptr);
    EXPECT_EQ(bufferOf(schedule, 2, BufferRole::Source), nullptr);
}

TEST(BufferTable, SharedOnesAreOneRowPerDeviceAndServeTheLargest) {
    const Schedule schedule =
        plan(chosen({"buffers=shared", "devices=all", "h2d.bytes=4KiB", "h2d.first_bytes=1KiB"}), 2);
    for (const BufferRole role : {BufferRole::Input, BufferRole::Scratch, BufferRole::Output}) {
        EXPECT_TRUE(schedule.buffers.isShared(role));
        EXPECT_EQ(schedule.buffers.find(0, role), schedule.buffers.find(1, role));
        EXPECT_NE(schedule.buffers.find(1, role), schedule.buffers.find(2, role)) << "another device";
        EXPECT_EQ(bufferOf(schedule, 3, role)->device, 1);
    }
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Input)->bytes, 4096);
    EXPECT_NE(schedule.buffers.find(0, BufferRole::Source), schedule.buffers.find(1, BufferRole::Source));
}

TEST(BufferTable, ConstantMemoryHasASliceForEachStream) {
    const Schedule schedule =
        plan(chosen({"h2d.target=constant", "h2d.bytes=1023B", "buffers=shared", "devices=all"}), 2);
    for (std::int32_t pipeline = 0; pipeline < 4; ++pipeline) {
        const Buffer* slice = bufferOf(schedule, pipeline, BufferRole::Input);
        ASSERT_TRUE(slice);
        EXPECT_EQ(slice->place, BufferPlace::Constant);
        EXPECT_EQ(slice->offset, pipeline % 2 * 1024) << "of its device's array, aligned";
        EXPECT_FALSE(slice->shared);
    }
    EXPECT_FALSE(schedule.buffers.isShared(BufferRole::Input));
    EXPECT_TRUE(schedule.buffers.isShared(BufferRole::Scratch));
}

TEST(BufferTable, WhatIsUsedInPlaceHasNoBufferOnTheDevice) {
    const Schedule schedule = plan(chosen({"h2d.memory=mapped", "d2h.memory=managed"}));
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Input), nullptr);
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Output), nullptr);
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Source)->memory, HostMemory::Mapped);
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Target)->memory, HostMemory::Managed);
    EXPECT_EQ(schedule.kernel.reads, (InPlace{16 << 20, false}));
    EXPECT_EQ(schedule.kernel.writes, (InPlace{16 << 20, true}));
}

TEST(BufferTable, PeersZeroesAndTheNullStreamHaveTheirs) {
    const Schedule schedule =
        plan(chosen({"devices=all", "p2p=on", "memset.method=copy", "null_op=memset"}), 3);
    EXPECT_EQ(bufferOf(schedule, 0, BufferRole::Peer)->device, 1);
    EXPECT_EQ(bufferOf(schedule, 5, BufferRole::Peer)->device, 0) << "round the list of devices";
    for (std::int32_t device = 0; device < 3; ++device) {
        EXPECT_EQ(bufferOf(schedule, device, BufferRole::Zeros)->device, device);
        EXPECT_EQ(bufferOf(schedule, device, BufferRole::NullScratch)->bytes, kNullMemsetBytes);
    }
}

/// What of the code that executes or analyses names an experiment, without comments.
std::vector<std::string> readersOf(const fs::path& folder, const std::regex& word) {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
            continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);)
            if (std::regex_search(line.substr(0, line.find("//")), word)) {
                found.push_back(entry.path().lexically_relative(OLAB_ENGINE_SOURCES).string());
                break;
            }
    }
    std::ranges::sort(found);
    return found;
}

TEST(Lowered, WhoExecutesOrAnalysesLooksAtNoExperiment) {
    const std::regex type(R"(\b(Held)?Experiment\b|[.>]experiment\b)");
    const fs::path engine = OLAB_ENGINE_SOURCES;
    EXPECT_THAT(readersOf(engine / "cuda", type), IsEmpty());
    EXPECT_THAT(readersOf(engine / "analysis", type), IsEmpty())
        << "only a comparison says which options differ";
    // How far to trust a run is told by the options that were checked; a fit compares runs by theirs.
    EXPECT_THAT(readersOf(engine / "sim", type),
                testing::IsSubsetOf({"sim/include/olab/sim/device_model.h",
                                     "sim/include/olab/sim/fit_model.h", "sim/include/olab/sim/model_check.h",
                                     "sim/model_check.cpp", "sim/device_model.cpp", "sim/recorder.cpp",
                                     "sim/recorder.h", "sim/run_samples.cpp", "sim/sim_backend.cpp"}));
}

} // namespace
} // namespace olab::experiment
