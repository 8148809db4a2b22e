#include "window/glossary.h"

#include "base/plain_text.h"
#include "window/help.h"

#include <olab/analysis/cause_table.h>
#include <olab/ui/texts.h>
#include <olab/ui/verdict_text.h>

#include <algorithm>

namespace olab::ui {

namespace {

struct Meaning {
    const char *word, *meaning;
};

constexpr Meaning kNumbers[] = {
    {QT_TR_NOOP("back-to-back time"),
     QT_TR_NOOP("How long the run would take with one operation after the other.")},
    {QT_TR_NOOP("communication hidden"),
     QT_TR_NOOP(
         "The share of the time of NCCL, RCCL and peer copies in which another kernel of the same GPU ran.")},
    {QT_TR_NOOP("copies hidden"), QT_TR_NOOP("The share of the time of copies in which a kernel ran.")},
    {QT_TR_NOOP("costs"), QT_TR_NOOP("What fixing a cause saves: by so much the run would become shorter.")},
    {QT_TR_NOOP("critical path"),
     QT_TR_NOOP("The chain of operations, each of which must wait for the one before, that takes longest.")},
    {QT_TR_NOOP("GPU idle"),
     QT_TR_NOOP(
         "The share of the time from the first work of a GPU to its last in which no engine was busy.")},
    {QT_TR_NOOP("ideal"), QT_TR_NOOP("How long the same work in the same streams on the same engines takes "
                                     "when no cause holds it back.")},
    {QT_TR_NOOP("run time"),
     QT_TR_NOOP(
         "The measured window of a run of the lab; else from the first call that led to work of the GPU "
         "to the end of the last work.")},
    {QT_TR_NOOP("solo duration"), QT_TR_NOOP("How long an operation takes when nothing else runs; where that "
                                             "was not measured, the shortest of its kind.")},
    {QT_TR_NOOP("tool effect"), QT_TR_NOOP("How much longer a run takes because it is recorded.")},
    {QT_TR_NOOP("unexplained"),
     QT_TR_NOOP("The difference between the run and its model; in traces of other tools also waits that no "
                "record explains.")},
    {QT_TR_NOOP("waited"),
     QT_TR_NOOP(
         "The sum over operations, at once or not: more than it costs where other work goes on meanwhile.")},
};

constexpr Meaning kTimeline[] = {
    {QT_TR_NOOP("communication"),
     QT_TR_NOOP(
         "A kernel of NCCL or RCCL: it moves data between GPUs and computes nothing for the program.")},
    {QT_TR_NOOP("D2D"), QT_TR_NOOP("A copy within the memory of one GPU.")},
    {QT_TR_NOOP("D2H"), QT_TR_NOOP("A copy from the GPU to the host.")},
    {QT_TR_NOOP("engine"),
     QT_TR_NOOP("A part of the GPU that works by itself: compute, or a copy engine for one direction.")},
    {QT_TR_NOOP("event"), QT_TR_NOOP("A mark in a stream that other streams, or the host, can wait for.")},
    {QT_TR_NOOP("gap"), QT_TR_NOOP("A time in which an engine was idle.")},
    {QT_TR_NOOP("H2D"), QT_TR_NOOP("A copy from the host to the GPU.")},
    {QT_TR_NOOP("host callback"),
     QT_TR_NOOP("A function of the host in a stream: what is behind it waits until it returns.")},
    {QT_TR_NOOP("ideal run"),
     QT_TR_NOOP("The same work without any of the causes, drawn thin below the bars (Shift+G).")},
    {QT_TR_NOOP("iteration"),
     QT_TR_NOOP("A part of the run that repeats; T in the minimap is a typical one, W the worst.")},
    {QT_TR_NOOP("kernel"), QT_TR_NOOP("A function that runs on the compute engine.")},
    {QT_TR_NOOP("memset"), QT_TR_NOOP("Fills memory of the GPU; it runs on the SMs, as kernels do.")},
    {QT_TR_NOOP("NULL stream"),
     QT_TR_NOOP("The default stream: work in it waits for all blocking streams, and they wait for it.")},
    {QT_TR_NOOP("P2P"), QT_TR_NOOP("A copy from one GPU to another.")},
    {QT_TR_NOOP("pageable"), QT_TR_NOOP("Ordinary host memory, which no copy engine can read or write.")},
    {QT_TR_NOOP("pinned"), QT_TR_NOOP("Page-locked host memory, which copy engines read and write.")},
    {QT_TR_NOOP("SM"), QT_TR_NOOP("A multiprocessor of the GPU: kernels and memsets run on them.")},
    {QT_TR_NOOP("stream"), QT_TR_NOOP("A queue of operations that start in their order.")},
    {QT_TR_NOOP("wait"),
     QT_TR_NOOP("The time from when an operation could have begun to when it began, drawn in the look of its "
                "cause (G).")},
};

constexpr Meaning kPages[] = {
    {QT_TR_NOOP("claim"),
     QT_TR_NOOP("A sentence of NVIDIA's documentation that a measurement confirms or refutes.")},
    {QT_TR_NOOP("experiment"), QT_TR_NOOP("The value of every option of a pipeline that the lab can run.")},
    {QT_TR_NOOP("imported"), QT_TR_NOOP("A recording of another tool.")},
    {QT_TR_NOOP("preset"), QT_TR_NOOP("A ready-made experiment.")},
    {QT_TR_NOOP("proof"),
     QT_TR_NOOP(
         "Interleaved pairs of runs with and without a change: what it really saves, with an interval.")},
    {QT_TR_NOOP("recorded"), QT_TR_NOOP("A run on a GPU, read from a file.")},
    {QT_TR_NOOP("simulated"), QT_TR_NOOP("A run of the simulator, not of a GPU.")},
    {QT_TR_NOOP("sweep"), QT_TR_NOOP("One run for each value of an option, or of two.")},
};

constexpr Meaning kVerdicts[] = {
    {QT_TR_NOOP("apart"),
     QT_TR_NOOP("They did not run at the same time, and an ideal run would not let them either.")},
    {QT_TR_NOOP("inconclusive"), QT_TR_NOOP("The recording does not allow a verdict, and says why.")},
    {QT_TR_NOOP("overlapped"), QT_TR_NOOP("They ran at the same time for most of what is possible.")},
    {QT_TR_NOOP("partial"), QT_TR_NOOP("They ran at the same time for a part of what is possible.")},
    {QT_TR_NOOP("SERIALIZED"),
     QT_TR_NOOP("One waited for the other although both could have run at the same time.")},
    {QT_TR_NOOP("stretched"),
     QT_TR_NOOP("They ran at the same time, and took so much longer by it that little is won.")},
};

void add(std::vector<Term>& terms, const QString& group, std::span<const Meaning> meanings) {
    for (const auto& [word, meaning] : meanings)
        terms.push_back({tr(word), tr(meaning), group});
}

/// Those that an account can have.
void addCauses(std::vector<Term>& terms) {
    const auto first = static_cast<std::ptrdiff_t>(terms.size());
    for (const analysis::CauseRow& row : analysis::causeTable())
        if (!row.because.empty())
            terms.push_back({fromText(row.label), sentence(row.because) + QLatin1Char('.'), tr("Causes")});
    std::sort(terms.begin() + first, terms.end(),
              [](const Term& a, const Term& b) { return a.word.compare(b.word, Qt::CaseInsensitive) < 0; });
}

} // namespace

std::vector<Term> glossary() {
    std::vector<Term> terms;
    add(terms, tr("Numbers"), kNumbers);
    addCauses(terms);
    add(terms, tr("Verdicts on two kinds of work"), kVerdicts);
    add(terms, tr("Timeline"), kTimeline);
    add(terms, tr("Runs and pages"), kPages);
    return terms;
}

void showGlossary(QWidget* parent) {
    std::vector<ReferenceRow> rows;
    QString group;
    for (const Term& term : glossary()) {
        rows.push_back({term.word, term.meaning, term.group == group ? QString() : term.group});
        group = term.group;
    }
    showReference(parent, {QStringLiteral("glossary"), tr("Glossary"), tr("Search the glossary"),
                           tr("Search: ideal, pinned, SERIALIZED"), std::move(rows)});
}

} // namespace olab::ui
