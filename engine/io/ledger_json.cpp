#include "ledger_json.h"

namespace olab::io {

nlohmann::ordered_json ledgerJson(const analysis::Ledger* ledger) {
    using Json = nlohmann::ordered_json;
    if (!ledger || !ledger->missing.empty())
        return nullptr;
    Json causes = Json::array();
    for (const analysis::LedgerEntry& entry : ledger->entries) {
        causes.push_back({{"id", analysis::lossCauseId(entry.cause)},
                          {"cost_ns", entry.cost},
                          {"gain_ns", entry.gain},
                          {"waited_ns", entry.waited},
                          {"count", entry.count},
                          {"activities", entry.activities},
                          {"text", entry.text}});
        for (const analysis::LossCause other : entry.onlyWith)
            causes.back()["only_with"].push_back(analysis::lossCauseId(other));
        if (entry.isAtMost)
            causes.back()["at_most"] = true;
        if (entry.brought.programs > 0)
            causes.back()["brought"] = {{"part", entry.brought.part}, {"programs", entry.brought.programs}};
        if (entry.brought.high > 0)
            causes.back()["brought"].update({{"low", entry.brought.low}, {"high", entry.brought.high}});
        if (entry.isInferred)
            causes.back()["inferred"] = true;
        if (entry.more > 0)
            causes.back()["more_ns"] = entry.more;
    }
    Json json{{"measured_ns", ledger->measured},
              {"ideal_ns", ledger->ideal},
              {"unexplained_ns", ledger->unexplained},
              {"causes", std::move(causes)}};
    if (ledger->part)
        json["part"] = {{"begin_ns", ledger->part->time.begin},
                        {"end_ns", ledger->part->time.end},
                        {"iterations", ledger->part->iterations}};
    if (ledger->part && ledger->part->unusual > 0) {
        json["part"]["left_out"] = ledger->part->unusual;
        json["part"]["longest_left_out_ns"] = ledger->part->longestUnusual;
    }
    if (ledger->otherWay != analysis::LossCause::None)
        json["other_way"] = analysis::lossCauseId(ledger->otherWay);
    if (const analysis::IfIndependent& told = ledger->ifIndependent; told.gain > 0)
        json["if_independent"] = {{"gain_ns", told.gain},          {"kernels", told.kernels},
                                  {"sequence", told.sequence},     {"share", told.share},
                                  {"activities", told.activities}, {"text", told.text}};
    if (ledger->cut > 0)
        json["ideal_cut_ns"] = ledger->cut;
    return json;
}

} // namespace olab::io
