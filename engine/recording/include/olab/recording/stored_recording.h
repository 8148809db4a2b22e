// A recording that was moved out of memory and can be read again unchanged: from files in a private folder,
// or from the file it came from or was saved to, as long as that is unchanged. What a file does not contain
// (that the run is live, its name, its other runs) stays here. Any thread; one at a time.
#pragma once

#include <olab/recording/recording.h>

namespace olab::recording {

class StoredRecording {
public:
    /// Writes it, and the other runs of its experiment, into `folder`, in files whose names begin with
    /// `name`. @throws Error: disk full, cancelled; then nothing is left there
    StoredRecording(const Recording& recording, const std::filesystem::path& folder, const std::string& name,
                    const RunControl& control = {});
    /// Writes nothing: everything is in `file` (isIn).
    StoredRecording(const Recording& recording, std::filesystem::path file, FileStamp stamp);
    ~StoredRecording(); ///< removes the files that it wrote
    StoredRecording(const StoredRecording&) = delete;
    StoredRecording& operator=(const StoredRecording&) = delete;

    /// Whether `file` is unchanged since `stamp` was taken, and contains everything that read() must return.
    static bool isIn(const Recording& recording, const std::filesystem::path& file, FileStamp stamp);

    /// Gives exactly the same numbers as before. @throws Error "file-gone", "file-changed"; what
    /// readRecording() throws
    RecordingPtr read(const RunControl& control = {}) const;
    std::uintmax_t bytesWritten() const { return m_bytes; }

private:
    /// One of the recordings, and its file.
    struct Part {
        RecordingNotes notes;
        std::filesystem::path file;
        FileStamp stamp;
    };
    void write(const Recording& recording, const std::filesystem::path& file, const RunControl& control);
    void removeFiles() noexcept;
    static std::shared_ptr<Recording> readPart(const Part& part, const RunControl& control);
    bool m_isOurs = false;     ///< the files were written by this
    std::vector<Part> m_parts; ///< itself, then its other runs
    std::uintmax_t m_bytes = 0;
};

} // namespace olab::recording
