#include <olab/ui/bar_colours.h>

#include "base/plain_text.h"

#include <olab/trace/kernel_name.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

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

} // namespace olab::ui
