#include "claims/claim_state.h"

#include <olab/claims/call_table.h>
#include <olab/ui/format.h>

#include <QObject>
#include <QStringList>

namespace olab {

void ClaimsShown::add(const ClaimsNewsPtr& news) {
    for (const ClaimResult& result : news->results.claims)
        m_claims[result.id] = news;
    for (const auto& [name, run] : news->runs)
        m_runs[name] = run;
    if (!callTable(news->results).empty())
        m_calls = news;
}

const ClaimsResults* ClaimsShown::hereIn(std::string_view claim) const {
    const auto at = m_claims.find(claim);
    return at == m_claims.end() ? nullptr : &at->second->results;
}

const ClaimResult* ClaimsShown::here(std::string_view claim) const {
    const ClaimsResults* const in = hereIn(claim);
    return in ? findResult(*in, claim) : nullptr;
}

const ClaimResult* ClaimsShown::recorded(std::string_view claim) {
    return recordedClaims() ? findResult(*recordedClaims(), claim) : nullptr;
}

const ClaimsResults* ClaimsShown::bestIn(std::string_view claim) const {
    const ClaimResult *mine = here(claim), *shipped = recorded(claim);
    if (mine && (isDecided(mine->outcome) || !shipped))
        return hereIn(claim);
    return shipped ? &*recordedClaims() : nullptr;
}

const ClaimResult* ClaimsShown::best(std::string_view claim) const {
    const ClaimsResults* const in = bestIn(claim);
    return in ? findResult(*in, claim) : nullptr;
}

ViewDataPtr ClaimsShown::run(std::string_view name) const {
    const auto at = m_runs.find(name);
    return at == m_runs.end() ? nullptr : at->second;
}

const ClaimsResults* ClaimsShown::calls() const {
    if (m_calls)
        return &m_calls->results;
    return recordedClaims() && !callTable(*recordedClaims()).empty() ? &*recordedClaims() : nullptr;
}

QString documentedText(Documented documented) {
    constexpr const char* kSigns[] = {"✓", "~", "✗"};
    return fromText(kSigns[static_cast<std::size_t>(documented)]) + QLatin1Char(' ') +
           fromText(documentedName(documented));
}

QString outcomeText(ClaimOutcome outcome) {
    constexpr const char* kSigns[] = {"✓", "~", "✗", "?", "–"};
    return fromText(kSigns[static_cast<std::size_t>(outcome)]) + QLatin1Char(' ') +
           fromText(outcomeWords(outcome));
}

bool differs(const ClaimRow& claim, const ClaimResult* result) {
    return result && isDecided(result->outcome) && !agrees(claim.documented, result->outcome);
}

QString agreementText(const ClaimRow& claim, const ClaimResult* result) {
    if (!result || !isDecided(result->outcome))
        return QObject::tr("? open");
    return differs(claim, result) ? QObject::tr("≠ differs") : QObject::tr("= as documented");
}

QString sideSign(CaseSide side) {
    constexpr const char* kSigns[] = {"✓", "✗", "?"};
    return fromText(kSigns[static_cast<std::size_t>(side)]);
}

QString whereText(const ClaimsResults& results) {
    const auto of = [&](const char* key) {
        const auto at = results.environment.find(key);
        return at == results.environment.end() ? QString() : fromText(at->second);
    };
    const QString how = fromText(claimsSourceName(results.source)).toUpper();
    QStringList parts{of("device").isEmpty() ? how : QObject::tr("%1 on %2").arg(how, of("device"))};
    if (!of("driver").isEmpty())
        parts << QObject::tr("driver %1").arg(of("driver"));
    parts << timeText(results.recordedAt);
    return parts.join(QStringLiteral(", "));
}

} // namespace olab
