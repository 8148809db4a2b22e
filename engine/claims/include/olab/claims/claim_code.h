// The code that the source texts print, as it stands there, and which lines of it a claim is about
// (resources/claims/code.json). Quoted, never compiled. Immutable; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace olab {

struct CodeListing {
    std::string id;           ///< "001.2": source text and example
    std::string source;       ///< "001"
    std::vector<int> numbers; ///< of each line in the source text, ascending; not all need be there
    std::vector<std::string> lines;
};
struct ClaimCode {
    const CodeListing* listing = nullptr;
    std::vector<int> marked; ///< numbers of the lines that the claim is about
};
/// What is printed for a claim; no listing: its source text says it in words only.
const ClaimCode& claimCode(std::string_view claim);
const std::vector<CodeListing>& codeListings();

} // namespace olab
