// Numbers as text, the same in every locale. The window uses the user's locale (QApplication calls
// setlocale), and printf would then write "32,1 ms" into sentences, pictures and files that must be
// byte-identical everywhere. Pure functions, safe from any thread.
#pragma once

#include <string>

namespace olab {

/// "32.10": `digits` after the point, as printf's %.*f in the C locale.
std::string fixedText(double value, int digits);
/// "0.875", "1e+06": at most `digits` significant digits, as printf's %.*g in the C locale.
std::string shortText(double value, int digits);

} // namespace olab
