// What importers read from: plain, packed, damaged, in a pipe; and that a row of the table is all a format
// needs.
#include "sample.h"

#include <olab/io/formats.h>

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace olab::io {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string gzipped(const std::string& text) {
    z_stream stream{};
    ::deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(::deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return packed;
}

std::string zstdOf(const std::string& text) {
    ZSTD_CCtx* const context = ::ZSTD_createCCtx();
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); // as the program zstd does
    std::string packed(::ZSTD_compressBound(text.size()), '\0');
    packed.resize(::ZSTD_compress2(context, packed.data(), packed.size(), text.data(), text.size()));
    ::ZSTD_freeCCtx(context);
    return packed;
}

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Not of one letter, so that packing does not make it tiny.
std::string longText(std::size_t size) {
    std::string text;
    for (std::uint32_t i = 0; text.size() < size; ++i)
        text += std::to_string(i * 2654435761u) + ' ';
    text.resize(size);
    return text;
}

class SourceTest : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("olab-source-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    fs::path write(const std::string& name, const std::string& content) {
        std::ofstream(m_folder / name, std::ios::binary) << content;
        return m_folder / name;
    }
    static std::string readAll(Source& source, std::size_t piece = 70'000) {
        std::string all;
        std::vector<std::byte> block(piece);
        while (const std::size_t got = source.read(block))
            all.append(reinterpret_cast<const char*>(block.data()), got);
        return all;
    }
    std::string read(const fs::path& path, std::size_t piece = 70'000) {
        Source source(path, m_control);
        return readAll(source, piece);
    }
    RunControl m_control;
    fs::path m_folder;
};

TEST_F(SourceTest, GivesWhatIsInsidePlainGzipAndZstd) {
    for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u, 1'000'003u}) {
        const std::string text = longText(size);
        for (const auto& packed : {text, gzipped(text), zstdOf(text)}) {
            const fs::path path = write("file", packed);
            for (const std::size_t piece : {1'000u, 70'000u})
                EXPECT_EQ(read(path, piece), text) << size;
            Source source(path, m_control);
            EXPECT_EQ(source.head().size(), std::min<std::size_t>(size, 4096));
            EXPECT_EQ(contentOf(source.file()), text);
            EXPECT_FALSE(source.isDamaged());
        }
    }
}

TEST_F(SourceTest, MembersAndFramesFollowOneAnother) {
    const std::string a = longText(10'000), b = longText(500'000);
    EXPECT_EQ(read(write("a.gz", gzipped(a) + gzipped("") + gzipped(b))), a + b);
    EXPECT_EQ(read(write("a.zst", zstdOf(a) + zstdOf(b))), a + b);
    Source padded(write("padded.gz", gzipped(a) + std::string(512, '\0')), m_control);
    EXPECT_EQ(readAll(padded), a);
    EXPECT_FALSE(padded.isDamaged()) << "as tar leaves them";
}

