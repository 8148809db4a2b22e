// Colours of the window: two fixed palettes, light and dark. The class colours lie at least 15 CIEDE2000
// apart under simulated protanopia, deuteranopia and tritanopia (tests/ui/theme_test.cpp), and every text
// colour has a contrast of 4.5:1 or more. GUI thread only.
#pragma once

#include <olab/analysis/ledger.h>
#include <olab/analysis/report.h>
#include <olab/trace/types.h>
#include <olab/ui/choices.h>
#include <olab/view/looks.h>

#include <QColor>
#include <QFont>
#include <QPalette>

#include <array>

namespace olab::ui {

struct Theme {
    bool dark = false;
    QColor window, base, raised, text, dim, line, grid, lane, group, accent, tick, selection, error,
        errorText;
    std::array<QColor, view::kLooks> looks;              ///< of bars: classes, and communication
    std::array<QColor, 3> ribbon;                        ///< one, two, three or more engines at once
    std::array<QColor, analysis::kVerdictKinds> verdict; ///< fills by VerdictKind
    /// By LossCause: the host, the order of streams, the engines and how long work takes have a colour each,
    /// and within one the causes have a hatch each.
    std::array<QColor, analysis::kLossCauses> causes;
    QColor ideal; ///< what a run needs when nothing holds it
    QColor pale;  ///< of bars beside those that are emphasised

    const QColor& colour(ActivityClass look) const { return looks[static_cast<std::size_t>(look)]; }
    const QColor& colour(analysis::VerdictKind kind) const { return verdict[static_cast<std::size_t>(kind)]; }
    const QColor& colour(analysis::LossCause cause) const { return causes[static_cast<std::size_t>(cause)]; }
    QPalette palette() const;

    static const Theme& light();
    static const Theme& darkTheme();
    /// With more contrast, for a projector; the class colours are the same.
    static const Theme& of(bool dark, bool projector);
    /// The theme a widget with this palette belongs to.
    static const Theme& of(const QPalette& palette);
};

/// Classes are told apart by hatch too: nothing depends on colour alone.
Qt::BrushStyle hatchOf(ActivityClass look);
Qt::BrushStyle hatchOf(analysis::LossCause cause);
/// Black or white, whichever reads better on `fill`.
QColor inkOn(const QColor& fill);
/// Of an area in this colour.
QColor edgeOf(const QColor& fill, const Theme& theme);
/// WCAG 2 contrast ratio, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

/// Sets style, palette and type of the whole application; for a projector with type that is read across a
/// room.
void applyTheme(ThemeChoice choice, bool projector = false);

/// The sizes of what the view draws, all of them from the size of its type: large type, because a projector
/// shows it or because the system's font is large, makes rows, names, lines and margins larger with it.
/// Logical pixels. A plain value; GUI thread.
struct ViewStyle {
    static constexpr int kUsualType = 12;     ///< what the sizes in the code are meant for
    static constexpr int kProjectorType = 24; ///< 18 pt at 96 dpi: from here on it is read across a room

    int type = kUsualType; ///< names of engines, headings, outcomes
    int small = 11;        ///< everything else
    int line = 1;          ///< edges, grid, what the pointer is on
    int strong = 2;        ///< selection, rulers, frames
    int names = 160;       ///< width of the names of the lanes, in usual type

    /// By the font of the widget that draws.
    static ViewStyle of(const QFont& font);
    static ViewStyle ofType(int pixels);

    bool projector() const { return type >= kProjectorType; }
    /// A length that is right beside usual type.
    constexpr int scaled(int length) const { return (length * type + kUsualType / 2) / kUsualType; }
    constexpr int gutter() const { return scaled(names); }
    /// Where a name begins; left of it is room for the triangle of what can be opened.
    constexpr int nameIndent(bool beneath) const { return scaled(beneath ? 20 : 12); }
    QFont typeFont(const QFont& base, bool bold = false) const { return sized(base, type, bold); }
    QFont smallFont(const QFont& base, bool bold = false) const { return sized(base, small, bold); }
    static QFont sized(const QFont& base, int pixels, bool bold = false);

    friend bool operator==(const ViewStyle&, const ViewStyle&) = default;
};

inline QFont boldOf(QFont font) {
    font.setBold(true);
    return font;
}

} // namespace olab::ui
