// Loaded before all others (LD_PRELOAD): a system that has OLAB_THREADS_LEFT threads to give (0) and then no
// more, as with `ulimit -u`, which does not hold for root. Each refusal is a letter in the file that
// OLAB_REFUSED_THREADS names.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace {

using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int wanted() {
    const char* const text = std::getenv("OLAB_THREADS_LEFT");
    return text ? std::atoi(text) : 0;
}

void noteRefusal() {
    const char* const path = std::getenv("OLAB_REFUSED_THREADS");
    if (!path)
        return;
    const int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || ::write(file, "x", 1) != 1)
        std::abort();
    ::close(file);
}

} // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) {
    static std::atomic<int> left = wanted();
    if (left-- > 0)
        return reinterpret_cast<Create*>(::dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, work,
                                                                               argument);
    noteRefusal();
    return EAGAIN;
}
