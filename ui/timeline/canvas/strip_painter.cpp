#include "base/plain_text.h"

#include <olab/trace/kernel_name.h>
#include <olab/ui/format.h>
#include <olab/ui/strip_painter.h>
#include <olab/ui/texts.h>

#include <QPainter>

#include <algorithm>
#include <cstring>

namespace olab::ui {

namespace {

constexpr qsizetype kLongestEntry = 20;

/// By ColourNumber, from 1 on: names, then how much is overlapped, from orange to blue, then what became of
/// an activity in another run: shorter, longer, in one of them only.
constexpr std::array kColours{"#884C6A", "#E2D32E", "#108810", "#E25B10", "#10F188", "#6A4C10", "#F15BD3",
                              "#10A697", "#971010", "#F19797", "#A6884C", "#103DB5", "#1097F1", "#79E2F1",
                              "#105B3D", "#F12E4C", "#F1C497", "#97B579", "#E2B5F1", "#974CD3", "#8888F1",
                              "#4C5B10", "#975B3D", "#F19710", "#10A6C4", "#106AB5", "#C46A88", "#881088",
                              "#97E2C4", "#A6E24C", "#889710", "#B9521A", "#E5B04A", "#8FC0DE", "#1F62AE",
                              "#1C9A5B", "#D8432B", "#B04CC4"};
static_assert(kColours.size() + 1 == view::kFirstLook);

using Palette = std::array<QColor, view::kFirstLook>;

Palette paletteOf(const char* others) {
    Palette palette{QColor(others)};
    for (std::size_t i = 0; i < kColours.size(); ++i)
        palette[i + 1] = QColor(kColours[i]);
    return palette;
}

} // namespace

const QColor& colourOf(view::ColourNumber number, const Theme& theme) {
    if (number == view::kPaleColour)
        return theme.pale;
    if (number >= view::kFirstLook)
        return theme.looks[number - view::kFirstLook];
    static const Palette light = paletteOf("#A9B0BB"), dark = paletteOf("#8A93A1");
    return (theme.dark ? dark : light)[number];
}

const QColor& barColour(const view::Looks& looks, ActivityIndex activity, const view::Colouring* colouring,
                        const Theme& theme) {
    return colouring ? colourOf(colouring->of(activity), theme) : theme.colour(looks.of(activity));
}

const QColor& layerColour(const view::StripView& strip, std::size_t layer, const view::Colouring* colouring,
                          const Theme& theme) {
    return colouring ? colourOf(colouring->layered(strip.strip())->colours[layer], theme)
                     : theme.colour(strip.layerLook(layer));
}

const view::Colouring* colouringOf(const view::Strip& strip, const view::Colouring* colouring) {
    return colouring && colouring->layered(strip) ? colouring : nullptr;
}

view::StripView stripViewOf(const view::Strip& strip, const view::ViewColumns& columns, int height,
                            const view::Colouring* colouring) {
    return {strip, columns, height, colouring ? &colouring->layered(strip)->table : nullptr};
}

QString entryText(const view::Colouring& colouring, const view::Colouring::Entry& entry) {
    const QString name =
        cutText(shownText(fromText(withoutTemplateArguments(entry.name))), kLongestEntry).trimmed();
    return entry.colour == view::kOtherColour && colouring.unlisted() > 0
               ? QStringLiteral("%1 (%2)").arg(name, countText(colouring.unlisted()))
               : name;
}

QString colourByText(view::ColourBy by) {
    return tr(view::colourByRows()[static_cast<std::size_t>(by)].label.data());
}

QString colourByHelp(view::ColourBy by) {
    return tr(view::colourByRows()[static_cast<std::size_t>(by)].help.data());
}

namespace {

constexpr int kHatchMinWidth = 5, kEdgeMinWidth = 3;
constexpr int kTile = 8; // Qt's hatches repeat after eight pixels

/// The fill of bars of one look, or of one colour, with the hatch of their look.
struct BarFill {
    bool hatched = false;
    QRgb plain = 0, edge = 0;
    std::array<QRgb, kTile * kTile> tile{};
};

BarFill barFill(const QColor& fill, ActivityClass look, const Theme& theme) {
    BarFill made{hatchOf(look) != Qt::NoBrush, fill.rgb(), edgeOf(fill, theme).rgb(), {}};
    QImage tile(kTile, kTile, QImage::Format_RGB32);
    tile.fill(fill);
    QColor ink = inkOn(fill);
    ink.setAlphaF(0.32F);
    QPainter(&tile).fillRect(tile.rect(), QBrush(ink, hatchOf(look)));
    for (int y = 0; y < kTile; ++y)
        std::memcpy(made.tile.data() + y * kTile, tile.constScanLine(y), kTile * sizeof(QRgb));
    return made;
}

struct BarFills {
    explicit BarFills(const Theme& theme) {
        for (std::size_t i = 0; i < view::kLooks; ++i)
            ofLook[i] =
                barFill(theme.colour(static_cast<ActivityClass>(i)), static_cast<ActivityClass>(i), theme);
    }
    std::array<BarFill, view::kLooks> ofLook;
};

struct ColouredFills {
    explicit ColouredFills(const Theme& theme) {
        for (std::size_t i = 0; i < view::kLooks; ++i)
            for (view::ColourNumber colour = 0; colour < view::kColours; ++colour)
                fills[i][colour] = barFill(colourOf(colour, theme), static_cast<ActivityClass>(i), theme);
    }
    std::array<std::array<BarFill, view::kColours>, view::kLooks> fills;
};

/// Made when they are asked for: most never colour bars by anything but their class.
template <typename Fills>
const Fills& fillsOf(const Theme& theme) {
    if (theme.dark) {
        static const Fills dark(Theme::darkTheme());
        return dark;
    }
    static const Fills light(Theme::light());
    return light;
}

const BarFill& fillOf(const view::Looks& looks, ActivityIndex activity, const view::Colouring* colouring,
                      const Theme& theme) {
    const auto look = static_cast<std::size_t>(looks.of(activity));
    return colouring ? fillsOf<ColouredFills>(theme).fills[look][colouring->of(activity)]
                     : fillsOf<BarFills>(theme).ofLook[look];
}

using Layer = StripPainter::Layer;

/// `layers` over `base`, the last one on top. A loop without branches: several pixels an instruction.
template <std::size_t N>
[[gnu::always_inline]] inline void layOver(QRgb* __restrict out, const QRgb* base, const Layer* layers,
                                           int row, std::size_t n) {
    std::array<Layer, N> l{};
    std::copy_n(layers, N, l.begin());
    for (std::size_t i = 0; i < n; ++i) {
        QRgb colour = base[i];
        for (std::size_t k = 0; k < N; ++k)
            colour ^= (colour ^ l[k].colour) & (l[k].tops[i] >= row ? ~0u : 0u); // a choice, as numbers
        out[i] = colour;
    }
}

[[gnu::always_inline]] inline void layOver(QRgb* out, const QRgb* base, std::span<const Layer> layers,
                                           int row, std::size_t n) {
    switch (layers.size()) {
    case 1:
        return layOver<1>(out, base, layers.data(), row, n);
    case 2:
        return layOver<2>(out, base, layers.data(), row, n);
    case 3:
        return layOver<3>(out, base, layers.data(), row, n);
    default:
        return layOver<4>(out, base, layers.data(), row, n);
    }
}

void layPlain(QRgb* out, const QRgb* base, std::span<const Layer> layers, int row, std::size_t n) {
    layOver(out, base, layers, row, n);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void layWide(QRgb* out, const QRgb* base, std::span<const Layer> layers, int row,
                                     std::size_t n) {
    layOver(out, base, layers, row, n);
}
#endif

/// One to four layers.
void lay(QRgb* out, const QRgb* base, std::span<const Layer> layers, int row, std::size_t n) {
#if defined(__x86_64__)
    static const bool wide = __builtin_cpu_supports("avx2") != 0;
    if (wide)
        return layWide(out, base, layers, row, n);
#endif
    layPlain(out, base, layers, row, n);
}

} // namespace

StripPainter::StripPainter(QImage& image, int left, std::vector<QRgb> base, const Theme& theme, int line)
    : m_bits(reinterpret_cast<QRgb*>(image.bits()))
    , m_stride(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)))
    , m_left(left)
    , m_rows(image.height())
    , m_width(std::min(base.size(), static_cast<std::size_t>(std::max(image.width() - left, 0))))
    , m_base(std::move(base))
    , m_spare(m_base.size())
    , m_under(m_base.size())
    , m_theme(theme)
    , m_line(line) {}