TEST_F(SourceTest, WhatIsCutOrDamagedGivesWhatCameBeforeAndSaysSo) {
    const std::string text = longText(300'000);
    for (const std::string& packed : {gzipped(text), zstdOf(text)}) {
        Source cut(write("cut", packed.substr(0, packed.size() / 2)), m_control);
        const std::string got = readAll(cut);
        EXPECT_EQ(got, text.substr(0, got.size()));
        EXPECT_TRUE(cut.isDamaged());
        std::string bent = packed;
        for (std::size_t i = 0; i < 40; ++i)
            bent[bent.size() / 2 + i] = static_cast<char>(i * 37);
        Source damaged(write("bent", bent), m_control);
        readAll(damaged);
        EXPECT_TRUE(damaged.isDamaged());
    }
}

/// A frame with a wrong checksum: the text is there, and zstd gives it or not by the room it is given. So
/// does zlib with the text before a bad back reference (found by the fuzzer).
std::vector<std::string> damagedFiles() {
    std::vector<std::string> files;
    for (const std::size_t size : {300u, 5'000u, 300'000u})
        for (std::string packed : {zstdOf(longText(size)), gzipped(longText(size))}) {
            packed.back() = static_cast<char>(packed.back() ^ 1);
            packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x10);
            files.push_back(std::move(packed));
        }
    files.push_back(gzipped(std::string(100'000, '\0')).substr(0, 27) + std::string(260, '\0') +
                    "\xfe\xff\xff\xff");
    return files;
}

TEST_F(SourceTest, HowMuchOfADamagedFileComesOutDoesNotDependOnWhoReads) {
    for (const std::string& packed : damagedFiles()) {
        const std::size_t size = packed.size();
        const fs::path path = write("bent", packed);
        const std::string some = read(path, 100);
        EXPECT_TRUE(read(path, 5'000) == some) << size;
        EXPECT_TRUE(read(path, 1'000'000) == some) << size;
        Source source(path, m_control);
        EXPECT_TRUE(contentOf(source.file()) == some) << size;
    }
}

std::string skippable(std::uint32_t size) {
    std::string frame = "\x5e\x2a\x4d\x18";
    frame.append(reinterpret_cast<const char*>(&size), sizeof size);
    return frame + std::string(size, 's');
}

TEST_F(SourceTest, FramesToBeSkippedMayStandAnywhere) {
    const std::string text = longText(100'000), frame = zstdOf(text);
    for (const std::uint32_t size : {0u, 4u, 100'000u}) {
        const std::string skip = skippable(size);
        for (const std::string& packed : {skip + frame, skip + skip + frame, frame + skip}) {
            Source source(write("skip.zst", packed), m_control);
            EXPECT_EQ(source.packing(), "zstd");
            EXPECT_EQ(readAll(source), text) << size;
            EXPECT_FALSE(source.isDamaged());
        }
    }
}

/// Of a frame of its own: a window of 2^`log` bytes.
std::string zstdOfWindow(const std::string& text, int log) {
    ZSTD_CCtx* const context = ::ZSTD_createCCtx();
    ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, log);
    std::string packed(::ZSTD_compressBound(text.size()), '\0');
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    ZSTD_outBuffer out{packed.data(), packed.size(), 0};
    ::ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue); // as of a pipe: its size is not known
    EXPECT_EQ(::ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0u);
    packed.resize(out.pos);
    ::ZSTD_freeCCtx(context);
    return packed;
}

TEST_F(SourceTest, WhatIsDamagedIsSaid) {
    const std::string text = longText(50'000);
    const auto damage = [&](const std::string& packed) {
        Source source(write("bent", packed), m_control);
        readAll(source);
        return source.damage();
    };
    std::string gzip = gzipped(text), zstd = zstdOf(text);
    EXPECT_EQ(damage(gzip).what, "");
    EXPECT_TRUE(damage(gzip.substr(0, 900)).isCut);
    EXPECT_THAT(damage(gzip.substr(0, gzip.size() - 3)).what, HasSubstr("gzip data ends too early"));
    EXPECT_THAT(damage(gzip + "garbage").what, HasSubstr("is not gzip"));
    EXPECT_THAT(damage(zstd + "garbage").what, HasSubstr("is not zstd"));
    EXPECT_TRUE(damage(zstd.substr(0, 900)).isCut);
    gzip[gzip.size() - 8] = static_cast<char>(gzip[gzip.size() - 8] ^ 1);
    zstd.back() = static_cast<char>(zstd.back() ^ 1);
    EXPECT_THAT(damage(gzip).what, HasSubstr("gzip checksum is wrong"));
    EXPECT_FALSE(damage(gzip).isCut);
    EXPECT_THAT(damage(zstd).what, HasSubstr("zstd checksum is wrong"));
    EXPECT_THAT(damage(zstdOfWindow(text, 28)).remedy, HasSubstr("zstd -d --long=31"));
}

TEST_F(SourceTest, WhatIsDamagedIsSaidOfARecording) {
    const std::string text = "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", "
                             "\"pid\": 0, \"tid\": 7, \"ts\": 1, \"dur\": 1}]}";
    std::string packed = gzipped(text);
    packed[packed.size() - 8] = static_cast<char>(packed[packed.size() - 8] ^ 1);
    const Trace trace = readRecording(write("crc.json.gz", packed)).trace;
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_EQ(trace.defects()[0].code, DefectCode::DamagedChunk);
    EXPECT_THAT(trace.defects()[0].text(), HasSubstr("checksum is wrong"));
    EXPECT_EQ(trace.size(), 1u);
    EXPECT_THAT([&] { readRecording(write("long.json.zst", zstdOfWindow(text, 28))); },
                testing::ThrowsMessage<Error>(
                    AllOf(HasSubstr("window is larger than 128 MiB"), testing::Not(HasSubstr("is empty")))));
    const Trace two = readRecording(write("two.json.gz", gzipped(text) + gzipped(text))).trace;
    EXPECT_EQ(two.counts(), (RecordCounts{2, 1, 1})) << "a document in each member: the second is not read";
    EXPECT_TRUE(readRecording(write("one.json.gz", gzipped(text.substr(0, 50)) + gzipped(text.substr(50))))
                    .trace.defects()
                    .empty());
}

TEST_F(SourceTest, ASmallFileThatUnpacksToVeryMuchIsRefused) {
    const UnpackLimits limits{.most = 1 << 30, .free = 1 << 16, .times = 200};
    for (const std::string& packed :
         {gzipped(std::string(4 << 20, 'x')), zstdOf(std::string(4 << 20, 'x'))}) {
        Source bomb(write("bomb", packed), m_control, limits);
        EXPECT_THAT([&] { readAll(bomb); },
                    testing::ThrowsMessage<Error>(HasSubstr("far more than a trace")));
    }
    Source honest(write("honest", gzipped(longText(4 << 20))), m_control, limits);
    EXPECT_EQ(readAll(honest).size(), 4u << 20);
}

TEST_F(SourceTest, APipeMayBePackedToo) {
    std::stop_source stop;
    m_control.stop = stop.get_token();
    const fs::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::string text = longText(400'000);
    std::jthread writer([&] { std::ofstream(pipe, std::ios::binary) << gzipped(text); });
    EXPECT_EQ(read(pipe), text);
}

TEST_F(SourceTest, ProgressIsThatOfWhatWasGivenAndCancelIsSeen) {
    std::stop_source stop;
    std::vector<double> shares;
    m_control.stop = stop.get_token();
    m_control.progress = [&](double share, std::string_view) { shares.push_back(share); };
    Source source(write("big.gz", gzipped(longText(4 << 20))), m_control);
    readAll(source);
    ASSERT_GT(shares.size(), 10u);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_GT(shares.back(), 0.99);
    EXPECT_LE(shares.back(), 1.0);
    Source again(write("big2.gz", gzipped(longText(4 << 20))), m_control);
    stop.request_stop();
    EXPECT_THROW(readAll(again), Error);
}

TEST_F(SourceTest, APackedRecordingIsTheRecording) {
    const Trace trace = test::sampleTrace();
    const fs::path plain = m_folder / "a.olab";
    writeRecording(plain, trace, nullptr, std::nullopt);
    const std::string bytes = contentOf(plain);
    EXPECT_EQ(readRecording(write("b.olab", gzipped(bytes))).trace, readRecording(plain).trace);
    EXPECT_EQ(readRecording(write("c", zstdOf(bytes))).trace, readRecording(plain).trace);
    const std::string packed = zstdOf(bytes);
    const Trace cut = readRecording(write("d", gzipped(bytes).substr(0, gzipped(bytes).size() - 6))).trace;
    EXPECT_TRUE(std::ranges::any_of(cut.defects(), [](const Defect& d) {
        return d.code == DefectCode::TruncatedFile &&
               d.detail.find("gzip data ends too early") != std::string::npos;
    }));
}

// --- two formats nobody has: one file and one row each

bool sniffLines(std::span<const std::byte> head) {
    return !head.empty() && head[0] == std::byte{'L'};
}
RecordingData readLines(Source& source, RecordSink& records, const RunControl&) {
    std::vector<std::byte> block(64);
    std::uint64_t lines = 0;
    while (const std::size_t got = source.read(block))
        lines += static_cast<std::uint64_t>(
            std::count(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got), std::byte{'\n'}));
    ActivityRecord r;
    r.cls = ActivityClass::Nvtx, r.begin = 1, r.end = 1 + static_cast<Ns>(lines), r.thread = 1;
    r.name = records.intern("lines");
    records.add(r);
    return {};
}
bool sniffSizes(std::span<const std::byte> head) {
    return !head.empty() && head[0] == std::byte{'S'};
}
RecordingData readSizes(Source& source, RecordSink& records, const RunControl&) {
    ActivityRecord r;
    r.cls = ActivityClass::Nvtx, r.begin = 1, r.thread = 1;
    r.end = 1 + static_cast<Ns>(fs::file_size(source.file()));
    records.add(r);
    throw Error(ErrorKind::Usage, "made-up", "Cannot use " + source.file().string() + ".", "");
}

TEST_F(SourceTest, ARowIsAllThatAFormatNeeds) {
    const Importer rows[] = {{"lines", "Lines", "*.lines", sniffLines, readLines},
                             {"sizes", "Sizes", "*.sizes", sniffSizes, readSizes}};
    const fs::path lines = write("l", gzipped("L\n\n\n"));
    const Trace trace = readRecording(lines, rows, {}).trace;
    ASSERT_EQ(trace.size(), 1u);
    EXPECT_EQ(trace.time(0).length(), 3);
    EXPECT_EQ(trace.text(trace[0].name), "lines");
    const fs::path sizes = write("s", zstdOf("Sxx"));
    EXPECT_THAT([&] { readRecording(sizes, rows, {}); },
                testing::ThrowsMessage<Error>("Cannot use " + sizes.string() + "."))
        << "what was unpacked is called what it was unpacked from";
    EXPECT_THAT([&] { readRecording(write("x", "?"), rows, {}); },
                testing::ThrowsMessage<Error>(HasSubstr("unrecognized format")));
}

} // namespace
} // namespace olab::io
