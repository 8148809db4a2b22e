#include "raw_records.h"

#include <olab/cupti/collector.h>
#include <olab/cupti/decode.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace olab::cupti {
namespace {

TEST(RawBuffers, AFileDecodesToTheSameTraceEvenWhenItsTextsAreGone) {
    if (probeCupti().version == 0)
        GTEST_SKIP() << "libcupti cannot be loaded here";
    const auto path =
        std::filesystem::temp_directory_path() / ("olab_raw_" + std::to_string(getpid()) + ".olab");
    TraceBuilder live;
    {
        const std::string name = "a_kernel_whose_name_dies_with_this_scope";
        test::RawRecords records;
        records.add(test::kernelRecord(name.c_str()));
        records.add(test::copyRecord(CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY));
        Decoder decoder;
        decoder.open(live);
        decoder.decode(records.span(), DecodeMode::Everything);
        decoder.close();
        RawBufferFile file(path);
        file.append(records.span(), DecodeMode::Everything);
    }
    TraceBuilder stored;
    decodeRawBuffers(path, stored);
    std::filesystem::remove(path);
    const Trace a = live.finish(), b = stored.finish();
    EXPECT_EQ(a.size(), 2u);
    EXPECT_TRUE(a == b);
}

} // namespace
} // namespace olab::cupti
