// What a program says and returns when an exception reaches its main(): the same in both programs.
#pragma once

#include <olab/run/runner.h>

namespace olab {

using Say = void (*)(const RunnerError&);

/// Only inside a catch block. Says message and hint and returns the exit code of cli.md: that of an Error, 70
/// for a fault of the program or no memory left, never 1, which means that an assertion failed. Where there
/// is no memory for a sentence it says that instead.
int reportCurrentError(Say say) noexcept;

/// A thread that ends by an exception, or one thrown where none may be, ends the process: with these words
/// and 70 instead of a signal. To be called once, when the program starts.
void useLastWords(Say say);

} // namespace olab
