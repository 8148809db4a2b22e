// Tells the window what is new in a sweep, several cells at once where they come fast: predictions of a
// thousand cells are no thousand calls. Engine thread.
#pragma once

#include <olab/sweep/run_sweep.h>
#include <olab/ui/news.h>

#include <chrono>
#include <functional>
#include <set>

namespace olab::ui {

class SweepTeller {
public:
    SweepTeller(const sweep::Sweep& sweep, std::function<void(const SweepNewsPtr&)> told);
    ~SweepTeller(); ///< tells what is left
    SweepTeller(const SweepTeller&) = delete;
    SweepTeller& operator=(const SweepTeller&) = delete;
    sweep::SweepHooks hooks(); ///< use while this lives
    void tellAll();            ///< every cell
    void tell();               ///< those that changed

private:
    const sweep::Sweep& m_sweep;
    std::function<void(const SweepNewsPtr&)> m_told;
    std::set<std::size_t> m_changed;
    std::chrono::steady_clock::time_point m_last{};
};

} // namespace olab::ui
