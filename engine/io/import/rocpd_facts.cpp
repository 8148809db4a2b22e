#include "rocpd_facts.h"

#include "cuda_kinds.h"
#include "rocpd_rows.h"
#include "sqlite_work.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace olab::io::imports {
namespace {

/// "HIP_RUNTIME_API_EXT", "HSA_CORE_API", "RCCL_API" and rocprof-sys' "rocm_hip_api" are calls. Markers
/// ("MARKER_CORE_RANGE_API") and whatever else rocprof-sys measures ("host", "mpi") are ranges.
RocpdCategory categoryOf(std::string_view name) {
    std::string upper;
    for (const char c : name)
        upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (upper.empty())
        return RocpdCategory::Unknown;
    const bool isCall = upper.find("_API") != upper.npos && upper.find("MARKER") == upper.npos;
    return isCall ? RocpdCategory::Call : RocpdCategory::Range;
}

/// Members of a JSON text that a profiler wrote; none where it is no object.
nlohmann::json membersOf(std::string_view text) {
    constexpr std::size_t kMostText = 1 << 20;
    if (text.size() > kMostText)
        return nlohmann::json::object();
    auto read = nlohmann::json::parse(text, nullptr, false);
    return read.is_object() ? read : nlohmann::json::object();
}

std::uint32_t numberIn(const nlohmann::json& members, const char* key) {
    const auto at = members.find(key);
    return at != members.end() && at->is_number_unsigned() ? numberOr(at->get<std::int64_t>(), 0) : 0;
}

} // namespace

RocpdFacts::RocpdFacts(SqliteDatabase& database, const std::string& end, RecordSink& records)
    : m_database(database)
    , m_end(end)
    , m_records(records)
    , m_texts(database, "rocpd_string" + end, "id", "string") {
    readAgents();
    readKernels();
    readEvents();
    readPlaces();
}

template <typename Take>
void RocpdFacts::eachRow(std::string_view table, std::span<const std::string_view> columns, ClassMask touches,
                         Take take) {
    const std::string name = std::string(table) + m_end;
    std::string trouble;
    if (const auto found = m_database.table(name, trouble)) {
        SqliteRows rows(m_database, *found, columns);
        while (rows.next())
            take(rows.cells());
        trouble = rows.damage();
        if (rows.tooLong() > 0)
            trouble +=
                (trouble.empty() ? "" : "; ") + std::string("a text that is longer than any trace has");
    } else if (trouble.empty())
        trouble = "the file does not have it";
    if (!trouble.empty())
        m_records.addDefect(DefectCode::DamagedChunk, 1, touches, name + ": " + trouble);
}

void RocpdFacts::readAgents() {
    constexpr std::string_view kColumns[] = {"id", "type", "type_index", "product_name", "name", "extdata"};
    eachRow("rocpd_info_agent", kColumns, kDeviceClasses, [&](const RowCells& cells) {
        const auto id = cells.integer(0);
        if (!id)
            return;
        RocpdAgent agent;
        agent.isGpu = cells.text(1) == "GPU";
        const auto place = cells.integer(2);
        agent.record.device = place ? numberOr(*place) : kNoNumber;
        agent.record.name = cells.text(cells.text(3).empty() ? 4 : 3);
        if (agent.isGpu) { // members of rocprofiler_agent_t
            const nlohmann::json members = membersOf(cells.text(5));
            agent.record.smCount = numberIn(members, "cu_count");
            agent.record.copyEngines = numberIn(members, "num_sdma_engines");
            agent.record.maxThreadsPerSm =
                numberIn(members, "max_waves_per_cu") * numberIn(members, "wave_front_size");
        }
        m_agents.try_emplace(*id, std::move(agent));
    });
}

void RocpdFacts::readKernels() {
    constexpr std::string_view kColumns[] = {"id", "display_name", "kernel_name", "arch_vgpr_count",
                                             "accum_vgpr_count"};
    eachRow("rocpd_info_kernel_symbol", kColumns, maskOf(ActivityClass::Kernel), [&](const RowCells& cells) {
        if (const auto id = cells.integer(0))
            m_kernels.try_emplace(*id,
                                  RocpdKernel{std::string(cells.text(cells.text(1).empty() ? 2 : 1)),
                                              numberOr(cells.number(3), 0) + numberOr(cells.number(4), 0)});
        cells.takeOdd();
    });
}

