// The capture as a shared library for other programs: records what CUDA does in this process into an .olab
// file, which can be followed while it grows. This is the library's whole interface. Nothing in it throws,
// ends the process, prints, handles signals, or continues in a forked child, and it stays loaded. One thread
// at a time.
#pragma once

#define OLAB_CAPTURE_API __attribute__((visibility("default")))

extern "C" {

struct OlabCaptureOptions {
    unsigned long long memoryBytes = 0; ///< limit for records that are not yet written; 0: 64 MiB
    unsigned takeInMs = 0;              ///< complete records reach the file within this time; 0: 250
};

/// Starts recording into `file`. Call before the first CUDA call, once per process.
/// @param options null: the defaults
/// @returns 0, else an ErrorKind: olabCaptureMessage() says what is wrong and what to do, and the program may
/// continue as if this had not been called.
OLAB_CAPTURE_API int olabCaptureStart(const char* file, const OlabCaptureOptions* options) noexcept;

/// Writes the remaining records and closes the file; best when the devices are idle. Does nothing if nothing
/// is being recorded, and in a forked child.
/// @returns as olabCaptureStart(); on error the file keeps what was written before
OLAB_CAPTURE_API int olabCaptureStop() noexcept;

/// The last error; empty if there was none. Valid until the next call of one of the other functions.
OLAB_CAPTURE_API const char* olabCaptureMessage() noexcept;
}
