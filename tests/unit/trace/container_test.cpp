#include "container_fixture.h"

#include <csignal>
#include <ctime>
#include <random>
#include <sys/resource.h>

namespace olab {
namespace {

using made::Bytes;
using made::bytesOf;

class Container : public made::ContainerFixture {};

TEST_F(Container, GivesBackWhatWasWritten) {
    writeThree();
    const auto chunks = read();
    ASSERT_EQ(chunks.size(), 3u);
    EXPECT_EQ(chunks[0].type, ChunkType::Environment);
    EXPECT_EQ(chunks[0].payload, bytesOf("{\"driver\":1}"));
    EXPECT_TRUE(chunks[1].payload.empty());
    EXPECT_EQ(chunks[2].payload, bytesOf("three streams"));
    EXPECT_TRUE(m_defects.empty());
    EXPECT_TRUE(sniffContainer(bytesOf(slurp())));
    EXPECT_FALSE(sniffContainer(bytesOf("SQLite format 3")));
    EXPECT_FALSE(sniffContainer({}));
}

TEST_F(Container, IsReadableAfterEveryAppend) {
    ContainerWriter file(m_path);
    EXPECT_EQ(read().size(), 0u);
    for (std::size_t n = 1; n < 5; ++n) {
        file.append(ChunkType::Records, "payload");
        EXPECT_EQ(read().size(), n) << "the chunk is with the system, not in a buffer";
    }
}

TEST_F(Container, TruncatedAnywhereGivesTheWholeChunks) {
    writeThree();
    const std::string whole = slurp();
    const std::size_t header = 16, chunk = 24;
    const std::size_t ends[] = {header, header + chunk + 12, header + 2 * chunk + 12, whole.size() - chunk};
    for (std::size_t size = 0; size < whole.size(); ++size) {
        put(whole.substr(0, size));
        if (size < 8) {
            EXPECT_EQ(errorCode(), "not-olab");
            continue;
        }
        const auto before = static_cast<std::size_t>(std::ranges::upper_bound(ends, size) - ends);
        EXPECT_EQ(read().size(), before == 0 ? 0 : before - 1) << size;
        EXPECT_TRUE(has(DefectCode::TruncatedFile)) << size << ": also when cut between two chunks";
        EXPECT_EQ(m_defects.size(), 1u) << size;
    }
}

TEST_F(Container, AFlippedByteCostsOneChunkAtMost) {
    writeThree();
    const std::string whole = slurp();
    for (std::size_t at = 16; at < whole.size(); ++at)
        for (const int bit : {1, 0x80, 0xff}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ bit);
            put(damaged);
            const auto chunks = read();
            ASSERT_EQ(chunks.size(), at < whole.size() - 24 ? 2u : 3u) << at << ": the last is empty";
            ASSERT_TRUE(has(DefectCode::DamagedChunk) || has(DefectCode::TruncatedFile)) << at;
            for (const Chunk& c : chunks)
                ASSERT_TRUE(c.payload.empty() || c.payload == bytesOf("three streams") ||
                            c.payload == bytesOf("{\"driver\":1}"));
        }
}

TEST_F(Container, ADamagedHeaderIsAnError) {
    writeThree();
    const std::string whole = slurp();
    for (std::size_t at = 0; at < 8; ++at) {
        std::string damaged = whole;
        damaged[at] ^= 1;
        put(damaged);
        EXPECT_EQ(errorCode(), "not-olab");
    }
}

TEST_F(Container, ANewerVersionIsAnErrorThatSaysSo) {
    writeThree();
    std::string newer = slurp();
    newer[8] = 3;
    const std::uint32_t check = crc32c(bytesOf(newer.substr(0, 12)));
    for (unsigned i = 0; i < 4; ++i)
        newer[12 + i] = static_cast<char>(check >> (8 * i));
    put(newer);
    EXPECT_EQ(errorCode(), "newer-version");
}

TEST_F(Container, FilesThatCannotBeOpenedAreErrors) {
    EXPECT_EQ(errorCode(), "cannot-open");
    EXPECT_THROW(ContainerWriter(m_path / "no" / "such"), Error);
    std::filesystem::create_directory(m_path);
    EXPECT_NE(errorCode(), "");
}

TEST_F(Container, LostBytesInTheMiddleAreSkipped) {
    writeThree();
    std::string whole = slurp();
    whole.erase(16 + 22, 5);
    put(whole);
    const auto chunks = read();
    ASSERT_EQ(chunks.size(), 2u);
    EXPECT_EQ(chunks[1].payload, bytesOf("three streams"));
    ASSERT_EQ(m_defects.size(), 1u);
    EXPECT_EQ(m_defects[0].code, DefectCode::DamagedChunk);
    EXPECT_EQ(m_defects[0].count, 1u);
    EXPECT_NE(m_defects[0].detail.find("byte 16"), std::string::npos);
}

TEST_F(Container, TheNextChunkIsFoundWhereverTheReadersBlocksEnd) {
    constexpr std::size_t block = 64 * 1024;
    for (std::size_t size = block - 40; size < block + 10; ++size) {
        {
            ContainerWriter file(m_path);
            file.append(ChunkType::Records, Bytes(size));
            file.append(ChunkType::Experiment, "found");
        }
        std::string damaged = slurp();
        damaged[16] ^= 1; // the first marker, so the length beside it is not to be trusted
        put(damaged);
        const auto chunks = read();
        ASSERT_EQ(chunks.size(), 1u) << size;
        EXPECT_EQ(chunks[0].payload, bytesOf("found"));
    }
}

TEST_F(Container, RandomGarbageNeverCrashes) {
    writeThree();
    const std::string whole = slurp();
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        std::string damaged = whole;
        for (unsigned i = random() % 20; i > 0; --i)
            damaged[16 + random() % (damaged.size() - 16)] = static_cast<char>(random());
        put(damaged.substr(0, 16 + random() % (damaged.size() - 16)) + damaged.substr(16));
        EXPECT_LE(read().size(), 6u);
    }
}

