// Stands for a library that somebody else put where one happens to be: it tells when it is loaded, and leaves
// a mark for when nobody listens.
#include <fcntl.h>
#include <unistd.h>

namespace {

struct Loaded {
    Loaded() {
        (void)!::write(STDOUT_FILENO, "INTRUDER", 8);
        ::close(::open("intruder-was-here", O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    }
} const g_loaded;

} // namespace
