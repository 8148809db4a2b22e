// How bars are filled: their class gives the hatch, and the fill too unless they are coloured by something
// else (view/colouring.h). The colours of names are the same in light and dark; they lie at least 12
// CIEDE2000 apart, the grey of the others too, and text on them has a contrast of 4.5:1 or more
// (tests/ui/theme_test.cpp). Colours of
// names are no classes: kinds of colour blindness see some of them alike, so names stay written on bars.
#pragma once

#include <olab/ui/theme.h>
#include <olab/view/colouring.h>
#include <olab/view/strip_view.h>

namespace olab::ui {

const QColor& colourOf(view::ColourNumber number, const Theme& theme);

/// Its class's where `colouring` is null.
const QColor& barColour(const view::Looks& looks, ActivityIndex activity, const view::Colouring* colouring,
                        const Theme& theme);

/// Of a layer of a strip.
const QColor& layerColour(const view::StripView& strip, std::size_t layer, const view::Colouring* colouring,
                          const Theme& theme);
/// What a strip is coloured by: null where `colouring` is, or where it does not know the strip (yet).
const view::Colouring* colouringOf(const view::Strip& strip, const view::Colouring* colouring);
view::StripView stripViewOf(const view::Strip& strip, const view::ViewColumns& columns, int height,
                            const view::Colouring* colouring);

/// What a legend says of an entry: names that are long are cut.
QString entryText(const view::Colouring& colouring, const view::Colouring::Entry& entry);
/// "name", for menus; with its help.
QString colourByText(view::ColourBy by);
QString colourByHelp(view::ColourBy by);

} // namespace olab::ui
