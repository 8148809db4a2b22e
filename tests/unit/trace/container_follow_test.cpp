// A file is read while it grows: what is whole comes once, an open end is no damage, and a trace of what
// there is can be had at any moment.
#include "container_fixture.h"
#include "made_records.h"

#include <csignal>
#include <sys/wait.h>
#include <thread>

namespace olab {
namespace {

using made::bytesOf;

class Follow : public made::ContainerFixture {
protected:
    /// The texts of the chunks that have come.
    std::vector<std::string> come(ContainerFollower& follower, FileEnd expected) {
        std::vector<std::string> texts;
        const FileEnd end = follower.readOn([&texts](Chunk&& chunk) {
            const auto* bytes = reinterpret_cast<const char*>(chunk.payload.data());
            texts.emplace_back(bytes, chunk.payload.size());
        });
        EXPECT_EQ(end, expected);
        return texts;
    }
    using Texts = std::vector<std::string>;
};

TEST_F(Follow, ChunksComeOnceEachAsTheyAreWritten) {
    ContainerWriter file(m_path);
    ContainerFollower follower(m_path);
    EXPECT_EQ(come(follower, FileEnd::Open), Texts{});
    file.append(ChunkType::Experiment, "first");
    file.append(ChunkType::Experiment, "second");
    EXPECT_EQ(come(follower, FileEnd::Open), (Texts{"first", "second"}));
    EXPECT_EQ(come(follower, FileEnd::Open), Texts{});
    file.append(ChunkType::Experiment, "third");
    file.finish();
    EXPECT_EQ(come(follower, FileEnd::Closed), Texts{"third"});
    EXPECT_EQ(come(follower, FileEnd::Closed), Texts{});
    EXPECT_TRUE(follower.defects().empty());
}

TEST_F(Follow, AnOpenEndIsANoticeForWhoReadsOnceToo) {
    ContainerWriter file(m_path);
    file.append(ChunkType::Experiment, "{}");
    EXPECT_EQ(read().size(), 1u);
    ASSERT_EQ(m_defects.size(), 1u);
    EXPECT_EQ(m_defects[0].code, DefectCode::OpenEnd);
    EXPECT_EQ(m_defects[0].classes, 0u) << "it takes nothing away from what was recorded by then";
    EXPECT_EQ(defectRow(DefectCode::OpenEnd).severity, Severity::Notice);
    file.finish();
    read();
    EXPECT_TRUE(m_defects.empty());
}

TEST_F(Follow, HalfAChunkIsWaitedForWhereverItEnds) {
    writeThree();
    const std::string whole = slurp();
    OutputFile file(m_path, OutputFile::Kind::Growing);
    file.write(whole.substr(0, 16));
    file.commit();
    ContainerFollower follower(m_path);
    std::size_t chunks = 0;
    for (std::size_t at = 16; at < whole.size(); ++at) {
        EXPECT_EQ(chunks += come(follower, FileEnd::Open).size(), at < 52    ? 0u
                                                                  : at < 76  ? 1u
                                                                  : at < 113 ? 2u
                                                                             : 3u)
            << at;
        EXPECT_EQ(follower.defects().size(), 1u) << "open, and nothing else";
        file.write(whole.substr(at, 1));
    }
    come(follower, FileEnd::Closed);
    EXPECT_TRUE(follower.defects().empty());
}

TEST_F(Follow, DamageBeforeTheOpenEndIsDamage) {
    ContainerWriter file(m_path);
    for (const char* text : {"one", "two", "three"})
        file.append(ChunkType::Experiment, text);
    std::string damaged = slurp();
    for (const std::size_t at : {16u + 26u, 16u + 15u}) { // a letter of the first chunk; its length
        std::fstream out(m_path, std::ios::in | std::ios::out | std::ios::binary);
        out.seekp(static_cast<std::streamoff>(at));
        out.put(0x3f);
        out.close();
        ContainerFollower follower(m_path);
        EXPECT_EQ(come(follower, FileEnd::Open), (Texts{"two", "three"})) << at;
        ASSERT_EQ(follower.defects().size(), 2u);
        EXPECT_EQ(follower.defects()[0].code, DefectCode::DamagedChunk);
        EXPECT_EQ(follower.defects()[1].code, DefectCode::OpenEnd);
    }
}

TEST_F(Follow, AWriterThatIsKilledLeavesALostEnd) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        ContainerWriter file(m_path);
        file.append(ChunkType::Experiment, "{}");
        (void)!write(ready[1], "!", 1);
        for (;;)
            pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ContainerFollower follower(m_path);
    EXPECT_EQ(come(follower, FileEnd::Open), Texts{"{}"});
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(come(follower, FileEnd::Lost), Texts{});
    ASSERT_EQ(follower.defects().size(), 1u);
    EXPECT_EQ(follower.defects()[0].code, DefectCode::TruncatedFile);
    close(ready[0]), close(ready[1]);
}

/// All but how it ended: what was lost or open by then is no part of what was recorded.
Trace traceOf(const std::vector<made::AnyRecord>& records, std::size_t count) {
    TraceBuilder builder;
    made::give({records.begin(), records.begin() + static_cast<std::ptrdiff_t>(count)}, builder);
    return builder.finish();
}

TEST_F(Follow, ASnapshotIsWhatWouldBeThereIfThatWereAll) {
    const auto records = made::randomRecords(7, 3000);
    TraceBuilder builder;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (i % 500 == 0) {
            const Trace snapshot = builder.snapshot();
            EXPECT_TRUE(snapshot == builder.snapshot()) << "it changes nothing";
            EXPECT_TRUE(snapshot == traceOf(records, i)) << i;
        }
        made::give({records[i]}, builder);
    }
    EXPECT_TRUE(builder.finish() == traceOf(records, records.size()));
}

TEST_F(Follow, AReaderHasATraceAtAnyMomentWhileRecordsStillCome) {
    constexpr std::uint32_t kCount = 200'000;
    ContainerWriter file(m_path);
    std::jthread writing([&file] {
        RecordWriter writer(file);
        for (std::uint32_t i = 0; i < kCount; ++i)
            writer.add(made::work(ActivityClass::Kernel, 1000 + i, 1001 + i));
        writer.flush();
        file.finish();
    });
    ContainerFollower follower(m_path);
    TraceBuilder builder;
    std::size_t seen = 0;
    for (FileEnd end = FileEnd::Open; end == FileEnd::Open;) {
        end = follower.readOn([&builder](Chunk&& chunk) { readRecords(chunk.payload, builder); });
        const Trace now = builder.snapshot();
        ASSERT_GE(now.size(), seen);
        for (; seen < now.size(); ++seen)
            ASSERT_EQ(now.time(static_cast<ActivityIndex>(seen)).begin, static_cast<Ns>(1000 + seen));
        ASSERT_NE(end, FileEnd::Lost);
    }
    EXPECT_EQ(seen, kCount);
    EXPECT_TRUE(follower.defects().empty());
}

} // namespace
} // namespace olab
