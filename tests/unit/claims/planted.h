// Recordings made by hand in which given rules hold, so that each claim can be shown what would confirm it
// and what would refute it.
#pragma once

#include <olab/claims/claim_judge.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace olab::test {

class Planted {
public:
    /// From now on this rule ("E01.h2d: overlap(h2d,kernel)>=0.8") holds. Rules must not contradict each
    /// other.
    void want(const std::string& rule);
    void want(const std::vector<std::string>& rules);
    /// There is a recording of the runs that the rules name, whatever is in it.
    void name(const std::vector<std::string>& rules);
    /// One recording of each run that some rule names.
    claims::Evidence evidence();

private:
    struct Range {
        long double low = -1e30L, high = 1e30L;
    };
    struct Relation { ///< of `left` to `factor` times `right`
        std::string left, sign, right;
        long double factor = 1;
    };
    void settle();
    std::map<std::string, Range> m_ranges; ///< by "RUN: left side"
    std::vector<Relation> m_relations;
    std::map<std::string, long double> m_values;
    std::set<std::string> m_runs;
};

/// A recording in which each of these left sides has its value.
recording::RecordingPtr recordingWith(const std::map<std::string, long double>& values);
/// Controls of the experiment, and of all.
std::vector<std::string> controlRules(const std::vector<std::string>& experiments);

} // namespace olab::test
