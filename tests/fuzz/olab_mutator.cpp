// Mutates .olab files so that most get past their checksums: the fuzzer cannot find these. Inputs stay whole
// files, which `olab analyze` opens as well.
#include "hostile/olab_chunks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace olab::hostile;

std::size_t put(const Bytes& file, std::uint8_t* data, std::size_t most) {
    const std::size_t size = std::min(file.size(), most);
    std::memcpy(data, file.data(), size);
    return size;
}

std::size_t mutateOneChunk(std::vector<RawChunk> chunks, std::uint8_t* data, std::size_t most,
                           std::minstd_rand& random) {
    Bytes& payload = chunks[random() % chunks.size()].payload;
    const std::size_t size = payload.size();
    payload.resize(std::min<std::size_t>(size + 256, most));
    payload.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(payload.data()),
                                    std::min(size, payload.size()), payload.size()));
    return put(fileOf(chunks), data, most);
}

std::size_t mutateOrder(std::vector<RawChunk> chunks, std::uint8_t* data, std::size_t most,
                        std::minstd_rand& random) {
    const auto at = chunks.begin() + static_cast<std::ptrdiff_t>(random() % chunks.size());
    const std::size_t other = random() % chunks.size();
    switch (random() % 4) {
    case 0:
        chunks.erase(at);
        break;
    case 1:
        chunks.insert(at, RawChunk(chunks[other]));
        break;
    case 2:
        std::iter_swap(at, chunks.begin() + static_cast<std::ptrdiff_t>(other));
        break;
    default:
        at->type = chunks[other].type;
    }
    return put(fileOf(chunks), data, most);
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<RawChunk> chunks = chunksOf(std::as_bytes(std::span(data, size)));
    const unsigned way = random() % 8;
    if (!chunks.empty() && way < 5)
        return mutateOneChunk(std::move(chunks), data, most, random);
    if (!chunks.empty() && way < 6)
        return mutateOrder(std::move(chunks), data, most, random);
    size = LLVMFuzzerMutate(data, size, most);
    if (way == 6)
        mendChecksums(std::as_writable_bytes(std::span(data, size)));
    return size;
}
