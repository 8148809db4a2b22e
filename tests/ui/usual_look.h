// The look of the program, put back when a test is done with it.
#pragma once

#include <olab/ui/theme.h>

namespace olab::test {

/// Stands before the window among the members, so that the window is gone by then: a change of look goes
/// through every widget that there is, which is most of the time that a test of a window takes.
struct UsualLook {
    UsualLook() = default;
    UsualLook(const UsualLook&) = delete;
    UsualLook& operator=(const UsualLook&) = delete;
    ~UsualLook() { ui::applyTheme(ui::ThemeChoice::System, false); }
};

} // namespace olab::test
