#include "command.h"

namespace olab::cli {

std::span<const ExitCode> exitCodes() {
    static constexpr ExitCode kAll[] = {{0, "done"},
                                        {1, "an assertion failed"},
                                        {2, "wrong usage or unreadable input"},
                                        {3, "no device or driver"},
                                        {4, "the run failed on the device"},
                                        {5, "cancelled"},
                                        {70, "a fault of the program or no memory left"}};
    return kAll;
}

} // namespace olab::cli
