// Which ghosts a canvas shows: the wait before each op of a stream in the look of its cause (G), the ideal
// run under the bars (Shift+G). Where there is no account of lost time, none. GUI thread.
#pragma once

#include <olab/analysis/loss_cause.h>

#include <functional>
#include <vector>

namespace olab::ui {

class Ghosts {
public:
    explicit Ghosts(std::function<void()> changed);
    void setShowsWaits(bool on);
    bool showsWaits() const { return (m_waits && !m_keepsAnswer) || !m_only.empty(); }
    bool wantsWaits() const { return m_waits; } ///< to be remembered
    /// A class is asked what a run shows: no waits until it was told, or somebody asks for them (G).
    void setKeepsAnswer(bool on);
    void setShowsIdeal(bool on);
    bool showsIdeal() const { return m_ideal; }
    /// Waits of these causes alone are shown, even where waits are not; empty: all of them.
    void setOnly(std::vector<analysis::LossCause> causes);
    const std::vector<analysis::LossCause>& only() const { return m_only; }
    bool shows(analysis::LossCause cause) const;

private:
    std::function<void()> m_changed;
    bool m_waits = false, m_ideal = false, m_keepsAnswer = false;
    std::vector<analysis::LossCause> m_only;
};

} // namespace olab::ui
