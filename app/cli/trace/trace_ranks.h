// The processes of one step of Slurm under `olab trace`, and where they meet.
#pragma once

#include "arguments.h"

#include <olab/trace/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace olab::cli {

/// A folder that only this user may write to, in one that perhaps anybody may: processes of several machines
/// leave there what they have to say to each other. Everything is done relative to its descriptor, and no
/// link is followed: whoever renames it, or puts another in its place, gains nothing.
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

/// `srun olab trace`: the processes of one step of Slurm start their programs at one instant, and the first
/// of them merges what all recorded. They meet in a folder beside the recordings, which the nodes share.
///
/// The first rank makes the folder; each other looks for one that is this user's, and leaves a random token
/// there. Which tokens came, the first one writes down with the instant: whoever does not find its own there
/// was not met, be it that the folder is one of an earlier start. So a recording belongs to this start, or it
/// is not merged.
class TraceRanks {
public:
    /// Nothing where this is no such step, it has one process, or --apart was given.
    static std::optional<TraceRanks> of(const Arguments& arguments);

    /// Of this process, where `merged` is that of all: run.olab, run.rank3.olab.
    std::filesystem::path fileOf(const std::filesystem::path& merged) const { return fileOf(merged, m_rank); }
    /// Waits for the others, at most a minute, and until the instant at which all begin. Says who is missing.
    /// @throws Error if they cannot meet
    void meet(const std::filesystem::path& merged);
    /// While the program runs, every few seconds: this one is alive.
    void sign() const;
    /// `lacking`: why there is no recording; empty: there is one
    void leave(const std::string& lacking) const;
    bool isFirst() const { return m_rank == 0; }
    /// The first one only: waits for the others, merges into `merged`, and says which rank is not in it and
    /// why. False: there was nothing to merge.
    bool merge(const std::filesystem::path& merged) const;

private:
    static std::filesystem::path fileOf(const std::filesystem::path& merged, int rank);
    Ns gather(const std::filesystem::path& parent);
    Ns seek(const std::filesystem::path& parent);
    Ns metIn(const MeetingFolder& folder) const;
    void awaitInstant(Ns at) const;
    std::string awaitEnd(int rank) const;
    std::string m_prefix;
    std::string m_sign; ///< of this process: its token, and which file it found in the place of its recording
    int m_rank = 0, m_ranks = 1;
    std::optional<MeetingFolder> m_folder; ///< none: nobody was met
    std::map<int, std::string> m_came;     ///< the first one only: the signs of those that came
};

} // namespace olab::cli
