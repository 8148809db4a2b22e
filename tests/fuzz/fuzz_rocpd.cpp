// Any bytes as a database of this tool, or any statements that make one; in stretches of a few rows on
// several threads it gives the same as on one.
#include "imported.h"

#include "hostile/same_stretches.h"

using namespace olab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string database = fuzz::databaseOf(fuzz::textOf(data, size));
    const fuzz::MemoryFile file(std::as_bytes(std::span(database)));
    fuzz::tryImporter("rocpd", file.path());
    fuzz::require(test::differenceOfStretches(io::imports::readRocpd, file.path()).empty());
    return 0;
}
