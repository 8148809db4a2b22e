#include <olab/ui/ghosts.h>

#include <algorithm>
#include <utility>

namespace olab::ui {

Ghosts::Ghosts(std::function<void()> changed)
    : m_changed(std::move(changed)) {}

void Ghosts::setShowsWaits(bool on) {
    const bool kept = std::exchange(m_keepsAnswer, false);
    if (std::exchange(m_waits, on) != on || kept)
        m_changed();
}

void Ghosts::setKeepsAnswer(bool on) {
    if (std::exchange(m_keepsAnswer, on) != on)
        m_changed();
}

void Ghosts::setShowsIdeal(bool on) {
    if (std::exchange(m_ideal, on) != on)
        m_changed();
}

void Ghosts::setOnly(std::vector<analysis::LossCause> causes) {
    if (causes == m_only)
        return;
    m_only = std::move(causes);
    m_changed();
}

bool Ghosts::shows(analysis::LossCause cause) const {
    return showsWaits() && (m_only.empty() || std::ranges::find(m_only, cause) != m_only.end());
}

} // namespace olab::ui
