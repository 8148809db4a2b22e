// The code that the source texts print, verbatim, and which of its lines a claim is about
// (resources/claims/code.json). Quoted, never compiled. Immutable; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace olab::claims {

struct CodeListing {
    std::string id;           ///< "001.2": source text and example
    std::string source;       ///< "001"
    std::vector<int> numbers; ///< of each line in the source text, ascending; may have gaps
    std::vector<std::string> lines;
};
struct ClaimCode {
    const CodeListing* listing = nullptr;
    std::vector<int> marked; ///< numbers of the lines that the claim is about
};
/// The listing for a claim; null: its source text has no code for it.
const ClaimCode& claimCode(std::string_view claim);
const std::vector<CodeListing>& codeListings();

} // namespace olab::claims
