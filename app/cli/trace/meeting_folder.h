// A folder that only this user may write to, in one that perhaps anybody may: processes of several machines
// leave there what they have to say to each other. Everything is done relative to its descriptor, and no link
// is followed: whoever renames it, or puts another in its place, gains nothing.
#pragma once

#include <olab/trace/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace olab::cli {

class MeetingFolder {
public:
    /// A new one, called `prefix` and something that nobody can foresee. @throws Error if that fails, or the
    /// file system gives it to another user
    static MeetingFolder make(const std::filesystem::path& parent, const std::string& prefix);
    /// Those that are called so and are this user's, and no other's.
    static std::vector<MeetingFolder> find(const std::filesystem::path& parent, const std::string& prefix);
    MeetingFolder(MeetingFolder&& other) noexcept
        : m_path(std::move(other.m_path))
        , m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    MeetingFolder& operator=(MeetingFolder&& other) noexcept;
    ~MeetingFolder();
    MeetingFolder(const MeetingFolder&) = delete;
    MeetingFolder& operator=(const MeetingFolder&) = delete;

    /// Appears with all that is in it. Nothing happens where it cannot be written.
    void put(const std::string& file, const std::string& text) const;
    /// Empty: it is not there.
    std::string get(const std::string& file) const;
    /// Its time becomes now, by the clock of whoever keeps the files.
    void touch(const std::string& file) const;
    std::optional<Ns> touched(const std::string& file) const;
    /// With all that is in it; other folders in it stay, and then so does this one.
    void remove() const;

private:
    MeetingFolder(std::filesystem::path path, int descriptor)
        : m_path(std::move(path))
        , m_descriptor(descriptor) {}
    static std::optional<MeetingFolder> open(const std::filesystem::path& path);
    int opened(const std::string& file) const;
    std::filesystem::path m_path;
    int m_descriptor;
};

} // namespace olab::cli
