// Something lost, repaired or refused while reading or recording a trace: counted and shown with the verdict,
// never silent. The idea (named counters with a severity and a sentence for the user) is Perfetto's
// storage/stats.h.
#pragma once

#include <olab/trace/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace olab {

/// DataLoss makes the verdicts of the affected classes inconclusive; Error means the recording as a whole
/// cannot be judged.
enum class Severity : std::uint8_t { Notice, DataLoss, Error };
std::string_view severityName(Severity s); ///< "notice", "data_loss", "error"

/// Files hold these numbers: append, never reorder.
enum class DefectCode : std::uint16_t {
    EndBeforeStart, ///< refused: end < begin
    NoTimestamp,    ///< refused: begin = end = 0, CUPTI could not collect it (data loss)
    BadRecord,      ///< refused: an unknown class, an impossible number
    UnknownKind,    ///< refused: a CUPTI record kind the decoder does not know
    DroppedRecords, ///< CUPTI dropped records for lack of buffers
    BufferCap,      ///< records in buffers that were discarded by our own memory cap
    MissingOps,     ///< fewer activities recorded than ops issued
    ExtraOps,       ///< more activities recorded than ops issued
    // 8 was never written to a file
    GateOpenedEarly = 9, ///< notice: an issuing call blocked, so the gate opened before all was queued
    ClockStep,           ///< CLOCK_REALTIME stepped against CLOCK_MONOTONIC during the run
    StartsBeforeIssue,   ///< a device record starts before its API call began: clock error
    TruncatedFile,       ///< the file ends inside a chunk
    DamagedChunk,        ///< a chunk whose checksum is wrong was skipped
    UnknownChunk,        ///< notice: a chunk type this version does not know was skipped
    BadChunk,            ///< a chunk with a correct checksum but invalid content
    UnresolvedOp,        ///< an activity whose correlation id no planned op claimed
    BoundExceeded,       ///< measured time is shorter than the computed bound by more than 2 %
    DataMismatch,        ///< the data read back after the run is wrong
    ToolEffect,          ///< tracing slowed the window by more than 10 %
    // 20 was never written to a file
    ChunkOrder = 21, ///< chunks of a file are missing, repeated or in the wrong place
    TextCut,         ///< notice: a text over a limit of limits.h was cut
    OpenRange,       ///< notice: an NVTX range with only its begin or its end recorded
    OldFormat,       ///< notice: a file of version 1, which cannot show whether it is complete
    UnknownClock,    ///< times of a clock that was never related to wall time
    OpenEnd,         ///< notice: the file was still being written when it was read
    GraphsAsOne,     ///< whole launches of CUDA graphs were recorded, not the work inside them
    ClocksDisagree,  ///< notice: merged recordings whose clocks disagree, aligned by their collectives
    NotAligned,      ///< notice: a merged recording that nothing aligns with the others
    TextEncoding,    ///< notice: bytes in texts that are not UTF-8
    LateEnd,         ///< copies that end after the next work of their stream began
    RecorderLoss,    ///< the recorder says that it may have missed events: its words are the detail
    RecorderWarning, ///< notice: anything else that it warns of
    Count_
};

struct DefectRow {
    DefectCode code;
    std::string_view id; ///< stable, in reports: "end-before-start"
    Severity severity;
    std::string_view text; ///< one sentence: what happened and what to do
};
/// The table, in the order of DefectCode.
std::span<const DefectRow> defectTable();
bool isDefectCode(DefectCode code);          ///< files may contain other codes
const DefectRow& defectRow(DefectCode code); ///< for unknown codes: that of BadRecord

struct Defect {
    DefectCode code{};
    std::uint64_t count = 0;
    ClassMask classes = kAllClasses; ///< the affected classes
    std::string detail;              ///< addition to the table's sentence ("at op 17"); may be empty
    Severity severity() const { return defectRow(code).severity; }
    std::string text() const; ///< the table's sentence and the detail
    friend bool operator==(const Defect&, const Defect&) = default;
};

} // namespace olab
