// Makes Facts: the only one who may. Each step needs what the steps before it found; the jobs within a step
// need nothing of each other and run side by side.
#pragma once

#include "measure/op_pass.h"
#include "measure/row_sums.h"

namespace olab::analysis {

class FactsBuilder {
public:
    FactsBuilder(const AnalysisInput& input, const RunControl& control);
    FactsPtr make();
    /// The measured numbers alone.
    std::vector<DeviceReport> numbers();

private:
    using Job = std::function<void()>;
    void run(std::span<const Job> jobs);
    void prepare();
    void count();
    void readRows();
    std::vector<Job> coverageJobs();
    void measure();
    void sortOut();
    void explain();
    void indexOps();
    void nameStreamKinds();

    const RunControl& m_control;
    std::unique_ptr<Facts> m_made;
    Facts& m_facts;
    RowSums m_rows;
    WaitSources m_sources;
};

} // namespace olab::analysis
