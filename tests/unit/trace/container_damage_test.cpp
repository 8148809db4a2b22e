// Every kind of damage is found, counted and survived; what is read is never anything but what was written.
#include "container_fixture.h"
#include "made_records.h"
#include "test_places.h"

#include <random>

namespace olab {
namespace {

using made::Bytes;
using made::bytesOf;

constexpr std::size_t kHeader = 16, kChunkHeader = 24;
const std::filesystem::path kRecordings = std::filesystem::path(OLAB_SOURCE_DIR) / "resources/recordings";

class Damage : public made::ContainerFixture {
protected:
    /// Ten chunks of different lengths, and the bytes of each with the closing one.
    std::vector<std::string> writeTen() {
        {
            ContainerWriter file(m_path);
            for (std::size_t i = 0; i < 10; ++i)
                file.append(ChunkType::Records, textOf(i));
        }
        m_header = slurp().substr(0, kHeader);
        std::vector<std::string> chunks;
        std::size_t at = kHeader;
        for (std::size_t i = 0; i <= 10; ++i) {
            chunks.push_back(slurp().substr(at, kChunkHeader + (i < 10 ? textOf(i).size() : 0)));
            at += chunks.back().size();
        }
        EXPECT_EQ(at, slurp().size());
        return chunks;
    }
    static std::string textOf(std::size_t i) { return std::string(1 + i * 7, static_cast<char>('a' + i)); }
    void putChunks(const std::vector<std::string>& chunks) {
        std::string all = m_header;
        for (const std::string& c : chunks)
            all += c;
        put(all);
    }
    std::vector<std::size_t> readNumbers() {
        std::vector<std::size_t> numbers;
        for (const Chunk& c : read()) {
            numbers.push_back(c.payload.empty() ? 99 : static_cast<std::size_t>(c.payload[0]) - 'a');
            EXPECT_EQ(c.payload, bytesOf(textOf(numbers.back())));
        }
        return numbers;
    }
    std::uint64_t count(DefectCode code) const {
        std::uint64_t sum = 0;
        for (const RefusedRecord& d : m_defects)
            sum += d.code == code ? d.count : 0;
        return sum;
    }
    std::string m_header;
};

TEST_F(Damage, SwappedChunksAreFoundAndRead) {
    const auto chunks = writeTen();
    for (std::size_t a = 0; a < 10; ++a)
        for (std::size_t b = a + 1; b < 11; ++b) {
            auto swapped = chunks;
            std::swap(swapped[a], swapped[b]);
            putChunks(swapped);
            EXPECT_EQ(readNumbers().size(), 10u);
            EXPECT_GT(count(DefectCode::ChunkOrder), 0u) << a << " and " << b;
            EXPECT_EQ(m_defects.size(), 1u);
        }
}

TEST_F(Damage, RepeatedChunksAreFoundAndReadOnce) {
    const auto chunks = writeTen();
    for (std::size_t what = 0; what < 11; ++what)
        for (std::size_t where = 0; where <= 11; ++where) {
            auto repeated = chunks;
            repeated.insert(repeated.begin() + static_cast<std::ptrdiff_t>(where), chunks[what]);
            putChunks(repeated);
            EXPECT_EQ(readNumbers().size(), 10u);
            EXPECT_GT(count(DefectCode::ChunkOrder), 0u) << what << " at " << where;
        }
}

TEST_F(Damage, ChunksCutOutAreCounted) {
    const auto chunks = writeTen();
    auto fewer = chunks;
    fewer.erase(fewer.begin() + 3, fewer.begin() + 5);
    putChunks(fewer);
    EXPECT_EQ(readNumbers(), (std::vector<std::size_t>{0, 1, 2, 5, 6, 7, 8, 9}));
    EXPECT_EQ(count(DefectCode::ChunkOrder), 2u);
    fewer.pop_back();
    putChunks(fewer);
    read();
    EXPECT_EQ(count(DefectCode::TruncatedFile), 1u) << "the closing chunk is gone";
}

TEST_F(Damage, ADamagedChunkIsCountedOnce) {
    auto chunks = writeTen();
    chunks[4].back() = '?';
    putChunks(chunks);
    EXPECT_EQ(readNumbers().size(), 9u);
    EXPECT_EQ(count(DefectCode::DamagedChunk), 1u);
    EXPECT_EQ(count(DefectCode::ChunkOrder), 0u) << "it is not missing besides";
}

TEST_F(Damage, AbsurdLengthsCostOneChunk) {
    const auto chunks = writeTen();
    for (const unsigned char high : {0x01, 0x3f, 0x40, 0x7f, 0x80, 0xff}) {
        auto absurd = chunks;
        absurd[5][15] = static_cast<char>(high);
        putChunks(absurd);
        EXPECT_EQ(readNumbers(), (std::vector<std::size_t>{0, 1, 2, 3, 4, 6, 7, 8, 9}));
        EXPECT_EQ(count(DefectCode::DamagedChunk), 1u);
    }
}

TEST_F(Damage, AWrongVersionIsCountedAndTheFileRead) {
    writeTen();
    const std::string whole = slurp();
    for (std::size_t at = 8; at < 16; ++at)
        for (const int flip : {1, 2, 3, 0x80, 0xff}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            put(damaged);
            EXPECT_EQ(readNumbers().size(), 10u) << at;
            EXPECT_EQ(count(DefectCode::DamagedChunk), 1u) << at;
        }
}

TEST_F(Damage, TheShippedRecordingsAreOfThePresentVersionAndWhole) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRecordings)) {
        if (entry.path().extension() != ".olab")
            continue;
        std::filesystem::copy_file(entry.path(), m_path, std::filesystem::copy_options::overwrite_existing);
        EXPECT_EQ(slurp()[8], static_cast<char>(kContainerVersion)) << entry.path();
        EXPECT_FALSE(read().empty());
        EXPECT_TRUE(m_defects.empty()) << entry.path();
    }
}

