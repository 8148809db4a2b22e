#include "hostile_files.h"

#include <olab/experiment/held_experiment.h>
#include <olab/trace/container.h>

#include <cstdint>

namespace olab::hostile {
namespace {

constexpr std::size_t kLong = 400'000;

/// A record chunk, written by hand: the writer of the program cannot be brought to write these.
class Chunk {
public:
    std::uint64_t text(std::string_view text) {
        number(1), number(text.size());
        m_bytes.append(text);
        return ++m_texts; // 0 is the empty text
    }
    /// A record of these numbers, each below 2^64; `tag` as record_fields.h has it.
    void record(std::uint64_t tag, const std::vector<std::uint64_t>& fields) {
        Chunk body;
        body.m_bytes.clear();
        for (const std::uint64_t field : fields)
            body.number(field);
        number(tag), number(body.m_bytes.size());
        m_bytes += body.m_bytes;
    }
    void environment(std::uint64_t key, std::uint64_t value) { record(9, {key, value}); }
    void device(std::uint64_t number, std::uint64_t name) {
        record(2, {number + 1, name, name, 1, 1, 1, 1, 1, 0, 0, 1, 1});
    }
    /// `cls` as ActivityClass; begins `after` and lasts one nanosecond; on a queue and a channel of its own
    /// where `place` is given.
    void activity(std::uint64_t cls, std::uint64_t after, std::uint64_t name, std::uint64_t place = 1) {
        const bool onHost = cls >= kDeviceClassCount;
        record(5, {cls, 2 * after, 2, 0, onHost ? 0u : 1u, onHost ? 0u : 1u, onHost ? 0u : place,
                   onHost ? 0u : place, 1, onHost ? place : 0u, 0, 0, 0, 0, 0, name, 0});
    }
    void simulated() { record(10, {1, 0, 0, 0}); }
    void refused(std::uint64_t code, std::uint64_t detail) { record(11, {code, 1, 1, detail, 0}); }
    void addTo(ContainerWriter& file) const { file.append(ChunkType::Records, m_bytes); }
    std::size_t size() const { return m_bytes.size(); }

private:
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            m_bytes += static_cast<char>(value | 0x80);
        m_bytes += static_cast<char>(value);
    }
    std::string m_bytes{'\1'};
    std::uint64_t m_texts = 0;
};

using Fill = void (*)(Chunk&);

Attack records(const char* name, Fill fill) {
    return {name, [fill](const std::filesystem::path& path) {
                Chunk chunk;
                fill(chunk);
                ContainerWriter file(path);
                chunk.addTo(file);
            }};
}

Attack json(const char* name, ChunkType type, std::string (*text)()) {
    return {name,
            [type, text](const std::filesystem::path& path) { ContainerWriter(path).append(type, text()); }};
}

void oneValueInEveryEntry(Chunk& chunk) {
    const auto value = chunk.text(std::string(kLong, 'v'));
    for (int i = 0; i < 40'000; ++i)
        chunk.environment(chunk.text("k" + std::to_string(i)), value);
}

void oneEntryOverAndOver(Chunk& chunk) {
    const auto key = chunk.text(std::string(kLong, 'k')), value = chunk.text(std::string(kLong, 'v'));
    for (int i = 0; i < 200'000; ++i)
        chunk.environment(key, i % 2 == 0 ? value : key);
}

void oneNameForEveryDevice(Chunk& chunk) {
    const auto name = chunk.text(std::string(kLong, 'd'));
    for (unsigned i = 0; i < 40'000; ++i)
        chunk.device(i, name);
}

void defectsOfEveryKind(Chunk& chunk) {
    const std::string tail(40, 'x');
    for (int i = 0; i < 40'000; ++i)
        chunk.refused(static_cast<std::uint64_t>(i % 20), chunk.text(std::to_string(i) + tail));
}

void longNamesAtOneTime(Chunk& chunk) {
    const std::string name(kLong, 'n');
    const auto a = chunk.text(name + "a"), b = chunk.text(name + "b");
    for (int i = 0; i < 60'000; ++i)
        chunk.activity(0, i == 0 ? 1000 : 0, i % 3 == 0 ? a : b);
}

void everyCallOfItsOwnName(Chunk& chunk) {
    for (int i = 0; i < 150'000; ++i)
        chunk.activity(8, 2, chunk.text("c" + std::to_string(i)));
}

void everyKernelOnItsOwnQueue(Chunk& chunk) {
    for (unsigned i = 0; i < 70'000; ++i)
        chunk.activity(0, 2, 0, i + 1);
}

void everyCallOfItsOwnThread(Chunk& chunk) {
    for (unsigned i = 0; i < 70'000; ++i)
        chunk.activity(8, 2, 0, i + 1);
}

void nestedSimulatorReport(Chunk& chunk) {
    chunk.simulated();
    const std::string deep = "{\"model\":" + std::string(500'000, '[') + std::string(500'000, ']') + "}";
    chunk.environment(chunk.text("simulator.report"), chunk.text(deep));
    chunk.activity(0, 1000, 0);
}

void simulatorReportOfManyMembers(Chunk& chunk) {
    chunk.simulated();
    std::string many = "{\"model\":1";
    for (int i = 0; i < 80'000; ++i)
        many += ",\"" + std::to_string(i) + "\":1";
    chunk.environment(chunk.text("simulator.report"), chunk.text(many + "}"));
}

std::string nested() {
    return std::string(500'000, '[') + std::string(500'000, ']');
}

std::string nestedObjects() {
    std::string text;
    for (int i = 0; i < 60'000; ++i)
        text += "{\"streams\":";
    return text + "1" + std::string(60'000, '}');
}

std::string members(int count) {
    std::string text = "{\"streams\":2";
    for (int i = 0; i < count; ++i)
        text += ",\"" + std::to_string(i) + "\":1";
    return text + "}";
}
std::string manyMembers() {
    return members(70'000); // under a megabyte
}
std::string tooManyMembers() {
    return members(120'000);
}

std::string manyEmptyLists() {
    std::string text = "{\"bookmarks\":[[]";
    for (int i = 0; i < 700'000; ++i)
        text += ",[]";
    return text + "]}";
}

} // namespace

const std::vector<Attack>& attacks() {
    static const std::vector<Attack> all{
        records("one-value-in-every-entry", oneValueInEveryEntry),
        records("one-entry-over-and-over", oneEntryOverAndOver),
        records("one-name-for-every-device", oneNameForEveryDevice),
        records("defects-of-every-kind", defectsOfEveryKind),
        records("long-names-at-one-time", longNamesAtOneTime),
        records("every-call-of-its-own-name", everyCallOfItsOwnName),
        records("every-kernel-on-its-own-queue", everyKernelOnItsOwnQueue),
        records("every-call-of-its-own-thread", everyCallOfItsOwnThread),
        records("nested-simulator-report", nestedSimulatorReport),
        records("simulator-report-of-many-members", simulatorReportOfManyMembers),
        json("nested-experiment", ChunkType::Experiment, nestedObjects),
        json("nested-environment", ChunkType::Environment, nested),
        json("nested-bookmarks", ChunkType::Bookmarks, nested),
        json("experiment-of-many-members", ChunkType::Experiment, manyMembers),
        json("experiment-of-too-many-members", ChunkType::Experiment, tooManyMembers),
        json("bookmarks-that-are-lists", ChunkType::Bookmarks, manyEmptyLists),
    };
    return all;
}

} // namespace olab::hostile
