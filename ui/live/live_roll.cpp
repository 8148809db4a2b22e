#include "live/live_roll.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>
#include <olab/view/view_data.h>

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

LiveStrip::LiveStrip(LiveNewsPtr news)
    : m_news(std::move(news))
    , m_length(m_news->shown->trace().deviceSpan().length())
    , m_engines(engineWorkOf(*m_news->shown)) {}

void LiveStrip::scale(double nsPerPixel, int height, qreal pixelRatio, const Theme& theme) {
    if (m_scale == nsPerPixel && m_height == height && m_theme == &theme)
        return;
    m_scale = nsPerPixel;
    m_height = height;
    m_pixelRatio = pixelRatio;
    m_theme = &theme;
    m_width = std::max(1, static_cast<int>(std::lround(static_cast<double>(m_length) / nsPerPixel)));
    m_pictures.assign(m_engines.size(), {});
}

const QImage* LiveStrip::picture(const EngineWork& of) {
    const auto engine =
        std::ranges::find_if(m_engines, [&of](const EngineWork& mine) { return isSameEngine(mine, of); });
    if (engine == m_engines.end())
        return nullptr;
    QImage& image = m_pictures[static_cast<std::size_t>(engine - m_engines.begin())];
    if (image.isNull()) {
        image =
            SmallPicture(*m_news->shown, *engine, QSize(m_width, m_height) * m_pixelRatio).painted(*m_theme);
        image.setDevicePixelRatio(m_pixelRatio);
    }
    return &image;
}

namespace {

constexpr int kFrameMs = 33;
constexpr int kBetween = 10;            ///< between two passes
constexpr std::size_t kMostPasses = 12; ///< kept to be painted on another scale
constexpr double kUsualShare = 0.3, kLeastShare = 0.12, kMostShare = 0.75; ///< of the width, of the newest
constexpr double kLongestRollMs = 1000, kShortestRollMs = kFrameMs;

/// 1, 2 or 5 times a power of ten: at most `ns`.
Ns roundLength(double ns) {
    const double power = std::pow(10, std::floor(std::log10(std::max(ns, 1.0))));
    const double steps = ns / power;
    return static_cast<Ns>(power * (steps >= 5 ? 5 : steps >= 2 ? 2 : 1));
}

} // namespace

struct LiveRoll::Places {
    ViewStyle style;
    QRect lanes; ///< right of the names
    int rowHeight = 0, markHeight = 0;
    std::vector<EngineWork> rows;
};

QString changeText(const std::vector<comparison::OptionDifference>& changes) {
    QStringList texts;
    for (const comparison::OptionDifference& change : changes)
        texts << QStringLiteral("%1 %2 → %3")
                     .arg(fromText(change.key), fromText(change.before), fromText(change.after));
    return texts.join(QStringLiteral(", "));
}

LiveRoll::LiveRoll(QWidget* parent)
    : QWidget(parent) {
    nameWidget(*this, "liveRoll", tr("The last passes, by engine"));
    m_frames.setInterval(kFrameMs);
    m_frames.setTimerType(Qt::PreciseTimer);
    connect(&m_frames, &QTimer::timeout, this, &LiveRoll::roll);
}

QSize LiveRoll::minimumSizeHint() const {
    const ViewStyle style = ViewStyle::of(font());
    return {style.gutter() * 2, style.scaled(120)};
}

LiveRoll::Places LiveRoll::places() const {
    Places at{ViewStyle::of(font()), {}, 0, 0, rows()};
    const int foot = at.style.scaled(22);
    at.markHeight = at.style.scaled(20);
    const int gutter = at.style.scaled(190);
    at.lanes = QRect(gutter, at.markHeight, std::max(1, width() - gutter),
                     std::max(1, height() - at.markHeight - foot));
    const auto count = std::max<int>(1, static_cast<int>(at.rows.size()));
    at.rowHeight = std::clamp(at.lanes.height() / count, at.style.scaled(18), at.style.scaled(150));
    return at;
}

