// Which numbers the reports of a set of recordings have, to choose columns from: of the first recordings of
// each program and machine. Any thread, several at once.
#pragma once

#include <olab/survey/survey.h>

#include <map>
#include <mutex>
#include <set>

namespace olab::survey {

class NumberNames {
public:
    struct Number {
        std::string pointer; ///< "/devices/0/idle_ns"
        std::string example; ///< of the first recording that has it, as its report writes it
    };
    void add(const Row& row, const io::ReportDocument& report);
    std::vector<Number> all() const; ///< by pointer

private:
    static constexpr std::size_t kMostPrograms = 200, kMostNumbers = 20'000;
    mutable std::mutex m_mutex;
    std::set<std::pair<std::string, std::string>> m_seen; ///< programs and machines
    std::map<std::string, std::string> m_examples;        ///< by pointer
};

} // namespace olab::survey
