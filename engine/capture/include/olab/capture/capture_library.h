// The capture as a shared library, for programs that are not ours: records what CUDA does in this process
// into an .olab file, which can be followed while it grows. This is all that the library shows to its host:
// nothing in it throws, ends the process, prints, takes a signal, or goes on in a forked child, and it stays
// loaded. One thread at a time.
#pragma once

#define OLAB_CAPTURE_API __attribute__((visibility("default")))

extern "C" {

struct OlabCaptureOptions {
    unsigned long long memoryBytes = 0; ///< that records may take until they are written; 0: 64 MiB
    unsigned takeInMs = 0;              ///< what is complete is in the file after so long; 0: 250
};

/// Begins to record into `file`; before the first CUDA call, and once in the life of a process.
/// @param options null: as they are
/// @returns 0, else a number of ErrorKind: olabCaptureMessage() says what is wrong and what to do, and the
/// program may go on as if nothing had been asked.
OLAB_CAPTURE_API int olabCaptureStart(const char* file, const OlabCaptureOptions* options) noexcept;

/// Writes what is left and closes the file; best when the devices are idle. Does nothing where nothing is
/// being recorded, and in a forked child.
/// @returns as olabCaptureStart(); the file then has what was written before
OLAB_CAPTURE_API int olabCaptureStop() noexcept;

/// What went wrong last; empty if nothing did. Valid until the next call of another of these.
OLAB_CAPTURE_API const char* olabCaptureMessage() noexcept;
}
