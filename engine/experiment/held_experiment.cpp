#include <olab/experiment/experiment.h>

namespace olab::experiment {

HeldExperiment::HeldExperiment()
    : m_value(std::make_unique<Experiment>()) {}

HeldExperiment::HeldExperiment(std::initializer_list<std::string_view> assignments)
    : HeldExperiment() {
    for (const std::string_view assignment : assignments)
        setOption(*m_value, assignment);
}

HeldExperiment::HeldExperiment(const Experiment& experiment)
    : m_value(std::make_unique<Experiment>(experiment)) {}

HeldExperiment::HeldExperiment(const HeldExperiment& other)
    : HeldExperiment(*other) {}

HeldExperiment::HeldExperiment(HeldExperiment&& other) noexcept = default;

HeldExperiment& HeldExperiment::operator=(const HeldExperiment& other) {
    if (this != &other)
        m_value = std::make_unique<Experiment>(*other);
    return *this;
}

HeldExperiment& HeldExperiment::operator=(HeldExperiment&& other) noexcept = default;

HeldExperiment::~HeldExperiment() = default;

std::shared_ptr<const Experiment> shareExperiment(const Experiment& experiment) {
    return std::make_shared<const Experiment>(experiment);
}

bool sameOptions(const Experiment& a, const Experiment& b) {
    return a == b;
}

} // namespace olab::experiment
