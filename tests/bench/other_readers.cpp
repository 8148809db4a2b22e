#include "other_readers.h"

#include "bench.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#ifdef OLAB_BENCH_SIMDJSON
#include <simdjson.h>
#endif
#ifdef OLAB_BENCH_RAPIDJSON
#define RAPIDJSON_SSE42
#include <rapidjson/filereadstream.h>
#include <rapidjson/reader.h>
#endif

namespace olab::bench {
namespace {

struct Slice {
    double begin = 0, length = 0;
    std::uint32_t device = 0, stream = 0, correlation = 0;
    bool isWork = false;
};

[[maybe_unused]] bool isWork(std::string_view category) {
    return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
}

[[maybe_unused]] void stop(const char* why) {
    std::fprintf(stderr, "%s\n", why);
    std::exit(1);
}

#ifdef OLAB_BENCH_SIMDJSON
std::uint32_t numberIn(simdjson::ondemand::object& of, const char* key) {
    std::uint64_t number = 0;
    return of.find_field_unordered(key).get_uint64().get(number) ? 0 : static_cast<std::uint32_t>(number);
}

Slice sliceOf(simdjson::ondemand::object event) {
    Slice slice;
    std::string_view category;
    if (!event["cat"].get_string().get(category))
        slice.isWork = isWork(category);
    if (event["ts"].get_double().get(slice.begin) || event["dur"].get_double().get(slice.length))
        slice.isWork = false;
    simdjson::ondemand::object arguments;
    if (!event["args"].get_object().get(arguments)) {
        slice.device = numberIn(arguments, "device");
        slice.stream = numberIn(arguments, "stream");
        slice.correlation = numberIn(arguments, "correlation");
    }
    return slice;
}

void readWithSimdjson(const std::filesystem::path& path, std::vector<Slice>& slices) {
    simdjson::padded_string text;
    if (simdjson::padded_string::load(path.string()).get(text))
        stop("simdjson cannot load the file");
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    if (parser.iterate(text).get(document))
        stop("simdjson cannot read the file");
    for (auto event : document["traceEvents"])
        if (const Slice slice = sliceOf(event.get_object()); slice.isWork)
            slices.push_back(slice);
}
#endif

#ifdef OLAB_BENCH_RAPIDJSON
/// Events are objects of depth 3, what they are about of depth 4.
class Handler : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Handler> {
public:
    explicit Handler(std::vector<Slice>& slices)
        : m_slices(slices) {}
    bool StartObject() {
        if (++m_depth == kEvent)
            m_slice = {};
        return true;
    }
    bool EndObject(rapidjson::SizeType) {
        if (m_depth-- == kEvent && m_slice.isWork)
            m_slices.push_back(m_slice);
        return true;
    }
    bool Key(const char* text, rapidjson::SizeType size, bool) {
        m_key.assign(text, size);
        return true;
    }
    bool String(const char* text, rapidjson::SizeType size, bool) {
        if (m_depth == kEvent && m_key == "cat")
            m_slice.isWork = isWork({text, size});
        return true;
    }
    bool Double(double value) { return number(value); }
    bool Uint(unsigned value) { return number(value); }
    bool Int(int value) { return number(value); }
    bool Uint64(std::uint64_t value) { return number(static_cast<double>(value)); }

private:
    static constexpr int kEvent = 2;
    bool number(double value) {
        if (m_depth == kEvent && m_key == "ts")
            m_slice.begin = value;
        else if (m_depth == kEvent && m_key == "dur")
            m_slice.length = value;
        else if (m_depth == kEvent + 1)
            argument(value);
        return true;
    }
    void argument(double value) {
        const auto whole = static_cast<std::uint32_t>(std::int64_t(value));
        if (m_key == "device")
            m_slice.device = whole;
        else if (m_key == "stream")
            m_slice.stream = whole;
        else if (m_key == "correlation")
            m_slice.correlation = whole;
    }
    std::vector<Slice>& m_slices;
    Slice m_slice;
    std::string m_key;
    int m_depth = 0;
};

void readWithRapidjson(const std::filesystem::path& path, std::vector<Slice>& slices) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file)
        stop("RapidJSON cannot open the file");
    std::vector<char> buffer(std::size_t{1} << 20);
    rapidjson::FileReadStream stream(file.get(), buffer.data(), buffer.size());
    rapidjson::Reader reader;
    Handler handler(slices);
    if (reader.Parse(stream, handler).IsError())
        stop("RapidJSON cannot read the file");
}
#endif

[[maybe_unused]] void time(const char* what, const std::filesystem::path& path, std::size_t count,
                           void (*read)(const std::filesystem::path&, std::vector<Slice>&)) {
    constexpr int kRounds = 3;
    std::vector<Slice> slices;
    measure(
        what, count, kRounds, [&] { read(path, slices); }, [&] { slices = {}; });
    if (slices.size() != count)
        std::printf("  (it found %zu device operations, not %zu)\n", slices.size(), count);
}

} // namespace

void benchOtherReaders([[maybe_unused]] const std::filesystem::path& path,
                       [[maybe_unused]] std::size_t count) {
#ifdef OLAB_BENCH_SIMDJSON
    time("simdjson, on demand", path, count, readWithSimdjson);
#else
    std::printf("simdjson is not installed\n");
#endif
#ifdef OLAB_BENCH_RAPIDJSON
    time("RapidJSON, events (SAX)", path, count, readWithRapidjson);
#else
    std::printf("RapidJSON is not installed\n");
#endif
}

} // namespace olab::bench
