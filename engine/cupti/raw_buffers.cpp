#include <olab/cupti/decode.h>

#include "api.h"
#include "decode_state.h"

#include <olab/trace/container.h>

#include <cstring>
#include <unordered_map>

namespace olab::cupti {
namespace {

// A chunk: u32 mode, u32 texts, then per text {u64 pointer, u32 length, bytes}, then u64 length and the
// buffer itself.
template <typename Value>
void put(std::vector<std::byte>& out, Value value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof value);
    std::memcpy(out.data() + at, &value, sizeof value);
}

class Reader {
public:
    explicit Reader(std::span<const std::byte> data)
        : m_data(data) {}
    template <typename Value>
    Value get() {
        Value value{};
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::span<const std::byte> take(std::size_t length) {
        if (length > m_data.size())
            throw Error(ErrorKind::Usage, "bad-file", "A raw CUPTI chunk ends early.",
                        "Record the fixture again.");
        const auto part = m_data.first(length);
        m_data = m_data.subspan(length);
        return part;
    }

private:
    std::span<const std::byte> m_data;
};

using Texts = std::unordered_map<std::uint64_t, std::string>;

Texts textsOf(std::span<std::byte> buffer) {
    Texts texts;
    CUpti_Activity* record = nullptr;
    auto* bytes = reinterpret_cast<std::uint8_t*>(buffer.data());
    while (api().cuptiActivityGetNextRecord(bytes, buffer.size(), &record) == CUPTI_SUCCESS) {
        const KindRow* row = findKind(record->kind);
        const char* text = row && row->text ? row->text(record) : nullptr;
        if (text)
            texts.try_emplace(reinterpret_cast<std::uintptr_t>(text), text);
    }
    return texts;
}

} // namespace

struct RawBufferFile::State {
    explicit State(const std::filesystem::path& path)
        : file(path) {}
    ContainerWriter file;
};

RawBufferFile::RawBufferFile(const std::filesystem::path& path)
    : m_state(std::make_unique<State>(path)) {}
RawBufferFile::~RawBufferFile() = default;

void RawBufferFile::append(std::span<std::byte> buffer, DecodeMode mode) {
    const Texts texts = textsOf(buffer);
    std::vector<std::byte> chunk;
    put(chunk, static_cast<std::uint32_t>(mode));
    put(chunk, static_cast<std::uint32_t>(texts.size()));
    for (const auto& [pointer, text] : texts) {
        put(chunk, pointer);
        put(chunk, static_cast<std::uint32_t>(text.size()));
        const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
        chunk.insert(chunk.end(), bytes, bytes + text.size());
    }
    put(chunk, static_cast<std::uint64_t>(buffer.size()));
    chunk.insert(chunk.end(), buffer.begin(), buffer.end());
    m_state->file.append(ChunkType::RawCupti, std::span<const std::byte>(chunk));
}

namespace {

void decodeChunk(const Chunk& chunk, Texts& texts, Decoder& decoder) {
    Reader reader(chunk.payload);
    const auto mode = static_cast<DecodeMode>(reader.get<std::uint32_t>());
    const auto count = reader.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto pointer = reader.get<std::uint64_t>();
        const auto text = reader.take(reader.get<std::uint32_t>());
        texts[pointer] = std::string(reinterpret_cast<const char*>(text.data()), text.size());
    }
    const auto raw = reader.take(reader.get<std::uint64_t>());
    std::vector<std::byte> aligned(raw.begin(), raw.end()); // operator new aligns to 16; records want 8
    decoder.decode(aligned, mode);
}

} // namespace

void decodeRawBuffers(const std::filesystem::path& path, RecordSink& out) {
    Texts texts;
    Decoder decoder({[&texts](const char* pointer) {
                         const auto found = texts.find(reinterpret_cast<std::uintptr_t>(pointer));
                         return found == texts.end() ? std::string_view() : found->second;
                     },
                     noNodes});
    decoder.open(out);
    std::vector<RefusedRecord> defects;
    const auto take = [&](Chunk&& chunk) {
        if (chunk.type == ChunkType::RawCupti)
            decodeChunk(chunk, texts, decoder);
    };
    readContainer(path, take, defects);
    decoder.close();
    for (const RefusedRecord& defect : defects)
        out.add(defect);
}

} // namespace olab::cupti
