#include <olab/claims/claim_code.h>

#include "claim_texts.h"

#include <olab/experiment/held_experiment.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace olab::claims {
namespace {

using nlohmann::json;

struct CodeTable {
    std::vector<CodeListing> listings;
    std::map<std::string, ClaimCode, std::less<>> claims;
};

CodeListing listingFrom(const json& row) {
    CodeListing listing{row.at("id"), row.at("source"), {}, row.at("lines")};
    if (row.contains("numbers"))
        listing.numbers = row.at("numbers").get<std::vector<int>>();
    else
        for (int number = row.at("first"); listing.numbers.size() < listing.lines.size(); ++number)
            listing.numbers.push_back(number);
    return listing;
}

CodeTable readCode() {
    CodeTable table;
    try {
        const json all = json::parse(detail::codeText());
        for (const json& row : all.at("listings"))
            table.listings.push_back(listingFrom(row));
        const json claims = all.at("claims"); // items() refers to it
        for (const auto& [claim, row] : claims.items()) {
            const auto at =
                std::ranges::find(table.listings, row.at("listing").get<std::string>(), &CodeListing::id);
            if (at != table.listings.end())
                table.claims[claim] = {&*at, row.at("lines")};
        }
    } catch (const json::exception& e) { // part of the program: the unit tests catch it first
        throw Error(ErrorKind::Internal, "bad-claims", std::string("The code of claims: ") + e.what(),
                    "Report this as a bug of Overlap Lab.");
    }
    return table;
}

const CodeTable& codeTable() {
    static const CodeTable table = readCode();
    return table;
}

} // namespace

const ClaimCode& claimCode(std::string_view claim) {
    static const ClaimCode kNone;
    const auto at = codeTable().claims.find(claim);
    return at == codeTable().claims.end() ? kNone : at->second;
}

const std::vector<CodeListing>& codeListings() {
    return codeTable().listings;
}

} // namespace olab::claims
