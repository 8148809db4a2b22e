#include <olab/survey/survey.h>

#include "head_numbers.h"
#include "memory_gate.h"
#include "ran_program.h"

#include <olab/comparison/same_work.h>
#include <olab/recording/recording.h>
#include <olab/trace/helper_thread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <thread>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace olab::survey {
namespace {

std::string sourceName(const Trace& trace) {
    const SourceKind source = trace.provenance().source;
    return io::originKnown(trace) ? std::string(sourceKindName(source)) : "unknown";
}

/// What costs nothing is no first cause.
bool costsNothing(const analysis::Report& report, const Column& column) {
    return column.pointer.starts_with("/ledger/causes/0/") && report.ledger &&
           !report.ledger->entries.empty() && report.ledger->entries.front().cost <= 0;
}

Row judged(const std::filesystem::path& file, const SurveyPlan& plan, const RunControl& control) {
    const auto recording =
        recording::makeRecording(io::readRecording(file, control), file.filename().string(), false, control);
    recording->file = file;
    if (recording->facts->deviceWork().size() <= plan.accountUpTo)
        recording::addAccount(*recording, control);
    Row row;
    row.file = file;
    row.loss = comparison::lossReason(recording->report);
    row.program = programOf(*recording);
    row.machine = machineOf(*recording);
    row.source = sourceName(recording->trace);
    row.recordedAt = recording->trace.provenance().recordedAt;
    if (const auto& ledger = recording->report.ledger)
        row.headline = ledger->headline;
    io::ReportDocument document = documentOf(*recording, file);
    document.add("survey", headNumbersJson(recording->report));
    for (const Column& column : plan.columns)
        row.values.push_back(costsNothing(recording->report, column) ? io::ReportValue{}
                                                                     : document.at(column.pointer));
    if (plan.reported)
        plan.reported(row, document);
    return row;
}

Row unreadable(const std::filesystem::path& file, std::string problem) {
    Row row;
    row.file = file;
    const std::string itself = file.string() + ": "; // which the row says already
    row.problem = problem.starts_with(itself) ? problem.substr(itself.size()) : std::move(problem);
    return row;
}

/// A row of any file, whatever it is. @throws Error only when cancelled
Row rowOf(const std::filesystem::path& file, const SurveyPlan& plan, const RunControl& control) try {
    return judged(file, plan, control);
} catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled)
        throw;
    return unreadable(file, error.what());
} catch (const std::bad_alloc&) {
    return unreadable(file, "There is not enough memory to read it.");
} catch (const std::exception& error) {
    return unreadable(file, std::string("A fault of this program: ") + error.what());
}

constexpr std::uint64_t kLarge = std::uint64_t{64} << 20;

/// What a large file took goes back to the system: the next one is read by another thread.
void giveBackToSystem([[maybe_unused]] std::uint64_t taken) {
#if defined(__GLIBC__)
    if (taken >= kLarge)
        ::malloc_trim(0);
#endif
}

/// The workers share the files: each takes the next one, usually the largest first, so that none is left for
/// the end.
class Workers {
public:
    Workers(const SurveyPlan& plan, const RunControl& control)
        : m_plan(plan)
        , m_control(control)
        , m_gate(plan.memory)
        , m_rows(plan.judged ? 0 : plan.files.size())
        , m_order(plan.files.size()) {
        for (const std::filesystem::path& file : plan.files)
            m_memory.push_back(memoryFor(file));
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        const auto memory = [this](std::size_t i) { return m_memory[i]; };
        plan.smallestFirst ? std::ranges::stable_sort(m_order, std::less<>(), memory)
                           : std::ranges::stable_sort(m_order, std::greater<>(), memory);
    }

    std::vector<Row> run() {
        {
            std::vector<std::jthread> helpers;
            for (unsigned i = 1; i < count(); ++i)
                if (std::jthread helper = tryStart([this] { work(false); }); helper.joinable())
                    helpers.push_back(std::move(helper));
            work(true);
        } // joined
        if (m_failure)
            std::rethrow_exception(m_failure);
        return std::move(m_rows);
    }

private:
    unsigned count() const {
        const unsigned all = m_plan.workers > 0 ? m_plan.workers : std::thread::hardware_concurrency();
        return static_cast<unsigned>(
            std::clamp<std::size_t>(all, 1, std::max<std::size_t>(1, m_order.size())));
    }

    /// `reports`: on the calling thread, whose progress it is.
    void work(bool reports) {
        RunControl quiet;
        quiet.stop = m_control.stop;
        for (std::size_t next = m_next++; next < m_order.size() && !m_failed; next = m_next++) {
            if (reports)
                m_control.report(static_cast<double>(m_done) / static_cast<double>(m_order.size()),
                                 std::to_string(m_done) + " of " + std::to_string(m_order.size()) + " files");
            one(m_order[next], quiet);
            ++m_done;
        }
    }

    void one(std::size_t file, const RunControl& control) try {
        control.throwIfCancelled();
        const TakenMemory taken(m_gate, m_memory[file]);
        Row row = rowOf(m_plan.files[file], m_plan, control);
        m_plan.judged ? m_plan.judged(file, std::move(row)) : void(m_rows[file] = std::move(row));
        giveBackToSystem(m_memory[file]);
    } catch (...) {
        if (!m_failed.exchange(true))
            m_failure = std::current_exception();
    }

    const SurveyPlan& m_plan;
    const RunControl& m_control;
    MemoryGate m_gate;
    std::vector<Row> m_rows;
    std::vector<std::uint64_t> m_memory; ///< that each file may take
    std::vector<std::size_t> m_order;
    std::atomic<std::size_t> m_next{0}, m_done{0};
    std::atomic<bool> m_failed{false};
    std::exception_ptr m_failure;
};

/// All at once, before long files are read.
void refuseWrongPointers(const std::vector<Column>& columns) {
    const io::ReportDocument empty;
    for (const Column& column : columns)
        empty.at(column.pointer);
}

} // namespace

std::vector<Column> usualColumns() {
    return {{"time", "/bounds/measured_ns"},
            {"ideal", "/bounds/ideal_ns"},
            {"efficiency", "/bounds/efficiency"},
            {"cause", "/ledger/causes/0/id"},
            {"cost", "/ledger/causes/0/cost_ns"}};
}

std::optional<long double> Row::number(std::size_t column) const {
    if (column >= values.size() || values[column].is != io::ReportValue::Is::Number)
        return std::nullopt;
    return values[column].number;
}

std::vector<Column> namedColumns() {
    std::vector<Column> columns = usualColumns();
    columns.insert(columns.end(), {{"lost", "/survey/lost_ns"},
                                   {"verdict", "/survey/verdict"},
                                   {"pair", "/survey/pair"},
                                   {"overlap", "/survey/of_attainable"},
                                   {"hidden", "/survey/hidden_share"},
                                   {"defects", "/survey/defects"}});
    return columns;
}

std::vector<Row> survey(const SurveyPlan& plan, const RunControl& control) {
    refuseWrongPointers(plan.columns);
    return Workers(plan, control).run();
}

} // namespace olab::survey
