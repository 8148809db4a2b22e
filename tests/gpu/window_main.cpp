// Without a device these tests are skipped, never passed. `olab` is asked: the window's process never touches
// CUDA.
#include "run_ui_tests.h"

#include <olab/run/child_backend.h>

#include <cstdio>

int main(int argc, char** argv) {
    const olab::run::EngineProbe probe = olab::run::probeEngine(olab::run::findOlab());
    if (!probe.usable) {
        std::printf("SKIPPED: no usable GPU (%s)\n", probe.why.c_str());
        return 77;
    }
    return olab::test::runUiTests(argc, argv);
}
