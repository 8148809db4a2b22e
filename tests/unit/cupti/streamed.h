// The CUPTI that streams, from the side of a test; and a process for each capture, since there is one for a
// process's whole life.
#pragma once

#include "stream_cupti.h"

#include <olab/cupti/collector.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace olab::test {

/// The same one that the capture loads.
struct StreamedCupti {
    StreamedCupti() {
        ::setenv("OLAB_CUPTI", STREAM_CUPTI, 1);
        library = ::dlopen(STREAM_CUPTI, RTLD_NOW | RTLD_LOCAL);
        find("fakeProduce", produceWork);
        find("fakeRecords", records);
        find("fakeRecordsKind", recordsKind);
        find("fakeMarker", marker);
        find("fakeUnknown", unknown);
        find("fakeManagedMemory", managedMemory);
        find("fakeMigrations", migrations);
        find("fakeDrop", drop);
        find("fakeProduced", produced);
        find("fakeBuffers", buffers);
    }
    void produce(std::uint64_t calls) const { produce(FakeWork{.calls = calls}); }
    void produce(FakeWork work) const { produceWork(&work); }

    void* library = nullptr;
    decltype(&fakeProduce) produceWork = nullptr;
    decltype(&fakeRecords) records = nullptr;
    decltype(&fakeRecordsKind) recordsKind = nullptr;
    decltype(&fakeMarker) marker = nullptr;
    decltype(&fakeUnknown) unknown = nullptr;
    decltype(&fakeManagedMemory) managedMemory = nullptr;
    decltype(&fakeMigrations) migrations = nullptr;
    decltype(&fakeDrop) drop = nullptr;
    decltype(&fakeProduced) produced = nullptr;
    decltype(&fakeBuffers) buffers = nullptr;

private:
    template <typename Function>
    void find(const char* name, Function& function) {
        function = reinterpret_cast<Function>(::dlsym(library, name));
        EXPECT_NE(function, nullptr) << name;
    }
};

/// What failed, where the parent shows it.
inline int told(const testing::TestResult& result) {
    for (int i = 0; i < result.total_part_count(); ++i)
        if (const auto& part = result.GetTestPartResult(i); part.failed())
            std::fprintf(stderr, "%s:%d: %s\n", part.file_name(), part.line_number(), part.message());
    return result.Failed() ? 1 : 0;
}

/// Runs a test's body in a process of its own, where nothing was captured yet.
template <typename Body>
void inOwnProcess(Body body) {
    GTEST_FLAG_SET(death_test_style, "threadsafe"); // starts this program anew, for this test alone
    EXPECT_EXIT(
        {
            body();
            std::exit(told(*testing::UnitTest::GetInstance()->current_test_info()->result()));
        },
        testing::ExitedWithCode(0), "");
}

} // namespace olab::test
