// Ops found again by when their calls were made.
#include "op_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <thread>
#include <unistd.h>

namespace olab::cupti {
namespace {

using namespace std::chrono_literals;

Ns now() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return Ns{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

std::uint32_t thisThread() {
    return static_cast<std::uint32_t>(::gettid());
}

/// What CUPTI would record of a call made now.
RecordedCall call(std::uint32_t correlation, OpLog* log = nullptr, OpId op = kNoOp) {
    if (log)
        log->begin(op);
    RecordedCall made{thisThread(), correlation, {now(), 0}};
    std::this_thread::sleep_for(1us);
    made.time.end = now();
    if (log)
        log->end();
    return made;
}

TEST(OpLog, ACallBelongsToTheOpDuringWhichItWasMade) {
    OpLog log;
    std::vector<RecordedCall> calls;
    for (std::uint32_t i = 0; i < 20'000; ++i) { // over several chunks
        calls.push_back(call(2 * i, &log, OpId{i}));
        calls.push_back(call(2 * i + 1)); // of nobody
    }
    for (const RecordedCall& made : calls)
        ASSERT_EQ(log.opOf(made.thread, made.time),
                  made.correlation % 2 == 0 ? OpId{made.correlation / 2} : kNoOp);
    EXPECT_EQ(log.opOf(thisThread() + 1, calls[0].time), kNoOp) << "another thread's";
    EXPECT_EQ(log.opOf(thisThread(), {0, 1}), kNoOp);
    log.clear();
    EXPECT_EQ(log.opOf(calls[0].thread, calls[0].time), kNoOp);
    const RecordedCall after = call(1, &log, OpId{7});
    EXPECT_EQ(log.opOf(after.thread, after.time), OpId{7}) << "a thread begins anew after clear()";
}

TEST(OpLog, ThreadsIssueAtTheSameTime) {
    OpLog log;
    std::vector<std::vector<RecordedCall>> calls(8);
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t t = 0; t < calls.size(); ++t)
            threads.emplace_back([&, t] {
                for (std::uint32_t i = 0; i < 500; ++i)
                    calls[t].push_back(call(t * 1'000 + i, &log, OpId{t * 1'000 + i}));
            });
    }
    for (const auto& ofThread : calls)
        for (const RecordedCall& made : ofThread)
            ASSERT_EQ(log.opOf(made.thread, made.time).value, made.correlation);
}

TEST(OpLog, TimesAreBelievedOnlyIfTheyTellWhatTheTagsTell) {
    OpLog log;
    std::vector<RecordedCall> calls;
    std::map<std::uint32_t, OpId> tags;
    EXPECT_FALSE(timesAgree(calls, tags, log)) << "nothing was seen";
    for (std::uint32_t i = 1; i <= 10; ++i) {
        calls.push_back(call(i, &log, OpId{i}));
        tags[i] = OpId{i};
    }
    calls.push_back(call(11)); // the wait behind them
    EXPECT_TRUE(timesAgree(calls, tags, log));

    auto untagged = tags;
    untagged.erase(4);
    EXPECT_FALSE(timesAgree(calls, untagged, log)) << "a call of nobody";
    auto other = tags;
    other[4] = OpId{5};
    EXPECT_FALSE(timesAgree(calls, other, log));
    auto unseen = tags;
    unseen[12] = OpId{12};
    EXPECT_FALSE(timesAgree(calls, unseen, log)) << "a tag without its call: records were lost";
    auto late = calls;
    for (RecordedCall& made : late)
        made.time.begin += 1'000'000'000, made.time.end += 1'000'000'000;
    EXPECT_FALSE(timesAgree(late, tags, log)) << "another clock";
    auto elsewhere = calls;
    elsewhere[3].thread += 1;
    EXPECT_FALSE(timesAgree(elsewhere, tags, log)) << "another numbering of threads";
}

} // namespace
} // namespace olab::cupti
