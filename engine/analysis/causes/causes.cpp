#include <olab/analysis/cause_table.h>

#include <algorithm>

namespace olab::analysis {

const RuleRow* ruleOf(std::string_view id) {
    const auto rule = std::ranges::find(ruleTable(), id, &RuleRow::id);
    return rule == ruleTable().end() ? nullptr : &*rule;
}

std::string_view lossCauseId(LossCause cause) {
    return cause == LossCause::None ? std::string_view() : causeRow(cause).id;
}

std::string_view lossCauseTitle(LossCause cause) {
    return causeRow(cause).label;
}

const CauseRow* causeRowOf(LossCause cause) {
    const CauseRow& row = causeRow(cause);
    return row.advice.empty() ? nullptr : &row;
}

LossCause lossCauseOf(std::string_view id) {
    for (std::size_t c = 1; c < kLossCauses; ++c)
        if (lossCauseId(static_cast<LossCause>(c)) == id)
            return static_cast<LossCause>(c);
    return LossCause::None;
}

bool isRule(std::string_view id) {
    return ruleOf(id) != nullptr;
}

std::vector<std::string_view> findingIds() {
    std::vector<std::string_view> ids;
    for (const RuleRow& row : ruleTable())
        ids.push_back(row.id);
    for (const CauseRow& row : causeTable())
        if (!isRule(row.id))
            ids.push_back(row.id);
    return ids;
}

std::string_view findingTitle(std::string_view id) {
    if (const RuleRow* rule = ruleOf(id))
        return rule->title;
    const CauseRow* row = causeRowOf(lossCauseOf(id));
    return row ? row->title : id;
}

} // namespace olab::analysis
