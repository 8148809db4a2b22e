// Experiments that together have every value of every option where it does something: what tests of the
// exported programs walk.
#pragma once

#include <olab/experiment/option_table.h>

#include <string>
#include <vector>

namespace olab::test {

/// An option's value and one it is held against, with all other options alike.
struct OptionPair {
    std::string key, value, other;
    experiment::HeldExperiment with, without;
};
/// One per value of every option of the table. Where no experiment was found in which it does something, both
/// are the defaults: that fails a test, not silently.
std::vector<OptionPair> optionPairs();

std::vector<std::string> valuesOf(const experiment::OptionRow& row);

} // namespace olab::test
