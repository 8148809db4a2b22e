#include <olab/cupti/quiet_thread.h>

#include <olab/trace/error.h>

#include <csignal>
#include <exception>
#include <pthread.h>
#include <system_error>

namespace olab::cupti {
namespace {

/// A thread inherits the signal mask of its creator.
class AllSignalsBlocked {
public:
    AllSignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    AllSignalsBlocked(const AllSignalsBlocked&) = delete;
    AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

private:
    sigset_t m_before;
};

} // namespace

std::thread quietThread(std::function<void()> work) {
    const AllSignalsBlocked blocked;
    try {
        return std::thread(std::move(work));
    } catch (const std::system_error& error) {
        throw Error(ErrorKind::Internal, "no-thread",
                    "The system gave no thread to take records in: " + std::string(error.what()) + ".",
                    "Close other programs, or allow more threads (ulimit -u).");
    }
}

void runQuietly(const std::function<void()>& work) {
    std::exception_ptr failure;
    quietThread([&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
    }).join();
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace olab::cupti
