// Numbers as people read them: times with a fitting unit, sizes in binary units, rates in GB/s. Pure
// functions.
#pragma once

#include <olab/analysis/report.h>
#include <olab/trace/trace.h>

#include <QString>

#include <optional>
#include <string_view>

namespace olab::view {
class Run;
struct ViewData;
} // namespace olab::view

namespace olab::ui {

QString fromText(std::string_view text); ///< to be shown: visibleText(), cut
/// Sentences of the engine are ASCII ("412 us"); on screen the unit is "µs".
QString sentence(std::string_view text);
QString withCapital(const QString& text); ///< as a sentence begins
/// "copy_h2d" becomes "copy H2D engine": the report's keys as people say them; other words stay.
QString limitText(std::string_view limiting);
/// What needs most time in the ideal run, and how much: "copy H2D engine (29.2 ms)".
QString limitText(const analysis::Bounds& bounds);
/// "ideal", "ideal (estimate)": where there is no account it is one.
QString idealName(const analysis::Bounds& bounds);
/// "measured on a GPU", "simulated".
QString sourceText(SourceKind source);
/// "412 µs", "1.25 ms": timeText() of the engine with the unit of a screen, so that a table and a sentence
/// round alike.
QString durationText(Ns ns);
QString durationText(const std::optional<Ns>& ns); ///< "–" for what was not computed
QString signedDuration(Ns change);                 ///< "+2.20 ms", "−11.3 µs", "0"
/// A time on a ruler whose ticks are `step` apart: with as many digits as it takes to tell it from its
/// neighbours, "7.010 02 s" and "7.010 04 s".
QString tickText(Ns time, Ns step);
/// Every nanosecond shown: "1 234.567 µs".
QString exactDurationText(Ns ns);
QString sizeText(std::int64_t bytes);              ///< "16 MiB"
QString rateText(std::int64_t bytes, Ns duration); ///< "54.9 GB/s", empty when unknown
QString rateText(double bytesPerNs);               ///< "54.9 GB/s", "12.0 MB/s", "0 GB/s"
QString percentLabel(double share);                ///< "96 %"
QString countText(std::uint64_t count);            ///< "4 212"
/// "2026-11-20 14:56:26 UTC" from ISO 8601; what is no such time stays as it is.
QString timeText(std::string_view iso);
/// The number the report's sentences give an activity, "#" before it left out: its op's, or its own where
/// nothing was planned. An op's API call and its device work share it.
QString numberText(const Trace& trace, ActivityIndex index);
/// What a trace says of where it was recorded, by key ("driver_version"); empty: nothing.
QString environmentOf(const Trace& trace, const char* key);
QString queueText(const Trace& trace, QueueId id);
/// `text` with the name of the thread, if it has one, in place of "thread ": "python 4711".
QString namedThread(const Trace& trace, const Queue& thread, QString text); ///< "stream 14", "thread 4711"
/// "kernel", "H2D"; ranges are called what they are: "operator", "Python function", "NVTX range".
QString classText(const Trace& trace, ActivityIndex index);
/// What is written on a bar: "H2D 16 MiB", "spin", "cudaMemcpyAsync".
QString activityLabel(const Trace& trace, ActivityIndex index);
/// With all there is to tell it by, where there is room: "spin<float>", else the same.
QString fullLabel(const Trace& trace, ActivityIndex index);

// Verdicts and titles of runs as people read them. Pure functions; any thread.

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
