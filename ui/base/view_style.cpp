#include <olab/ui/view_style.h>

#include <QFontInfo>

#include <algorithm>

namespace olab::ui {

ViewStyle ViewStyle::ofType(int pixels) {
    ViewStyle style;
    style.type = std::clamp(pixels, 8, 96);
    if (style.projector()) {
        style.small = style.type;
        style.line = style.type / 8;
        style.strong = style.line + 1;
        style.names = 118; // the lanes need the room
    } else {
        style.small = std::max(style.type * 11 / kUsualType, 8);
    }
    return style;
}

ViewStyle ViewStyle::of(const QFont& font) {
    return ofType(QFontInfo(font).pixelSize());
}

QFont ViewStyle::sized(const QFont& base, int pixels, bool bold) {
    QFont font = base;
    font.setPixelSize(pixels);
    font.setBold(bold);
    return font;
}

} // namespace olab::ui
