// Raw CUPTI buffers in a file, for fixtures: each chunk holds one buffer and the texts its pointers pointed
// to, so that it can be decoded again in another process.
#pragma once

#include <olab/cupti/decode.h>

#include <filesystem>
#include <memory>

namespace olab {

class RawBufferFile {
public:
    explicit RawBufferFile(const std::filesystem::path& path); ///< @throws Error when it cannot be written
    ~RawBufferFile();
    void append(std::span<std::byte> buffer, DecodeMode mode);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Decodes a file RawBufferFile wrote into `out`. @throws Error when libcupti cannot be loaded or the file
/// not read.
void decodeRawBuffers(const std::filesystem::path& path, RecordSink& out);

} // namespace olab
