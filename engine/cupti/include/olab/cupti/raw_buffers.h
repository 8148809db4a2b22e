// Raw CUPTI buffers in a file, for fixtures: each chunk holds one buffer and the texts that its pointers
// refer to, so that another process can decode it again.
#pragma once

#include <olab/cupti/decode.h>

#include <filesystem>
#include <memory>

namespace olab::cupti {

class RawBufferFile {
public:
    explicit RawBufferFile(const std::filesystem::path& path); ///< @throws Error when it cannot be written
    ~RawBufferFile();
    void append(std::span<std::byte> buffer, DecodeMode mode);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Decodes into `out` a file written by RawBufferFile. @throws Error if libcupti cannot be loaded or the file
/// cannot be read.
void decodeRawBuffers(const std::filesystem::path& path, RecordSink& out);

} // namespace olab::cupti