/// Of all that is kept: an engine that rests in the newest pass keeps its place.
std::vector<EngineWork> LiveRoll::rows() const {
    std::vector<EngineWork> all;
    const auto add = [&](const EngineWork& engine, double busy) {
        const auto known =
            std::ranges::find_if(all, [&](const EngineWork& row) { return isSameEngine(row, engine); });
        EngineWork& row = known == all.end() ? all.emplace_back(engine) : *known;
        row.busy = busy;
    };
    for (const auto& strip : m_strips)
        for (const EngineWork& engine : strip->engines())
            add(engine, 0);
    if (!m_strips.empty())
        for (const EngineWork& engine : m_strips.back()->engines())
            add(engine, engine.busy);
    std::ranges::stable_sort(
        all, {}, [](const EngineWork& row) { return std::pair(row.device, static_cast<int>(row.engine)); });
    return all;
}

void LiveRoll::clear() {
    m_strips.clear();
    m_nsPerPixel = 0;
    m_shift = m_target = 0;
    m_frames.stop();
    m_sincePass.invalidate();
    update();
}

/// The scale stays while the newest pass is seen well on it, so that a longer one looks longer.
void LiveRoll::rescale() {
    const Places at = places();
    const auto length = static_cast<double>(std::max<Ns>(1, m_strips.back()->length()));
    const double share = m_nsPerPixel > 0 ? length / m_nsPerPixel / at.lanes.width() : 0;
    if (share < kLeastShare || share > kMostShare)
        m_nsPerPixel = length / (kUsualShare * at.lanes.width());
    const int height = at.rowHeight - at.style.scaled(6);
    for (const auto& strip : m_strips)
        strip->scale(m_nsPerPixel, height, devicePixelRatioF(), Theme::of(palette()));
}

int LiveRoll::contentWidth() const {
    int wide = 0;
    for (const auto& strip : m_strips)
        wide += strip->width() + kBetween;
    return wide;
}

/// It rolls in for as long as the last one took to come.
void LiveRoll::add(const LiveNewsPtr& news) {
    const int widthBefore = contentWidth();
    m_strips.push_back(std::make_unique<LiveStrip>(news));
    if (m_strips.size() > kMostPasses)
        m_strips.pop_front();
    rescale();
    const bool first = widthBefore == 0;
    const double behind = first ? 0 : std::min(m_target - m_shift, double(m_strips.back()->width()));
    m_target = contentWidth();
    m_shift = m_target - (first ? 0 : m_strips.back()->width() + kBetween) - std::max(0.0, behind);
    const double took = m_sincePass.isValid() ? static_cast<double>(m_sincePass.restart())
                                              : (m_sincePass.start(), kLongestRollMs);
    m_speed = (m_target - m_shift) / std::clamp(took, kShortestRollMs, kLongestRollMs);
    m_sinceFrame.start();
    if (!m_frames.isActive())
        m_frames.start();
    update();
}

void LiveRoll::roll() {
    m_shift = std::min(m_target, m_shift + m_speed * static_cast<double>(m_sinceFrame.restart()));
    if (m_shift >= m_target)
        m_frames.stop();
    update();
}

QStringList LiveRoll::marks() const {
    QStringList texts;
    for (const auto& strip : m_strips)
        if (!strip->news().pass.changed.empty())
            texts << changeText(strip->news().pass.changed);
    return texts;
}

void LiveRoll::resizeEvent(QResizeEvent*) {
    if (m_strips.empty())
        return;
    rescale();
    m_shift = m_target = contentWidth();
}

void LiveRoll::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        resizeEvent(nullptr);
    QWidget::changeEvent(event);
}

void LiveRoll::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    if (m_strips.empty())
        return painter.setPen(theme.dim),
               painter.drawText(rect(), Qt::AlignCenter, tr("Waiting for the first pass..."));
    const Places at = places();
    paintRows(painter, at);
    paintPasses(painter, at);
    paintScale(painter, at);
}

