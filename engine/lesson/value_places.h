// The places {{LEFT}}, {{percent LEFT}} and {{LEFT @NAME}} in a sentence of a lesson, LEFT as in assertions.
// Private to the module.
#pragma once

#include <olab/assertion/assertion.h>

#include <functional>
#include <string>
#include <string_view>

namespace olab::lesson::detail {

struct ValuePlace {
    std::string_view left;
    std::string_view other; ///< the run referred to; empty: the step's own
    bool isPercent = false;
};
/// `text` with the result of `say` in each place; an unclosed {{ stays plain text.
std::string withValues(std::string_view text, const std::function<std::string(const ValuePlace&)>& say);
/// What an assertion is compared with: its @NAME; empty: nothing.
std::string_view otherOf(std::string_view assertion);

} // namespace olab::lesson::detail
