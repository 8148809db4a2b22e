// Any text as what nvprof prints, or as a table of another profiler.
#include "imported.h"

using namespace olab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::bytesOf(data, size));
    for (const char* importer : {"nvprof-csv", "rocprofv3-csv", "nsys-stats"})
        fuzz::tryImporter(importer, file.path());
    return 0;
}
