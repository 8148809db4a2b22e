// How long tests wait for what must come. None judges by how fast the machine is: the limit ends only a test
// that would hang, on a machine that does a tenth of what it could.
#pragma once

#include <QEventLoop>
#include <QTimer>

namespace olab::test {

inline constexpr int kPatience = 300'000;

/// The window asleep until something comes, as in the program; what it has put off for less than `ms` has
/// been done afterwards, however slow the machine is: timers fire in the order of their times. In turns, for
/// what is put off again by what was.
inline void letPass(int ms) {
    for (int turn = 0; turn < 4; ++turn) {
        QEventLoop loop;
        QTimer::singleShot(ms, &loop, &QEventLoop::quit);
        loop.exec();
    }
}

} // namespace olab::test
