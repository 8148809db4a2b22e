// What the Claims page knows of a claim: the row, what was measured here, what came recorded with the
// program. Plain values and their words; nothing depends on colour: each answer has a sign and a word.
#pragma once

#include "base/page_parts.h"

#include <olab/claims/claim_words.h>
#include <olab/ui/news.h>

#include <QString>

class QVBoxLayout;

namespace olab::ui {

/// The results that are shown: those of this session by claim, over those that came with the program.
class ClaimsShown {
public:
    void add(const ClaimsNewsPtr& news);
    /// What was measured here last; null: nothing was.
    const claims::ClaimResult* here(std::string_view claim) const;
    const claims::ClaimsResults* hereIn(std::string_view claim) const;
    static const claims::ClaimResult* recorded(std::string_view claim);
    /// The one that the list shows: what was decided here, else what is recorded, else whatever there is.
    const claims::ClaimResult* best(std::string_view claim) const;
    const claims::ClaimsResults* bestIn(std::string_view claim) const;
    /// A recording of "E01.h2d" that was made here; null: none is in memory.
    view::ViewDataPtr run(std::string_view name) const;
    /// The results with the table of calls: measured here, else recorded; null: there is none.
    const claims::ClaimsResults* calls() const;

private:
    std::map<std::string, ClaimsNewsPtr, std::less<>> m_claims;
    std::map<std::string, view::ViewDataPtr, std::less<>> m_runs;
    ClaimsNewsPtr m_calls;
};

QString documentedText(claims::Documented documented); ///< "✗ FALSE"
QString outcomeText(claims::ClaimOutcome outcome);     ///< "✗ refuted"
QString
agreementText(const claims::ClaimRow&,
              const claims::ClaimResult*); ///< "= as expected", "≠ differs", "– nothing expected", "? open"
QString sideSign(claims::CaseSide side);   ///< "✓", "✗", "?"
/// "RECORDED on NVIDIA H200, driver 580.159.04, 2026-11-22 09:16:45 UTC"
QString whereText(const claims::ClaimsResults& results);
bool differs(const claims::ClaimRow& claim, const claims::ClaimResult* result);

// Labels that the Claims page is built of. GUI thread.
QLabel* claimHeading(const QString& text, bool large = false);
QLabel* claimRich(const RichText& text, const QString& spoken);
/// A sign, and beside it what it is the sign of.
void addSigned(QVBoxLayout& column, const QString& sign, QWidget* words, int indent = 0);

} // namespace olab::ui
