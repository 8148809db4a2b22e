// Recordings changed by chance, the same ones for the same seed: bits and blocks, ends cut off, chunks of
// other files put in, left out, repeated or exchanged, numbers of records, and values of JSON that nobody
// should believe. Where the checksums are put right again a reader has to judge the content itself.
#pragma once

#include "olab_chunks.h"

#include <string>

namespace olab::hostile {

struct Mutated {
    Bytes file;
    std::string how; ///< "bits, checksums wrong"
    /// Nobody mended the checksums: a reader must say that something is wrong.
    bool mustBeTold = false;
};

/// `other` gives what is put in. Both are whole files.
Mutated mutated(const Bytes& file, const Bytes& other, std::uint32_t seed);

} // namespace olab::hostile