/// The correlation of rocprofiler-sdk, which device work has from its call, is `stack_id`; `correlation_id`
/// is the program's own.
void RocpdFacts::readEvents() {
    constexpr std::string_view kColumns[] = {"id", "stack_id", "category_id", "extdata"};
    std::map<std::int64_t, RocpdCategory> categories;
    eachRow("rocpd_event", kColumns, kDeviceClasses | kRocpdHost, [&](const RowCells& cells) {
        const auto id = cells.integer(0);
        if (!id)
            return;
        RocpdEvent event{*id, numberOr(cells.integer(1).value_or(0), 0), {}};
        if (const auto category = cells.integer(2)) {
            const auto [at, isNew] = categories.try_emplace(*category);
            if (isNew)
                at->second = categoryOf(m_texts.of(*category, ActivityClass::Nvtx));
            event.category = at->second;
        }
        if (event.category == RocpdCategory::Range && cells.text(3).size() > 2) { // not "{}"
            const nlohmann::json members = membersOf(cells.text(3));
            if (const auto said = members.find("message"); said != members.end() && said->is_string())
                m_messages.try_emplace(*id, said->get<std::string>());
        }
        m_events.push_back(event);
    });
    if (!std::ranges::is_sorted(m_events, {}, &RocpdEvent::id))
        std::ranges::stable_sort(m_events, {}, &RocpdEvent::id);
}

void RocpdFacts::readPlaces() {
    constexpr std::string_view kThread[] = {"id", "tid"}, kProcess[] = {"id", "pid", "command"},
                               kTrack[] = {"id", "pid", "tid"}, kStream[] = {"id", "name"};
    eachRow("rocpd_info_thread", kThread, kRocpdHost, [&](const RowCells& cells) {
        if (const auto id = cells.integer(0), thread = cells.integer(1); id && thread)
            m_threads.try_emplace(*id, numberOr(*thread));
    });
    eachRow("rocpd_info_process", kProcess, kRocpdHost, [&](const RowCells& cells) {
        const std::string_view command = cells.text(2).substr(0, cells.text(2).find(' '));
        if (const auto id = cells.integer(0), pid = cells.integer(1); id && pid)
            m_processes.try_emplace(*id, numberOr(*pid), command.substr(command.rfind('/') + 1));
    });
    eachRow("rocpd_track", kTrack, maskOf(ActivityClass::Nvtx), [&](const RowCells& cells) {
        const auto thread = cells.integer(2);
        if (const auto id = cells.integer(0), process = cells.integer(1); id && process)
            m_tracks.try_emplace(*id, *process, thread ? numberOr(*thread) : kNoNumber);
    });
    // Written by rocprofv3: streams without a handle have number 0 and this name.
    eachRow("rocpd_info_stream", kStream, kDeviceClasses, [&](const RowCells& cells) {
        if (const auto id = cells.integer(0); id && cells.text(1) == "Default Stream")
            m_nullStream = *id;
    });
}

const RocpdEvent* RocpdFacts::event(std::int64_t id) const {
    const auto at = std::ranges::lower_bound(m_events, id, {}, &RocpdEvent::id);
    return at != m_events.end() && at->id == id ? &*at : nullptr;
}

std::uint32_t RocpdFacts::thread(std::uint32_t id) const {
    const std::uint32_t* known = find(m_threads, std::int64_t{id});
    return known ? *known : id;
}

std::uint32_t RocpdFacts::pid(std::int64_t process) const {
    const auto* known = find(m_processes, process);
    return known ? known->first : numberOr(process);
}

std::string_view RocpdFacts::program(std::int64_t process) const {
    const auto* known = find(m_processes, process);
    return known ? std::string_view(known->second) : std::string_view();
}

} // namespace olab::io::imports
