// Verdicts and titles of runs as people read them. Pure functions; any thread.
#pragma once

#include <olab/analysis/report.h>

#include <QString>

namespace olab::view {
class Run;
struct ViewData;
} // namespace olab::view

namespace olab::ui {

/// The summary of one pair in few words: "H2D | kernel: overlapped 96 %".
QString verdictLine(const analysis::Verdict& verdict);
QString verdictWord(analysis::VerdictKind kind); ///< "overlapped", "SERIALIZED", ...
/// The kind whose colour it is shown in: a pair on which little of the run hangs is grey, whatever came out.
analysis::VerdictKind shownKind(const analysis::Verdict& verdict);
/// The same by price, as chips are coloured: a pair cost no more than it takes of the run, and no more than
/// the run lost in all. Red from a tenth of the run on, grey below a hundredth.
analysis::VerdictKind pricedKind(const analysis::Verdict& verdict, const analysis::Bounds& bounds);
/// What a run is called now, to be shown: cut.
QString titleText(const view::Run& run);
QString titleText(const view::ViewData& data);

} // namespace olab::ui
