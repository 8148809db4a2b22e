// Builds Facts; nothing else can. Each step needs the results of the steps before it; the jobs within a step
// are independent and run in parallel.
#pragma once

#include "measure/op_pass.h"
#include "measure/row_sums.h"

namespace olab::analysis {

class FactsBuilder {
public:
    FactsBuilder(const AnalysisInput& input, const RunControl& control);
    FactsPtr make();
    /// Only the measured numbers.
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
