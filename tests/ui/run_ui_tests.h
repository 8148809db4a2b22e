// Runs the tests of a program with a window: offscreen, with settings of their own; a Qt warning during a
// test fails that test.
#pragma once

namespace olab::test {

/// @returns what main() returns
int runUiTests(int argc, char** argv);

} // namespace olab::test
