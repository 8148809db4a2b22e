// The sizes of what the view draws, all of them from the size of its type: large type, because a projector
// shows it or because the system's font is large, makes rows, names, lines and margins larger with it.
// Logical pixels. A plain value; GUI thread.
#pragma once

#include <QFont>

namespace olab::ui {

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
