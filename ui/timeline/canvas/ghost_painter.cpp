#include "timeline/canvas/ghost_painter.h"

#include <olab/ui/timeline_canvas.h>

#include <QPainter>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kLeastHeight = 3, kEdgeMinWidth = 4, kHatchMinWidth = 5;
constexpr double kGhost = 0.34; // of the colour, the rest is the ground

QColor mixed(const QColor& colour, const QColor& ground, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(a * share + b * (1 - share) + 0.5); };
    return {mix(colour.red(), ground.red()), mix(colour.green(), ground.green()),
            mix(colour.blue(), ground.blue())};
}

} // namespace

GhostBand waitBand(int y, int height) {
    const int thin = std::min(std::max(height * 2 / 5, kLeastHeight), height);
    return {y + (height - thin) / 2, thin};
}

int idealHeight(int stripHeight) {
    return std::max(std::min(std::max(stripHeight * 3 / 10, kLeastHeight + 1), stripHeight - kLeastHeight),
                    0);
}

QColor ghostFill(const QColor& colour, const Theme& theme) {
    return mixed(colour, theme.base, kGhost);
}

void paintWaits(QImage& image, int left, const std::vector<view::DrawnWait>& waits, GhostBand band,
                const Theme& theme, int line) {
    if (waits.empty())
        return;
    QPainter painter(&image);
    for (const view::DrawnWait& drawn : waits) {
        const QColor& colour = theme.colour(drawn.wait.cause);
        const QRect area(left + drawn.x0, band.y, drawn.x1 - drawn.x0, band.height);
        painter.fillRect(area, ghostFill(colour, theme));
        if (area.width() >= kHatchMinWidth)
            painter.fillRect(area, QBrush(colour, hatchOf(drawn.wait.cause)));
        if (area.width() < kEdgeMinWidth)
            continue;
        painter.fillRect(area.x(), area.y(), area.width(), line, colour);
        painter.fillRect(area.x(), area.bottom() + 1 - line, area.width(), line, colour);
        painter.fillRect(area.x(), area.y(), line, area.height(), colour);
    }
}

void paintIdeal(QImage& image, int left, const std::vector<view::DrawnIdeal>& ideal, GhostBand band,
                const Theme& theme) {
    if (ideal.empty() || band.height <= 0)
        return;
    QPainter painter(&image);
    for (const view::DrawnIdeal& drawn : ideal) {
        const QRect area(left + drawn.x0, band.y, drawn.x1 - drawn.x0, band.height);
        painter.fillRect(area, mixed(theme.colour(drawn.look), theme.base, 0.5));
        if (area.width() >= kEdgeMinWidth) // tells two that touch from one
            painter.fillRect(area.x(), area.y(), 1, area.height(), theme.base);
    }
}

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