TEST_F(Damage, AVersionOneFileIsReadAndSaysThatItsWholenessIsNotKnown) {
    // One chunk by hand: marker, "REPO", length 2, CRC, payload.
    std::string chunk = "REPO";
    chunk += std::string("\2\0\0\0", 4);
    const std::uint32_t crc = crc32c(bytesOf(chunk + "hi"));
    for (unsigned i = 0; i < 4; ++i)
        chunk += static_cast<char>(crc >> (8 * i));
    writeTen();
    const std::string marker = slurp().substr(kHeader, 8);
    put(m_header.substr(0, 8) + std::string("\1\0\0\0\0\0\0\0", 8) + marker + chunk + "hi");
    ASSERT_EQ(read().size(), 1u);
    EXPECT_EQ(m_defects.size(), 1u);
    EXPECT_EQ(count(DefectCode::OldFormat), 1u);
    EXPECT_EQ(defectRow(DefectCode::OldFormat).severity, Severity::Notice);
    put(m_header.substr(0, 8) + std::string("\0\0\0\0\0\0\0\0", 8) + marker + chunk + "hi");
    ASSERT_EQ(read().size(), 1u);
    EXPECT_EQ(count(DefectCode::DamagedChunk), 1u);
}

TEST_F(Damage, AChunkOfAnUnknownTypeIsANotice) {
    {
        ContainerWriter file(m_path);
        file.append(static_cast<ChunkType>(0x12345678), "of a later version");
        file.append(ChunkType::Experiment, "{}");
    }
    EXPECT_EQ(read().size(), 1u);
    EXPECT_EQ(count(DefectCode::UnknownChunk), 1u);
    EXPECT_EQ(m_defects.size(), 1u);
}

TEST_F(Damage, AWriterThatFailsDoesNotCloseTheFile) {
    try {
        ContainerWriter file(m_path);
        file.append(ChunkType::Experiment, "{}");
        throw std::runtime_error("the device fell off");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(read().size(), 1u);
    EXPECT_EQ(count(DefectCode::TruncatedFile), 1u);
}

TEST_F(Damage, AnyDamageOfARecordingGivesOnlyTrueChunks) {
    {
        ContainerWriter file(m_path);
        RecordWriter writer(file);
        made::give(made::randomRecords(21, 6000), writer);
        writer.flush();
    }
    const std::string whole = slurp();
    const auto honest = read();
    std::mt19937 random(21);
    for (int round = 0; round < 400; ++round) {
        std::string damaged = whole;
        for (unsigned i = 1 + random() % 4; i > 0; --i) {
            const std::size_t at = 8 + random() % (damaged.size() - 8), length = random() % 5000;
            const std::size_t other = 8 + random() % (damaged.size() - 8);
            switch (random() % 5) {
            case 0:
                damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
                break;
            case 1:
                damaged.erase(at, length);
                break;
            case 2:
                damaged.insert(at, whole.substr(other < whole.size() ? other : 8, length));
                break;
            case 3:
                damaged.resize(at);
                break;
            default:
                std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(at),
                            std::min(length, damaged.size() - at), '\0');
            }
            damaged.resize(std::max<std::size_t>(damaged.size(), 9));
        }
        put(damaged);
        const auto chunks = read();
        ASSERT_TRUE(damaged == whole || !m_defects.empty()) << round;
        for (const Chunk& c : chunks)
            ASSERT_TRUE(std::ranges::any_of(honest, [&c](const Chunk& h) { return h.payload == c.payload; }));
    }
}

} // namespace
} // namespace olab
