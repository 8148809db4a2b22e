// The places {{LEFT}}, {{percent LEFT}} and {{LEFT @NAME}} in a sentence of a lesson, LEFT as in assertions.
// Private to the module.
#pragma once

#include <olab/assertion/assertion.h>

#include <functional>
#include <string>
#include <string_view>

namespace olab::detail {

struct ValuePlace {
    std::string_view left;
    std::string_view other; ///< the run that is meant; empty: the step's own
    bool isPercent = false;
};
/// `text` with what `say` gives in each place; an open {{ without its end stays letters.
std::string withValues(std::string_view text, const std::function<std::string(const ValuePlace&)>& say);
/// What an assertion is held against: its @NAME; empty: nothing.
std::string_view otherOf(std::string_view assertion);

} // namespace olab::detail
