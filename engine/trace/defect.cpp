#include <olab/trace/defect.h>

#include <algorithm>
#include <iterator>

namespace olab {
namespace {

constexpr auto kNotice = Severity::Notice;
constexpr auto kLoss = Severity::DataLoss;
constexpr auto kError = Severity::Error;

constexpr DefectRow kTable[] = {
    {DefectCode::EndBeforeStart, "end-before-start", kLoss,
     "Activities that end before they start were refused: the times of this recording are damaged. Record "
     "again."},
    {DefectCode::NoTimestamp, "no-timestamp", kLoss,
     "Activities without a time stamp were refused: the profiler could not take it. Record again with fewer "
     "activities."},
    {DefectCode::BadRecord, "bad-record", kLoss,
     "Records with impossible content were refused; the rest is valid. Export the recording again, or "
     "record again."},
    {DefectCode::UnknownKind, "unknown-kind", kNotice,
     "Records of a kind this version does not know were left out; a newer version may read them."},
    {DefectCode::DroppedRecords, "dropped-records", kLoss,
     "CUPTI dropped records for lack of buffers. Record a shorter run or allow more buffer memory."},
    {DefectCode::BufferCap, "buffer-cap", kLoss,
     "Records were discarded at the memory limit, because they came faster than they could be taken in. "
     "Record a shorter run, or write to a faster disk."},
    {DefectCode::MissingOps, "missing-ops", kLoss,
     "Fewer activities were recorded than operations issued. Run again; if it stays, shorten the run."},
    {DefectCode::ExtraOps, "extra-ops", kNotice,
     "More activities were recorded than operations issued; something else used the device's queues too."},
    {DefectCode::GateOpenedEarly, "gate-opened-early", kNotice,
     "The start gate opened before everything was queued, because an issuing call blocked."},
    {DefectCode::ClockStep, "clock-step", kLoss,
     "The system clock was stepped during the run, so times before and after cannot be compared. Run again."},
    {DefectCode::StartsBeforeIssue, "starts-before-issue", kNotice,
     "Device work appears to start before the call that issued it: the clocks of host and device disagree."},
    {DefectCode::TruncatedFile, "truncated-file", kLoss,
     "The file ends too early; everything before that was read. Copy it again from where it came from; if it "
     "is incomplete there too, the recording was interrupted: record again."},
    {DefectCode::DamagedChunk, "damaged-chunk", kLoss,
     "Damaged parts of the file were skipped. Copy it again from where it came from."},
    {DefectCode::UnknownChunk, "unknown-chunk", kNotice,
     "The file holds chunks of a type this version does not know; they were skipped. A newer version may "
     "read "
     "them."},
    {DefectCode::BadChunk, "bad-chunk", kLoss,
     "Parts of the file have the right checksum and impossible content; they were skipped. Copy it again "
     "from "
     "where it came from."},
    {DefectCode::UnresolvedOp, "unresolved-op", kNotice,
     "Activities could not be matched with a planned operation; waits are not explained for them."},
    {DefectCode::BoundExceeded, "bound-exceeded", kNotice,
     "The run was faster than the bound computed from its solo durations, so no efficiency is given. Run "
     "again "
     "with the clocks locked."},
    {DefectCode::DataMismatch, "data-mismatch", kError,
     "The pipeline raced: the data is not what the steps before should have left, so its times prove "
     "nothing. Order the steps by their stream or by events; if they are, check the device's memory."},
    {DefectCode::ToolEffect, "tool-effect", kNotice,
     "Recording slowed the run by more than 10 %. Use fewer or longer operations."},
    {DefectCode::ChunkOrder, "chunk-order", kLoss,
     "Whole parts of the file are missing, repeated or in the wrong place. Copy it again from where it came "
     "from."},
    {DefectCode::TextCut, "text-cut", kNotice, "Texts longer than any that a program writes were cut."},
    {DefectCode::OpenRange, "open-range", kNotice,
     "NVTX ranges and operations with only one end recorded were left out: they were open when the recording "
     "began or ended."},
    {DefectCode::OldFormat, "old-format", kNotice,
     "This recording was kept in the first format of files, in which parts that were cut out leave no trace: "
     "whether all of it is there cannot be checked."},
    {DefectCode::UnknownClock, "unknown-clock", kLoss,
     "Times were taken by several clocks, and of one of them nothing says how it compares with the others: "
     "work "
     "that it timed may lie in the wrong place."},
    {DefectCode::OpenEnd, "open-end", kNotice,
     "The recording has no end: this is what there was by then. Open it again for the rest, if it was still "
     "being written."},
    {DefectCode::GraphsAsOne, "graphs-as-one", kLoss,
     "Launches of CUDA graphs were recorded as one span each: the kernels and copies inside them are not in "
     "the file, so they are missing here too. Record again with nsys profile --cuda-graph-trace=node."},
    {DefectCode::ClocksDisagree, "clocks-disagree", kNotice,
     "The clocks of these recordings disagree: they were aligned by the ends of the collectives that they "
     "share."},
    {DefectCode::NotAligned, "not-aligned", kNotice,
     "Nothing says how the clock of this recording compares with the others: it is shown from their begin "
     "on, "
     "and its times must not be compared with theirs. Merge recordings that know their wall time, or that "
     "share collectives."},
    {DefectCode::TextEncoding, "text-encoding", kNotice,
     "The file is not UTF-8: each invalid byte was replaced in names. Perhaps it is Latin-1 "
     "(Windows-1252). Convert it and open that: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW."},
    {DefectCode::LateEnd, "late-end", kLoss,
     "By their records copies ended after the next work of their stream had begun, which can not be: a fault "
     "of "
     "CUPTI. Their overlap is too large. The account takes that begin as their end. Record again."},
    {DefectCode::RecorderLoss, "recorder-loss", kLoss,
     "The program that made the recording says that events may be missing. Record again."},
    {DefectCode::RecorderWarning, "recorder-warning", kNotice,
     "The program that made the recording warns of something."},
};

// Codes without a row, or two rows for one code, would give a defect a wrong name.
constexpr bool inOrder() {
    for (std::size_t i = 0; i < std::size(kTable); ++i)
        if (kTable[i].id.empty() || kTable[i].text.empty() || (i > 0 && kTable[i - 1].code >= kTable[i].code))
            return false;
    return true;
}
static_assert(inOrder(), "one row for each DefectCode, in their order");
constexpr std::size_t kNeverUsed = 2;
static_assert(std::size(kTable) + kNeverUsed == static_cast<std::size_t>(DefectCode::Count_));

const DefectRow* find(DefectCode code) {
    const auto at = std::ranges::lower_bound(kTable, code, {}, &DefectRow::code);
    return at != std::end(kTable) && at->code == code ? at : nullptr;
}

} // namespace

std::string_view severityName(Severity s) {
    switch (s) {
    case Severity::Notice:
        return "notice";
    case Severity::DataLoss:
        return "data_loss";
    case Severity::Error:
        return "error";
    }
    return "invalid";
}

std::span<const DefectRow> defectTable() {
    return kTable;
}

bool isDefectCode(DefectCode code) {
    return find(code) != nullptr;
}

const DefectRow& defectRow(DefectCode code) {
    const DefectRow* row = find(code); // a code from a newer version's file: still a loss, still shown
    return row ? *row : *find(DefectCode::BadRecord);
}

std::string Defect::text() const {
    std::string sentence(defectRow(code).text);
    if (!detail.empty())
        sentence += " (" + detail + ")";
    return sentence;
}

} // namespace olab