void StripPainter::paintBase(int top, int height) {
    for (int y = std::max(top, 0); y < std::min(top + height, m_rows); ++y)
        std::memcpy(row(y), m_base.data(), m_width * sizeof(QRgb));
}

/// `layers` from the highest to the lowest: what does not reach this row is left out.
void StripPainter::paintRow(int y, int fromFoot, const QRgb* base, std::span<const Layer> layers) {
    constexpr std::size_t kAtOnce = 4;
    std::array<Layer, kAtOnce> reach;
    std::size_t count = 0;
    const QRgb* under = base;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i].highest < fromFoot)
            continue;
        if (count == kAtOnce) { // five classes in one strip: rare
            lay(m_spare.data(), under, reach, fromFoot, m_width);
            m_under.swap(m_spare);
            under = m_under.data();
            count = 0;
        }
        reach[count++] = layers[i];
    }
    if (count == 0)
        std::memcpy(row(y), under, m_width * sizeof(QRgb));
    else
        lay(row(y), under, std::span(reach).first(count), fromFoot, m_width);
}

/// Returns how many different rows there are: eight with a hatch.
int StripPainter::drawBars(const view::StripView& strip, const view::Looks& looks,
                           const view::Colouring* colouring) {
    bool hatched = false;
    for (const view::Bar& bar : strip.bars())
        hatched = hatched || (bar.x1 - bar.x0 >= kHatchMinWidth &&
                              fillOf(looks, bar.activity, nullptr, m_theme).hatched);
    const int rows = hatched ? kTile : 1;
    m_barRows.resize(static_cast<std::size_t>(rows) * m_base.size());
    for (int y = 0; y < rows; ++y) {
        QRgb* const out = m_barRows.data() + static_cast<std::size_t>(y) * m_base.size();
        std::memcpy(out, m_base.data(), m_base.size() * sizeof(QRgb));
        for (const view::Bar& bar : strip.bars()) {
            const BarFill& fill = fillOf(looks, bar.activity, colouring, m_theme);
            const int wide = bar.x1 - bar.x0;
            if (!fill.hatched || wide < kHatchMinWidth)
                std::fill(out + bar.x0, out + bar.x1, fill.plain);
            else
                for (int x = bar.x0; x < bar.x1; ++x)
                    out[x] = fill.tile[static_cast<std::size_t>(y * kTile + (x + m_left) % kTile)];
            if (wide >= kEdgeMinWidth) // tells two bars that touch from one
                std::fill_n(out + bar.x0, std::min(m_line, wide / kEdgeMinWidth), fill.edge);
        }
    }
    return rows;
}

