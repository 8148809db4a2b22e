#include "run_ui_tests.h"

int main(int argc, char** argv) {
    return olab::test::runUiTests(argc, argv);
}
