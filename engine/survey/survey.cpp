#include <olab/survey/survey.h>

#include "memory_gate.h"

#include <olab/analysis/report.h>
#include <olab/comparison/comparison.h>
#include <olab/comparison/same_work.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/held_experiment.h>
#include <olab/recording/recording.h>
#include <olab/trace/side_by_side.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <numeric>
#include <string>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace olab::survey {
namespace {

// Columns that summarise what a report has in several places.

using analysis::Verdict;
using analysis::VerdictKind;
using Json = nlohmann::ordered_json;

/// The worst first; pairs that were not judged do not count.
int badness(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::Serialized:
        return 0;
    case VerdictKind::Partial:
        return 1;
    case VerdictKind::Stretched:
        return 2;
    case VerdictKind::Apart:
        return 3;
    case VerdictKind::Overlapped:
        return 4;
    case VerdictKind::Inconclusive:
        return 5;
    case VerdictKind::NotApplicable:
        break;
    }
    return 6;
}

/// Null: none.
const Verdict* worstOf(const analysis::Report& report) {
    std::vector<const Verdict*> all = comparison::allVerdicts(report);
    std::erase_if(all, [](const Verdict* v) { return v->minor() || v->kind == VerdictKind::NotApplicable; });
    const auto worst = std::ranges::min_element(
        all, {}, [](const Verdict* v) { return std::pair(badness(v->kind), v->ofAttainable); });
    return worst == all.end() ? nullptr : *worst;
}

Json lostJson(const analysis::Bounds& bounds) {
    return bounds.measured && bounds.ideal ? Json(*bounds.measured - *bounds.ideal) : Json();
}

Json hiddenJson(const analysis::Report& report) {
    Ns copies = 0, beside = 0;
    bool anyKernel = false;
    for (const analysis::DeviceReport& device : report.devices) {
        copies += device.derived.copyBusy;
        beside += device.derived.kernelAndCopy;
        const auto kernels = device.classes.find(ActivityClass::Kernel);
        anyKernel = anyKernel || (kernels != device.classes.end() && kernels->second.count > 0);
    }
    return copies > 0 && anyKernel ? Json(static_cast<double>(beside) / static_cast<double>(copies)) : Json();
}

/// {"lost_ns": measured - ideal, "verdict", "pair" and "of_attainable" of the worst pair that is not small,
/// "hidden_share" (of the time of copies, how much ran beside kernels), "defects": how many kinds}. What is
/// not known is null.
std::string headNumbersJson(const analysis::Report& report) {
    Json json{{"lost_ns", lostJson(report.bounds)},
              {"verdict", nullptr},
              {"pair", nullptr},
              {"of_attainable", nullptr},
              {"hidden_share", hiddenJson(report)},
              {"defects", report.defects.size()}};
    if (const Verdict* const worst = worstOf(report)) {
        json["verdict"] = analysis::verdictName(worst->kind);
        json["pair"] = std::string(classLabel(worst->a)) + " and " + std::string(classLabel(worst->b));
        if (worst->known && worst->kind != VerdictKind::Inconclusive)
            json["of_attainable"] = worst->ofAttainable;
    }
    return json.dump();
}

// What ran, and where: decides which recordings belong together.

/// Options that do not change what runs.
constexpr std::array<std::string_view, 4> kOfRecording{"warmup", "repeat", "trace", "seed"};

std::string experimentText(const experiment::Experiment& experiment) {
    const experiment::HeldExperiment usual;
    std::string text;
    for (const comparison::OptionDifference& option : comparison::optionDifferences(*usual, experiment))
        if (std::ranges::find(kOfRecording, option.key) == kOfRecording.end())
            text += (text.empty() ? "" : " ") + std::string(option.key) + "=" + option.after;
    if (experiment.work)
        text = "recorded work" + (text.empty() ? text : " " + text);
    return text.empty() ? "defaults" : text;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// "train_rank*.json" of "train_rank12.json".
std::string nameWithoutNumbers(const std::string& name) {
    std::string text;
    for (const char c : name)
        if (!isDigit(c))
            text += c;
        else if (text.empty() || text.back() != '*')
            text += '*';
    return text;
}

std::string factOf(const Trace& trace, std::string_view key) {
    const auto& facts = trace.environment();
    const auto at =
        std::ranges::find(facts, key, [](const auto& fact) { return std::string_view(fact.first); });
    return at == facts.end() ? std::string() : at->second;
}

/// For lab runs the options that differ from the defaults, without those that only say how often and how it
/// was recorded; for traced programs their command; for other files the name, with numbers replaced by *.
std::string programOf(const recording::Recording& recording) {
    if (recording.experiment)
        return experimentText(*recording.experiment);
    const std::string command = factOf(recording.trace, "program.command");
    return command.empty() ? nameWithoutNumbers(recording.file.filename().string()) : command;
}

/// "NVIDIA H200 (GPU-b09213ec)".
std::string machineOf(const recording::Recording& recording) {
    const auto devices = recording.trace.devices();
    std::string text = devices.empty() ? std::string() : devices.front().name;
    if (devices.size() > 1)
        text = std::to_string(devices.size()) + " x " + text;
    const std::string uuid = factOf(recording.trace, "device_uuid");
    const std::size_t end = uuid.find('-', 4); // "GPU-b09213ec-424b-..."
    if (uuid.starts_with("GPU-") && end != uuid.npos)
        text += " (" + uuid.substr(0, end) + ")";
    return text;
}

std::string sourceName(const Trace& trace) {
    const SourceKind source = trace.provenance().source;
    return io::originKnown(trace) ? std::string(sourceKindName(source)) : "unknown";
}

/// A cause that costs nothing is not a first cause.
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
    const std::string itself = file.string() + ": "; // the row contains the file name already
    row.problem = problem.starts_with(itself) ? problem.substr(itself.size()) : std::move(problem);
    return row;
}

/// A row for any file. @throws Error only when cancelled
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

/// Returns the memory of a large file to the system, because another thread reads the next one.
void giveBackToSystem([[maybe_unused]] std::uint64_t taken) {
#if defined(__GLIBC__)
    if (taken >= kLarge)
        ::malloc_trim(0);
#endif
}

/// The workers share the files: each takes the next one, usually the largest first, so that no large one is
/// left for the end.
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

    /// `reports`: reports progress, on the calling thread.
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
    std::vector<std::uint64_t> m_memory; ///< estimate per file
    std::vector<std::size_t> m_order;
    std::atomic<std::size_t> m_next{0}, m_done{0};
    std::atomic<bool> m_failed{false};
    std::exception_ptr m_failure;
};

/// Reports all of them, before long files are read.
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
