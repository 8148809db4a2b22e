// Any text as what nvprof prints.
#include "imported.h"

using namespace olab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::bytesOf(data, size));
    fuzz::tryImporter("nvprof-csv", file.path());
    return 0;
}
