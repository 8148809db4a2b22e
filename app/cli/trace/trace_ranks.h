// `srun olab trace`: the processes of one step of Slurm start their programs at one instant, and the first of
// them merges what all recorded. They meet in a folder beside the recordings, which the nodes share.
#pragma once

#include "arguments.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace olab::cli {

class TraceRanks {
public:
    /// Nothing where this is no such step, it has one process, or --apart was given.
    static std::optional<TraceRanks> of(const Arguments& arguments);

    /// Of this process, where `merged` is that of all: run.olab, run.rank3.olab.
    std::filesystem::path fileOf(const std::filesystem::path& merged) const;
    /// Waits for the others, at most a minute, and until the instant at which all begin. Says who is missing.
    void meet(const std::filesystem::path& merged);
    /// While the program runs, every few seconds: this one is alive.
    void sign() const;
    void leave() const;
    bool isFirst() const { return m_rank == 0; }
    /// The first one only: waits for the others and merges into `merged`. False: there was nothing to merge.
    bool merge(const std::filesystem::path& merged) const;

private:
    std::size_t count(std::string_view extension) const;
    std::filesystem::path file(int rank, std::string_view extension) const;
    void awaitInstant() const;
    std::vector<int> awaitOthers() const;
    std::vector<std::filesystem::path> recordings(const std::filesystem::path& merged) const;
    std::filesystem::path m_folder;
    std::string m_step;
    int m_rank = 0, m_ranks = 1;
};

} // namespace olab::cli
