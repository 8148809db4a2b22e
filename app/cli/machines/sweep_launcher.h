// A sweep on the nodes of a cluster: each cell is a task of its own, `olab sweep DIR --cell N`, of an array
// of Slurm or started by a user's own command. What the tasks keep is collected when they have ended.
#pragma once

#include "arguments.h"

#include <olab/sweep/sweep_store.h>
#include <olab/trace/run_control.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace olab::cli {

class SweepLauncher {
public:
    /// `folder`: of the sweep, which the nodes share. @throws Error for options that do not fit
    SweepLauncher(const Arguments& arguments, std::filesystem::path folder);
    /// Tasks of an earlier command are still there: they are waited for, and no others are started.
    bool isUnderWay(const RunControl& control) const;
    void start(const std::vector<std::size_t>& cells, const RunControl& control);
    /// Until all have ended. @throws Error when cancelled; the tasks are then, too
    void await(const RunControl& control);
    /// The last words of a cell's task; empty: none.
    std::string lastWords(std::size_t cell) const;
    /// "12, 13"; empty: they are processes of this machine
    std::string jobs() const;

private:
    std::vector<std::string> task(const std::string& cell) const;
    void submit(const std::vector<std::size_t>& cells, const RunControl& control);
    void startHere(const std::vector<std::size_t>& cells, const RunControl& control);
    void awaitJobs(const RunControl& control) const;
    void readJobs();
    std::filesystem::path outputOf(std::size_t cell) const;
    const Arguments& m_arguments;
    std::filesystem::path m_folder, m_place; ///< m_place: what belongs to the tasks
    bool m_isSlurm = false;
    std::size_t m_atOnce = 1;
    std::vector<std::string> m_jobs;
};

} // namespace olab::cli
