// The files of resources/claims, built in. Private to claims.
#pragma once

#include <string>
#include <string_view>

namespace olab::claims::detail {

std::string_view claimsText();
std::string_view experimentsText();
std::string_view codeText();
std::string_view recordedText(); ///< results measured on a GPU; empty: none are shipped

} // namespace olab::claims::detail
