// A recording that is out of memory, to be read again as it was: in files of a private folder, or in the file
// it came from or was saved to, as long as nobody changes that. What a file does not say (that it was made
// just now, its name, its other runs) stays here. Any thread; one at a time.
#pragma once

#include <olab/recording/recording.h>

namespace olab {

class StoredRecording {
public:
    /// Writes it, and the other runs of its experiment, into `folder`, in files whose names begin with
    /// `name`. @throws Error: the disk is full, it was cancelled; then nothing of it is left there
    StoredRecording(const Recording& recording, const std::filesystem::path& folder, const std::string& name,
                    const RunControl& control = {});
    /// Writes nothing: all of it is in `file` (isIn).
    StoredRecording(const Recording& recording, std::filesystem::path file, FileStamp stamp);
    ~StoredRecording(); ///< what it has written is gone
    StoredRecording(const StoredRecording&) = delete;
    StoredRecording& operator=(const StoredRecording&) = delete;

    /// Whether `file` is as it was when `stamp` was taken, and holds all that read() has to give.
    static bool isIn(const Recording& recording, const std::filesystem::path& file, FileStamp stamp);

    /// The same numbers as before, to the last. @throws Error "file-gone", "file-changed"; what
    /// readRecording() throws
    RecordingPtr read(const RunControl& control = {}) const;
    std::uintmax_t bytesWritten() const { return m_bytes; }

private:
    /// One recording of them, and its file.
    struct Part {
        RecordingNotes notes;
        std::filesystem::path file;
        FileStamp stamp;
    };
    void write(const Recording& recording, const std::filesystem::path& file, const RunControl& control);
    void removeFiles() noexcept;
    static std::shared_ptr<Recording> readPart(const Part& part, const RunControl& control);
    bool m_isOurs = false;     ///< the files are
    std::vector<Part> m_parts; ///< itself, then its other runs
    std::uintmax_t m_bytes = 0;
};

} // namespace olab