TEST_F(Container, ForgedMarkersDoNotMakeItSlow) {
    writeThree();
    const std::string whole = slurp();
    const std::string marker = whole.substr(16, 8), head = whole.substr(0, 16);
    std::string forged = head;
    while (forged.size() < (4u << 20)) // each chunk claims 2 MiB and has a wrong checksum
        forged += marker + std::string("RECS") + std::string("\0\0\x20\0", 4) + "....";
    put(forged);
    const std::clock_t start = std::clock(); // of this process: what others do does not count
    EXPECT_TRUE(read().empty());
    EXPECT_TRUE(has(DefectCode::DamagedChunk));
    EXPECT_LT(std::clock() - start, 30 * CLOCKS_PER_SEC) << "many times what it takes";
}

TEST_F(Container, CancelStopsReading) {
    writeThree();
    std::stop_source stop;
    stop.request_stop();
    try {
        readContainer(
            m_path, [](Chunk&&) {}, m_defects, RunControl{stop.get_token(), {}});
        FAIL() << "it went on";
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Cancelled);
    }
}

TEST_F(Container, AFullDiskLeavesWhatWasWritten) {
    const Bytes large(64 * 1024, std::byte{7});
    ContainerWriter file(m_path);
    file.append(ChunkType::Records, large);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 100 * 1024;
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THROW(file.append(ChunkType::Records, large), Error);
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(read().size(), 1u);
    EXPECT_FALSE(has(DefectCode::DamagedChunk)) << "the half chunk was taken back";
    file.append(ChunkType::Records, "room again");
    file.finish();
    EXPECT_EQ(read().size(), 2u);
    EXPECT_TRUE(m_defects.empty());
}

TEST(Crc32c, KnownValues) {
    EXPECT_EQ(crc32c({}), 0u);
    EXPECT_EQ(crc32c(bytesOf("123456789")), 0xe3069283u) << "the check value of CRC-32C";
    EXPECT_EQ(crc32c(Bytes(32)), 0x8a9136aau) << "RFC 3720, B.4";
    EXPECT_EQ(crc32c(Bytes(32, std::byte{0xff})), 0x62a8ab43u);
}

TEST(Crc32c, BothWaysAgreeAndCanBeContinued) {
    std::mt19937 random(1);
    Bytes data(5000);
    for (std::byte& b : data)
        b = static_cast<std::byte>(random());
    for (std::size_t from = 0; from < 9; ++from)
        for (std::size_t size = 0; size < 70; ++size) {
            const auto part = std::span(data).subspan(from, size);
            ASSERT_EQ(crc32c(part), crc32cPortable(part));
            ASSERT_EQ(crc32c(part.subspan(size / 3), crc32c(part.first(size / 3))), crc32c(part));
        }
    EXPECT_EQ(crc32c(data), crc32cPortable(data));
}

} // namespace
} // namespace olab