/// Each name with how busy the engine was in the newest pass.
void LiveRoll::paintRows(QPainter& painter, const Places& at) const {
    const Theme& theme = Theme::of(palette());
    int y = at.lanes.top();
    const int air = at.style.scaled(8);
    for (const EngineWork& row : at.rows) {
        const QRect name(air, y, at.lanes.left() - 2 * air, at.rowHeight);
        const double share = row.busy;
        painter.setPen(theme.text);
        painter.setFont(at.style.typeFont(font(), true));
        painter.drawText(name.adjusted(0, 0, 0, -at.rowHeight / 2), Qt::AlignLeft | Qt::AlignBottom,
                         painter.fontMetrics().elidedText(row.name, Qt::ElideRight, name.width()));
        const int high = at.style.scaled(6);
        const QRect meter(name.left(), y + at.rowHeight / 2 + at.style.scaled(3), name.width() * 6 / 10,
                          high);
        painter.fillRect(meter, theme.line);
        painter.fillRect(meter.left(), meter.top(), static_cast<int>(std::lround(meter.width() * share)),
                         high, theme.accent);
        painter.setFont(at.style.smallFont(font()));
        painter.drawText(
            QRect(meter.right() + air, y + at.rowHeight / 2 - high / 2, name.width(), 2 * high + 6),
            Qt::AlignLeft | Qt::AlignVCenter, percentLabel(share));
        y += at.rowHeight;
        painter.fillRect(at.lanes.left(), y - 1, at.lanes.width(), 1, theme.grid);
    }
}

void LiveRoll::paintPasses(QPainter& painter, const Places& at) const {
    painter.save();
    painter.setClipRect(at.lanes.adjusted(0, -at.markHeight, 0, 0));
    const Theme& theme = Theme::of(palette());
    double x = at.lanes.right() + 1 - m_shift;
    for (const auto& strip : m_strips) {
        const int left = static_cast<int>(std::lround(x));
        x += strip->width() + kBetween;
        if (x < at.lanes.left())
            continue;
        int y = at.lanes.top();
        for (const EngineWork& row : at.rows) {
            if (const QImage* picture = strip->picture(row))
                painter.drawImage(QPoint(left, y + at.style.scaled(3)), *picture);
            y += at.rowHeight;
        }
        painter.fillRect(left + strip->width() + kBetween / 2, at.lanes.top(), 1, y - at.lanes.top(),
                         theme.line);
        if (!strip->news().pass.changed.empty())
            paintMark(painter, at, left - kBetween / 2, changeText(strip->news().pass.changed));
    }
    painter.restore();
}

void LiveRoll::paintMark(QPainter& painter, const Places& at, int x, const QString& text) const {
    const Theme& theme = Theme::of(palette());
    const int bottom = at.lanes.top() + at.rowHeight * static_cast<int>(at.rows.size());
    painter.fillRect(x, 0, at.style.strong, bottom, theme.selection);
    painter.setFont(at.style.smallFont(font(), true));
    const QRect room(x + at.style.scaled(5), 0, painter.fontMetrics().horizontalAdvance(text) + 8,
                     at.markHeight);
    painter.fillRect(room, theme.base);
    painter.setPen(theme.text);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void LiveRoll::paintScale(QPainter& painter, const Places& at) const {
    const Theme& theme = Theme::of(palette());
    const Ns length = roundLength(m_nsPerPixel * at.style.scaled(160));
    const int wide = static_cast<int>(std::lround(static_cast<double>(length) / m_nsPerPixel));
    const int y = height() - at.style.scaled(11), right = width() - at.style.scaled(10);
    painter.setPen(theme.dim);
    painter.setFont(at.style.smallFont(font()));
    painter.fillRect(right - wide, y, wide, at.style.line, theme.text);
    for (const int x : {right - wide, right})
        painter.fillRect(x, y - 4, at.style.line, 9, theme.text);
    painter.drawText(QRect(0, y - 12, right - wide - at.style.scaled(8), 24),
                     Qt::AlignRight | Qt::AlignVCenter, durationText(length));
}

} // namespace olab::ui
