// A Chrome trace is read in pieces by many threads; what is read, and what is said of it, must not depend on
// where the pieces end. And no byte is gone over more than a few times, whatever the file holds: bytes are
// counted, not seconds.
#include "chrome_text.h"
#include "import/json/chrome_document.h"
#include "shared_traces.h"
#include "test_places.h"

#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace olab::io {
namespace {

using namespace testing_import;
using json_import::ChromeReading;
namespace fs = std::filesystem;

struct Outcome {
    Trace trace;
    std::string refusal; ///< instead of a trace
};

Outcome outcomeOf(const fs::path& path, const ChromeReading& reading) {
    const RunControl control;
    Source source(path, control);
    TraceBuilder builder;
    try {
        json_import::readChrome(source, builder, control, reading);
    } catch (const Error& error) {
        return {{}, error.what()};
    }
    return {builder.finish(), {}};
}

std::string defectsIn(const Trace& trace) {
    std::string text;
    for (const Defect& defect : trace.defects())
        text += std::to_string(defect.count) + " " + defect.text() + "\n";
    return text;
}

/// `size` bytes each, by several threads: as in one.
void expectSame(const fs::path& path, std::initializer_list<std::size_t> sizes, std::size_t mostEvent,
                const std::string& what, std::size_t oneBlock = std::size_t{1} << 18) {
    ChromeReading whole;
    whole.blockBytes = oneBlock, whole.headStep = oneBlock;
    whole.threads = 1, whole.mostEvent = mostEvent;
    const Outcome expected = outcomeOf(path, whole);
    const RecordCounts counts = expected.trace.counts();
    EXPECT_EQ(counts.read, counts.kept + counts.refused) << what;
    for (const std::size_t size : sizes) {
        ChromeReading tiny = whole;
        tiny.blockBytes = size, tiny.headStep = size;
        tiny.threads = size < 20 ? 1 : 3; // thousands of pieces, which threads would only wait for
        const Outcome got = outcomeOf(path, tiny);
        const std::string where = what + ", pieces of " + std::to_string(size);
        EXPECT_EQ(got.refusal, expected.refusal) << where;
        EXPECT_EQ(defectsIn(got.trace), defectsIn(expected.trace)) << where;
        EXPECT_TRUE(got.trace == expected.trace) << where;
    }
}

void expectSameText(const std::string& text, std::size_t mostEvent = std::size_t{64} << 20) {
    const TextFile file(text);
    expectSame(file.path(), {1, 64, 500, 5'000}, mostEvent, text.substr(0, 300));
}

std::string hostEvent(int i, const std::string& args = "{}") {
    return R"({"ph": "X", "cat": "cpu_op", "name": "op)" + std::to_string(i) + R"(", "pid": )" +
           std::to_string(i % 3) + R"(, "tid": 5, "ts": )" + std::to_string(i) + R"(, "dur": 2, "args": )" +
           args + "}";
}

/// Of all that the reader keeps apart: rows, ranges, begins and ends, names that come late, look-alikes.
std::string variedEvents() {
    std::string text = kernel("1", "1");
    for (int i = 0; i < 12; ++i)
        text += (i % 3 == 0 ? ",\n" : ", ") +
                kernel(std::to_string(10 * i + 3), "4", "k" + std::to_string(i)) + "," +
                hostEvent(i, R"({"list": [{"a": "},{"}, {"ph": 3}], "text": "}, {\"ph\": \"X\"}"})") +
                R"(,{"ph": "X", "cat": "cuda_runtime", "name": "call", "pid": )" + std::to_string(i % 2) +
                R"(, "tid": 5, "ts": 4, "dur": 1})" +
                R"(,{"ph": "B", "cat": "kernel", "name": "b", "pid": 0, "tid": 9, "ts": 7})" +
                R"(,{"ph": "E", "cat": "kernel", "pid": 0, "tid": 9, "ts": 8})" +
                R"(,{"ph": "B", "name": "r)" + std::to_string(i) + R"(", "pid": 7, "tid": 5, "ts": 1})" +
                (i % 4 == 0 ? R"(,{"ph": "E", "pid": 7, "tid": 5, "ts": 9}, {})" : "");
    return text;
}

std::vector<std::string> samples() {
    const std::string varied = variedEvents(), plain = kernel("1", "1") + "," + kernel("3", "1");
    std::string spaces(9'000, ' '), zeros = object(varied), nested, quotes;
    zeros.replace(zeros.size() / 2, 700, std::string(700, '\0'));
    for (int i = 0; i < 300; ++i)
        nested += R"({"ph":"X","a":[{},)", quotes += R"({"ph": "X", "args": {"p": ["C:\"]}}, )";
    return {
        object(varied),
        "[" + varied,
        "[" + varied + ",\n",
        object(varied).substr(0, varied.size() - 40),
        object(varied, R"("deviceProperties": [{"id": 0, "name": "x"}], "n": 1, )") + "\n",
        object(plain) + " text",
        object(plain) + object(varied) + object(plain),
        "[" + varied + "]\n[" + plain + "]{} {\"a\": 1}",
        "{\"traceEvents\": [" + plain + "], \"a\": {\"b\": \"}\"}, \"traceEvents\": [" + varied +
            "], \"c\": 1}",
        "{\"traceEvents\": [" + plain + "], \"a\": \"x\"y, \"traceEvents\": [" + varied + "]}",
        "{\"a\": \"x\"y, \"traceEvents\"" + spaces + ": [" + varied + "]}" + spaces,
        zeros,
        object(plain + "," + std::string(5'000, 'x') + varied),
        object(plain + "," + spaces + "{\"ph\": " + spaces + "\"X\"}," + varied),
        object(nested + varied),
        object(plain + "," + quotes + varied),
        object(hostEvent(1, "{\"long\": \"" + std::string(20'000, 'l') + "\"}") + "," + varied),
        object(hostEvent(1, "{\"long\": \"" + std::string(20'000, 'l')) + varied),
        object(varied + ",," + varied + " " + varied + varied + ", ,"),
        object(plain + ",null," + varied + ",5,\"x\", [[], {}]," + varied + ", [{}" + plain),
        object("null" + varied + ",\"a\": 5}, " + varied + ",7] , [" + varied),
        "[1, 2, " + std::string(9'000, '3') + "," + varied + "]",
        object(kernel("NaN", "1") + "," + kernel("1", "Infinity") + "," + kernel("1e99", "1") + ",\xe9\xe9," +
               varied + ",{\"ph\": \"X\", \"name\": \"\xfc\xff\", \"pid\": 1, \"ts\": 1, \"dur\": NaN}"),
        "{\"a\": 1",
        "[]",
    };
}

TEST(ChromePieces, AnySampleIsReadTheSameInAnyPieces) {
    for (const std::string& text : samples())
        expectSameText(text);
}

/// Streams get numbers in the order in which they come: of work, of work with a begin and an end, of waits.
TEST(ChromePieces, LargeIdsAreNumberedTheSameInAnyPieces) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
        const std::string id = std::to_string(140'000'000'000'000 + i % 9 * 4096),
                          ts = std::to_string(10 * i + 1);
        const std::string rest =
            R"(, "pid": 0, "tid": 1, "ts": )" + ts + R"(, "args": {"device": 0, "context": )" +
            std::to_string(i % 2 == 0 ? 1 : 1LL << 40) + R"(, "stream": )" + id +
            R"(, "priority": -1, "correlation": )" + ts + R"(, "grid": [1, 1, 1], "block": [1, 1, 1])";
        text += i > 0 ? "," : "";
        if (i % 3 == 0)
            text += R"({"ph": "X", "dur": 2, "cat": "kernel", "name": "k")" + rest + "}}";
        else if (i % 3 == 1)
            text += R"({"ph": "B", "cat": "kernel", "name": "k")" + rest +
                    R"(}},{"ph": "E", "cat": "kernel", "name": "k")" + rest + "}}";
        else
            text += R"({"ph": "X", "dur": 0, "cat": "cuda_sync", "name": "Stream Wait Event")" + rest +
                    R"(, "wait_on_stream": 150000000000000, "wait_on_cuda_event_record_corr_id": 5}})";
    }
    expectSameText(object(text));
}

TEST(ChromePieces, EventsOverTheLimitAreTheSameOnes) {
    for (const std::string& text : samples())
        expectSameText(text, 6'000);
}

/// Bytes changed, put in, cut out, doubled, or made zeros.
std::string damaged(std::string text, std::mt19937& random) {
    constexpr std::string_view kLetters = "{}[]\",:\\ \0x\xe9";
    for (std::size_t i = 0, times = 1 + random() % 4; i < times && !text.empty(); ++i) {
        const std::size_t at = random() % text.size(), size = random() % 300;
        switch (random() % 5) {
        case 0:
            text[at] = kLetters[random() % kLetters.size()];
            break;
        case 1:
            text.insert(at, 1, kLetters[random() % kLetters.size()]);
            break;
        case 2:
            text.erase(at, size);
            break;
        case 3:
            text.insert(at, text.substr(random() % text.size(), size));
            break;
        default:
            text.replace(at, std::min(size, text.size() - at), std::string(size, '\0'));
        }
    }
    return text;
}

TEST(ChromePieces, DamagedSamplesAreReadTheSameInAnyPieces) {
    std::mt19937 random(17);
    const std::vector<std::string> all = samples();
    for (int i = 0; i < 100; ++i) {
        const TextFile file(damaged(all[static_cast<std::size_t>(i) % all.size()], random));
        expectSame(file.path(), {15, 250}, i % 2 == 0 ? 7'000 : std::size_t{64} << 20,
                   "number " + std::to_string(i));
    }
}

TEST(ChromePieces, SharedTracesAreReadTheSameInAnyPieces) {
    const fs::path folder = test::sharedTraces();
    if (!fs::exists(folder))
        GTEST_SKIP() << "no traces in " << folder << ": name their folder in OLAB_TRACES";
    int files = 0;
    for (const char* kind : {"chrome-json", "kineto-json", "tfjax-json"})
        for (const auto& entry : fs::directory_iterator(folder / kind))
            if (entry.file_size() < 600'000) {
                expectSame(entry.path(), {3'000, 100'000}, std::size_t{64} << 20, entry.path().filename(),
                           std::size_t{64} << 20);
                ++files;
            }
    EXPECT_GT(files, 3);
}

// --- work

std::string repeated(std::string_view text, std::size_t bytes) {
    std::string all;
    all.reserve(bytes + text.size());
    while (all.size() < bytes)
        all += text;
    return all;
}

TEST(ChromePieces, NoByteIsGoneOverMoreThanAFewTimes) {
    constexpr std::size_t kSize = std::size_t{6} << 20;
    const std::string one = kernel("1", "1"), list = "\"traceEvents\": [" + one + "," + one + "]}";
    const std::string numbers = repeated("\"a\": 1, ", kSize), spaces(kSize, ' '), letters(kSize, 'x');
    const std::pair<const char*, std::string> files[] = {
        {"plain", "[" + repeated(one + ",", kSize)},
        {"spaces before the events", "{" + spaces + list},
        {"spaces before all", spaces + "{" + list},
        {"one large member before them", "{\"x\": \"" + letters + "\", " + list},
        {"many members before them", "{" + numbers + list},
        {"damage, and much before them", "{\"x\": \"a\"b" + letters + list},
        {"one event that never ends", "[" + one + ",{\"ph\": \"X\", \"name\": \"" + letters},
        {"one large event", "[" + one + ",{\"ph\": \"X\", \"name\": \"" + letters + "\"}," + one + "]"},
        {"events none of which ends", "[" + repeated("{\"ph\":\"X\",\"a\":[{},", kSize)},
        {"what only seems to be events", "[1 " + repeated("{},{\"a\":[{},{\"b\":{\"ph\":0,\"c\":[", kSize)},
        {"no event at all", "[1" + repeated(",2", kSize)},
        {"lists that never end", "[" + one + repeated(",5,[{},{\"ph\":\"X\"}", kSize)},
        {"values that are none", "[" + one + repeated(",5,[],\"a\":{},{\"ph\":\"X\"}", kSize)},
        {"values between events", "[" + repeated("[],5,{\"ph\":\"X\"},", kSize)},
        {"many members behind them", "{\"traceEvents\": [" + one + "], " + numbers + "\"z\": 1}"},
        {"one large member behind them", "{\"traceEvents\": [" + one + "], \"x\": \"" + letters + "\"}"},
        {"a second list", "{\"traceEvents\": [" + one + "], \"traceEvents\": [" + repeated(one + ",", kSize)},
        {"many documents", "[" + one + "]" + repeated("[{}] {}", kSize)},
        {"text after the end", "[" + one + "]" + letters},
    };
    for (const auto& [what, text] : files) {
        const TextFile file(text);
        std::atomic<std::uint64_t> lookedAt = 0;
        ChromeReading reading;
        reading.lookedAt = &lookedAt;
        outcomeOf(file.path(), reading);
        EXPECT_GT(lookedAt, kSize / 16) << what; // it is counted; what follows the end is not read on
        EXPECT_LT(lookedAt, 6 * text.size()) << what;
    }
}

} // namespace
} // namespace olab::io
