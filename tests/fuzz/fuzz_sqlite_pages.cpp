// Any bytes as a database, or any statements that make one: what is read of it page by page is what SQLite
// reads, and in stretches of a few rows on several threads what one thread reads.
#include "imported.h"

#include "hostile/same_rows.h"
#include "hostile/same_stretches.h"

using namespace olab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes = fuzz::databaseOf(fuzz::textOf(data, size));
    const fuzz::MemoryFile file(std::as_bytes(std::span(bytes)));
    fuzz::accepted([&] {
        const RunControl control;
        io::imports::SqliteDatabase database(file.path(), file.path(), control);
        fuzz::require(test::readTwice(database, file.path()).difference.empty());
        fuzz::require(test::allRows(database, file.path(), test::kTinyOnThreads) ==
                      test::allRows(database, file.path(), test::kUsualStretches));
    });
    return 0;
}
