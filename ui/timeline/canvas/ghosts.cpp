#include <olab/ui/ghosts.h>

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

} // namespace olab::ui
