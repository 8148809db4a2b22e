#include "window/runs/sweep_teller.h"

#include <utility>

namespace olab::ui {

SweepTeller::SweepTeller(const sweep::Sweep& sweep, std::function<void(const SweepNewsPtr&)> told)
    : m_sweep(sweep)
    , m_told(std::move(told)) {}

SweepTeller::~SweepTeller() {
    tell();
}

sweep::SweepHooks SweepTeller::hooks() {
    return {[this](const sweep::Sweep&, std::size_t cell) {
        constexpr std::chrono::milliseconds kPause{50};
        m_changed.insert(cell);
        if (std::chrono::steady_clock::now() - m_last >= kPause)
            tell();
    }};
}

void SweepTeller::tellAll() {
    for (std::size_t cell = 0; cell < m_sweep.cells.size(); ++cell)
        m_changed.insert(cell);
    tell();
}

void SweepTeller::tell() {
    m_last = std::chrono::steady_clock::now();
    if (m_changed.empty())
        return;
    auto news = std::make_shared<SweepNews>();
    for (const std::size_t cell : std::exchange(m_changed, {}))
        news->cells.emplace_back(cell, m_sweep.cells[cell]);
    news->untraced = m_sweep.untraced;
    news->simulated = m_sweep.simulated;
    news->machine = m_sweep.machine;
    news->basis = m_sweep.basis;
    m_told(news);
}

} // namespace olab::ui
