// Former values of the form, for undo. Edits of one option that follow each other are one step. Plain value;
// GUI thread.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <string_view>
#include <vector>

namespace olab::ui {

class SettingsHistory {
public:
    static constexpr std::size_t kMost = 100;

    /// Before a change: `option` is its key, or empty when all may change at once.
    void remember(const experiment::Experiment& before, std::string_view option) {
        if (!option.empty() && option == m_last && !m_former.empty())
            return;
        m_last = option;
        if (m_former.size() == kMost)
            m_former.erase(m_former.begin());
        m_former.push_back(before);
    }
    bool empty() const { return m_former.empty(); }
    /// To be called only when it is not empty().
    experiment::HeldExperiment takeBack() {
        experiment::HeldExperiment former = m_former.back();
        m_former.pop_back();
        m_last = {};
        return former;
    }
    void clear() {
        m_former.clear();
        m_last = {};
    }

private:
    std::vector<experiment::HeldExperiment> m_former;
    std::string_view m_last; ///< of the option table, which lives as long as the program
};

} // namespace olab::ui
