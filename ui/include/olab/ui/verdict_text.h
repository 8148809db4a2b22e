// Verdicts and titles of runs as people read them. Pure functions; any thread.
#pragma once

#include <olab/analysis/report.h>

#include <QString>

namespace olab {

class Run;
struct ViewData;

/// The summary of one pair in few words: "H2D | kernel: overlapped 96 %".
QString verdictLine(const Verdict& verdict);
QString verdictWord(VerdictKind kind); ///< "overlapped", "SERIALIZED", ...
/// The kind whose colour it is shown in: a pair on which little of the run hangs is grey, whatever came out.
VerdictKind shownKind(const Verdict& verdict);
/// What a run is called now, to be shown: cut.
QString titleText(const Run& run);
QString titleText(const ViewData& data);

} // namespace olab
