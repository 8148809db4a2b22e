#include "mutations.h"

#include <olab/experiment/held_experiment.h>
#include <olab/trace/container.h>

#include <algorithm>
#include <array>
#include <random>

namespace olab::hostile {
namespace {

/// The same numbers everywhere, which no distribution of the standard library promises.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_random(seed) {}
    std::size_t below(std::size_t count) { return count == 0 ? 0 : m_random() % count; }
    std::byte byte() { return static_cast<std::byte>(m_random()); }

private:
    std::mt19937 m_random;
};

// --- bytes

void flipBits(Bytes& file, Dice& dice) {
    for (std::size_t count = 1 + dice.below(8); count > 0; --count)
        file[dice.below(file.size())] ^= std::byte{1} << dice.below(8);
}

void overwriteBlock(Bytes& file, Dice& dice) {
    const std::size_t at = dice.below(file.size()), end = std::min(file.size(), at + 1 + dice.below(512));
    const std::size_t way = dice.below(3);
    for (std::size_t i = at; i < end; ++i)
        file[i] = way == 0 ? std::byte{0} : way == 1 ? std::byte{0xff} : dice.byte();
}

void cutOff(Bytes& file, Dice& dice) {
    file.resize(dice.below(file.size()));
}

// --- chunks

std::size_t chunkOf(const std::vector<RawChunk>& chunks, Dice& dice) {
    return dice.below(chunks.size());
}

void splice(std::vector<RawChunk>& chunks, const std::vector<RawChunk>& others, Dice& dice) {
    const auto at = [&] { return chunks.begin() + static_cast<std::ptrdiff_t>(chunkOf(chunks, dice)); };
    const RawChunk& other = others[chunkOf(others, dice)];
    switch (dice.below(6)) {
    case 0:
        chunks.insert(at(), other);
        return;
    case 1:
        *at() = other;
        return;
    case 2:
        chunks.erase(at());
        return;
    case 3:
        chunks.insert(at(), RawChunk(*at()));
        return;
    case 4:
        std::iter_swap(at(), at());
        return;
    default:
        at()->type = other.type;
    }
}

/// In a chunk of records: numbers are made as long as they can be, bytes go and come.
void spoilRecords(std::vector<RawChunk>& chunks, Dice& dice) {
    Bytes& payload = chunks[chunkOf(chunks, dice)].payload;
    for (std::size_t count = 1 + dice.below(4); count > 0 && !payload.empty(); --count) {
        const auto at = payload.begin() + static_cast<std::ptrdiff_t>(dice.below(payload.size()));
        switch (dice.below(5)) {
        case 0:
            *at = dice.byte();
            break;
        case 1:
            *at = std::byte{0x7f};
            break;
        case 2:
            std::fill_n(at, std::min<std::ptrdiff_t>(payload.end() - at, 9), std::byte{0xff});
            break;
        case 3:
            payload.erase(at);
            break;
        default:
            payload.insert(at, 1 + dice.below(16), dice.byte());
        }
    }
}

// --- JSON

constexpr std::array<std::string_view, 24> kPoison{"1e999",
                                                   "-1e999",
                                                   "1e300",
                                                   "-9223372036854775808",
                                                   "9223372036854775807",
                                                   "18446744073709551615",
                                                   "99999999999999999999",
                                                   "-1",
                                                   "0",
                                                   "1.5",
                                                   "-0.0",
                                                   "null",
                                                   "true",
                                                   "[]",
                                                   "{}",
                                                   "\"\"",
                                                   "\"\\u0000\"",
                                                   "\"\\ud800\"",
                                                   "\"<img src=x>\"",
                                                   "\"\\u202e\"",
                                                   "\"\xff\"",
                                                   "[[[[[[[[1]]]]]]]]",
                                                   "nan",
                                                   "4294967296"};

std::string poison(Dice& dice) {
    const std::size_t way = dice.below(kPoison.size() + 3);
    if (way < kPoison.size())
        return std::string(kPoison[way]);
    if (way == kPoison.size())
        return std::string(40'000, '[');
    if (way == kPoison.size() + 1)
        return "\"" + std::string(300'000, 'x') + "\"";
    std::string members = "{\"a\":1"; // of one name
    for (int i = 0; i < 3'000; ++i)
        members += ",\"a\":{}";
    return members + "}";
}

struct Token {
    std::size_t at = 0, size = 0;
};

/// Strings (keys, too), numbers and words.
std::vector<Token> tokensOf(std::string_view json) {
    std::vector<Token> tokens;
    for (std::size_t at = 0; at < json.size();) {
        std::size_t end = at + 1;
        if (json[at] == '"') {
            while (end < json.size() && json[end] != '"')
                end += json[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, json.size());
        } else if (std::string_view(" \n\t,:[]{}").find(json[at]) == std::string_view::npos)
            end = std::min(json.find_first_of(" \n\t,:[]{}\"", at), json.size());
        if (end > at + 1 || (json[at] >= '0' && json[at] <= '9'))
            tokens.push_back({at, end - at});
        at = end;
    }
    return tokens;
}

/// Values that recordings seldom have, to be poisoned as well.
constexpr std::pair<ChunkType, std::string_view> kTexts[] = {
    {ChunkType::Bookmarks, R"({"bookmarks": [{"begin_ns": 5, "end_ns": 90000, "row": "GPU 0 compute",)"
                           R"( "note": "a\nb", "activity": 3}, {"begin_ns": 7, "end_ns": 7, "note": ""}]})"},
    {ChunkType::Label, R"({"title": "A run", "note": "what\nit shows"})"},
    {ChunkType::Environment, R"({"tool_effect": {"traced_ns": 101, "untraced_ns": 100, "ratio": 1.01,)"
                             R"( "runs": 5, "measured_with": "Run 1"}})"},
    {ChunkType::Experiment,
     R"({"streams": 2, "h2d.bytes": "16MiB", "kernel.blocks": "fill:2", "memset": "on"})"},
};

bool isJson(const RawChunk& chunk) {
    return !chunk.payload.empty() && chunk.payload.front() == std::byte{'{'};
}

RawChunk& jsonChunk(std::vector<RawChunk>& chunks, Dice& dice) {
    const std::size_t way = dice.below(2 * std::size(kTexts));
    if (way < std::size(kTexts)) {
        const auto& [type, text] = kTexts[way];
        const auto bytes = std::as_bytes(std::span(text));
        return *chunks.insert(chunks.begin(),
                              {static_cast<std::uint32_t>(type), Bytes(bytes.begin(), bytes.end())});
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < chunks.size(); ++i)
        if (isJson(chunks[i]))
            found.push_back(i);
    return chunks[found.empty() ? 0 : found[dice.below(found.size())]];
}

void poisonJson(std::vector<RawChunk>& chunks, Dice& dice) {
    RawChunk& chunk = jsonChunk(chunks, dice);
    std::string text(textOf(chunk.payload));
    for (std::size_t count = 1 + dice.below(3); count > 0; --count) {
        const std::vector<Token> tokens = tokensOf(text);
        if (tokens.empty())
            break;
        const Token token = tokens[dice.below(tokens.size())];
        text.replace(token.at, token.size, poison(dice));
    }
    const auto bytes = std::as_bytes(std::span(text));
    chunk.payload.assign(bytes.begin(), bytes.end());
}

Mutated ofChunks(const char* how, std::vector<RawChunk> chunks) {
    return {fileOf(chunks), how, false};
}

} // namespace

Mutated mutated(const Bytes& file, const Bytes& other, std::uint32_t seed) {
    Dice dice(seed);
    std::vector<RawChunk> chunks = chunksOf(file);
    const std::size_t way = dice.below(10);
    Mutated made{file, {}, way < 3};
    switch (way) {
    case 0:
        flipBits(made.file, dice), made.how = "bits, checksums wrong";
        break;
    case 1:
        overwriteBlock(made.file, dice), made.how = "a block, checksums wrong";
        break;
    case 2:
        cutOff(made.file, dice), made.how = "cut off";
        break;
    case 3:
        flipBits(made.file, dice), mendChecksums(made.file), made.how = "bits";
        break;
    case 4:
        for (std::size_t count = 1 + dice.below(3); count > 0 && !chunks.empty(); --count)
            splice(chunks, chunksOf(other), dice);
        return ofChunks("chunks", std::move(chunks));
    case 5:
    case 6:
        spoilRecords(chunks, dice);
        return ofChunks("records", std::move(chunks));
    case 7:
        made.file.insert(made.file.end(), other.begin(), other.end()), made.how = "two files in one";
        break;
    default:
        poisonJson(chunks, dice);
        return ofChunks("JSON", std::move(chunks));
    }
    made.mustBeTold = made.mustBeTold && made.file != file;
    return made;
}

} // namespace olab::hostile