void StripPainter::paint(int top, int height, const view::StripView& strip, const view::Looks& looks,
                         const view::Colouring* colouring) {
    const int barRows = strip.bars().empty() ? 0 : drawBars(strip, looks, colouring);
    const QRgb tick = m_theme.tick.rgb();
    std::vector<Layer> layers;
    for (std::size_t i = strip.layers(); i-- > 0;)
        layers.push_back(
            {strip.tops(i).data(), strip.highest(i), layerColour(strip, i, colouring, m_theme).rgb()});
    for (int y = std::max(top, 0); y < std::min(top + height, m_rows); ++y) {
        const QRgb* const base =
            barRows == 0 ? m_base.data()
                         : m_barRows.data() + static_cast<std::size_t>(y % barRows) * m_base.size();
        if (const int fromFoot = top + strip.height() - y; fromFoot > 0) {
            paintRow(y, fromFoot, base, layers);
            continue;
        }
        QRgb* const out = row(y);
        for (std::size_t x = 0; x < m_width; ++x)
            out[x] = strip.hasTick(static_cast<int>(x)) ? tick : base[x];
    }
}

void StripPainter::paintValue(int top, int height, std::span<const int> tops, const QColor& fill) {
    std::vector<int> below(tops.begin(), tops.end());
    int highest = 0;
    for (int& each : below) {
        highest = std::max(highest, each);
        each -= m_line;
    }
    const std::vector<Layer> layers{{tops.data(), highest, edgeOf(fill, m_theme).rgb()},
                                    {below.data(), highest - m_line, fill.rgb()}};
    for (int y = std::max(top, 0); y < std::min(top + height, m_rows); ++y)
        paintRow(y, top + height - y, m_base.data(), layers);
}

void StripPainter::paintRibbon(int top, int height, const std::array<view::StripTable, 3>& atOnce,
                               const view::ViewColumns& columns) {
    std::vector<int> tops(atOnce.size() * m_base.size());
    std::vector<Layer> layers;
    for (std::size_t level = 0; level < atOnce.size(); ++level) {
        const std::span part = std::span(tops).subspan(level * m_base.size(), m_base.size());
        view::paintTops(atOnce[level], columns, height, part);
        layers.push_back({part.data(), height, m_theme.ribbon[level].rgb()});
    }
    for (int y = std::max(top, 0); y < std::min(top + height, m_rows); ++y)
        paintRow(y, top + height - y, m_base.data(), layers);
}

} // namespace olab::ui
