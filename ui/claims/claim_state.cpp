#include "claims/claim_state.h"

#include "base/page_parts.h"

#include <olab/claims/claim_results.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QObject>
#include <QStringList>

namespace olab::ui {

void ClaimsShown::add(const ClaimsNewsPtr& news) {
    for (const claims::ClaimResult& result : news->results.claims)
        m_claims[result.id] = news;
    for (const auto& [name, run] : news->runs)
        m_runs[name] = run;
    if (!claims::callTable(news->results).empty())
        m_calls = news;
}

const claims::ClaimsResults* ClaimsShown::hereIn(std::string_view claim) const {
    const auto at = m_claims.find(claim);
    return at == m_claims.end() ? nullptr : &at->second->results;
}

const claims::ClaimResult* ClaimsShown::here(std::string_view claim) const {
    const claims::ClaimsResults* const in = hereIn(claim);
    return in ? claims::findResult(*in, claim) : nullptr;
}

const claims::ClaimResult* ClaimsShown::recorded(std::string_view claim) {
    return claims::recordedClaims() ? claims::findResult(*claims::recordedClaims(), claim) : nullptr;
}

const claims::ClaimsResults* ClaimsShown::bestIn(std::string_view claim) const {
    const claims::ClaimResult *mine = here(claim), *shipped = recorded(claim);
    if (mine && (claims::isDecided(mine->outcome) || !shipped))
        return hereIn(claim);
    return shipped ? &*claims::recordedClaims() : nullptr;
}

const claims::ClaimResult* ClaimsShown::best(std::string_view claim) const {
    const claims::ClaimsResults* const in = bestIn(claim);
    return in ? claims::findResult(*in, claim) : nullptr;
}

view::ViewDataPtr ClaimsShown::run(std::string_view name) const {
    const auto at = m_runs.find(name);
    return at == m_runs.end() ? nullptr : at->second;
}

const claims::ClaimsResults* ClaimsShown::calls() const {
    if (m_calls)
        return &m_calls->results;
    return claims::recordedClaims() && !claims::callTable(*claims::recordedClaims()).empty()
               ? &*claims::recordedClaims()
               : nullptr;
}

QString documentedText(claims::Documented documented) {
    constexpr const char* kSigns[] = {"✓", "~", "✗"};
    return fromText(kSigns[static_cast<std::size_t>(documented)]) + QLatin1Char(' ') +
           fromText(claims::documentedName(documented));
}

QString outcomeText(claims::ClaimOutcome outcome) {
    constexpr const char* kSigns[] = {"✓", "~", "✗", "?", "–"};
    return fromText(kSigns[static_cast<std::size_t>(outcome)]) + QLatin1Char(' ') +
           fromText(claims::outcomeWords(outcome));
}

bool differs(const claims::ClaimRow& claim, const claims::ClaimResult* result) {
    return result && claims::agreement(claim, *result) == claims::Agreement::Differs;
}

QString agreementText(const claims::ClaimRow& claim, const claims::ClaimResult* result) {
    if (!result || !claims::isDecided(result->outcome))
        return QObject::tr("? open");
    if (claims::agreement(claim, *result) == claims::Agreement::Undocumented)
        return QObject::tr("– nothing expected");
    return differs(claim, result) ? QObject::tr("≠ differs") : QObject::tr("= as expected");
}

QString sideSign(claims::CaseSide side) {
    constexpr const char* kSigns[] = {"✓", "✗", "?"};
    return fromText(kSigns[static_cast<std::size_t>(side)]);
}

QString whereText(const claims::ClaimsResults& results) {
    const auto of = [&](const char* key) {
        const auto at = results.environment.find(key);
        return at == results.environment.end() ? QString() : fromText(at->second);
    };
    const QString how = fromText(claims::claimsSourceName(results.source)).toUpper();
    QStringList parts{of("device").isEmpty() ? how : QObject::tr("%1 on %2").arg(how, of("device"))};
    if (!of("driver").isEmpty())
        parts << QObject::tr("driver %1").arg(of("driver"));
    parts << timeText(results.recordedAt);
    return parts.join(QStringLiteral(", "));
}

QLabel* claimHeading(const QString& text, bool large) {
    QLabel* label = wordsLabel(text, true);
    QFont font = label->font();
    if (large)
        font.setPixelSize(ViewStyle::of(font).scaled(15));
    label->setFont(font);
    label->setContentsMargins(0, large ? 0 : 8, 0, 0);
    return label;
}

QLabel* claimRich(const RichText& text, const QString& spoken) {
    QLabel* label = wordsLabel(text);
    label->setAccessibleName(spoken);
    return label;
}

void addSigned(QVBoxLayout& column, const QString& sign, QWidget* words, int indent) {
    auto* row = rowIn(nullptr, {indent, 0, 0, 0});
    auto* first = makeLabel(sign);
    first->setFont(boldOf(first->font()));
    first->setAlignment(Qt::AlignTop);
    row->addWidget(first);
    row->addWidget(words, 1);
    column.addLayout(row);
}

} // namespace olab::ui
