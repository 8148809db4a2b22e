#pragma once

namespace olab::gui {

/// An archive brings a font and a configuration for it, since it may be unpacked where there is none. To be
/// called before QApplication; does nothing in other installations or when the person set fontconfig up.
void useBundledFonts();

} // namespace olab::gui
