#include <olab/survey/number_names.h>

namespace olab::survey {

void NumberNames::add(const Row& row, const io::ReportDocument& report) {
    {
        const std::lock_guard lock(m_mutex);
        if (m_seen.size() >= kMostPrograms || !m_seen.emplace(row.program, row.machine).second)
            return;
    }
    const auto numbers = report.numbers();
    const std::lock_guard lock(m_mutex);
    for (const auto& [pointer, example] : numbers)
        if (m_examples.size() < kMostNumbers)
            m_examples.emplace(pointer, example);
}

std::vector<NumberNames::Number> NumberNames::all() const {
    const std::lock_guard lock(m_mutex);
    std::vector<Number> numbers;
    for (const auto& [pointer, example] : m_examples)
        numbers.push_back({pointer, example});
    return numbers;
}

} // namespace olab::survey
