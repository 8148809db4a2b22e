#include "bundled_fonts.h"

#include <cstdlib>
#include <filesystem>

namespace olab::gui {

void useBundledFonts() {
    namespace fs = std::filesystem;
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    const fs::path file = self.parent_path().parent_path() / "share/overlap-lab/fonts/fonts.conf";
    if (failed || !fs::exists(file, failed) || std::getenv("FONTCONFIG_PATH"))
        return;
    ::setenv("FONTCONFIG_FILE", file.c_str(), 0);
}

} // namespace olab::gui
