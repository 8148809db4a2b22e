// What each option does to a simulated run: every test fails if the option does nothing.
#include "sim_test.h"

namespace olab::test {
namespace {} // namespace
} // namespace olab::test
