#include "device_model_json.h"

#include <olab/sim/device_model.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/trace/limits.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <variant>

namespace olab::sim {
namespace {

using Json = nlohmann::ordered_json; // keeps the key order of a check's conditions
using Member =
    std::variant<std::int64_t DeviceModel::*, std::uint32_t DeviceModel::*, std::uint64_t DeviceModel::*>;

constexpr std::string_view kFormat = "olab-device-model";
constexpr std::string_view kFilePrefix = "file:";
constexpr std::int64_t kMostRate = 1'000'000'000'000; ///< 1 EB/s
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr Ns kMostLatency = 10'000'000'000;
constexpr std::int64_t kMostCount = 1'000'000;
constexpr std::int64_t kMostLevels = 1'000; // each is a queue; devices have at most 6
/// A model is 10 KiB. Looking up a key is a linear search, so absurd sizes are refused first.
constexpr JsonLimits kModelLimits{.bytes = 128 * 1024};

struct Field {
    std::string_view key;
    Member member;
    std::int64_t min = 0, max = 0;
    int since = 1; ///< version of the format; older files lack the field and get the default
};

constexpr Field count(std::string_view key, std::uint32_t DeviceModel::*member, std::int64_t min = 1) {
    return {key, member, min, kMostCount};
}
constexpr Field rate(std::string_view key, std::int64_t DeviceModel::*member) {
    return {key, member, 1, kMostRate};
}
constexpr Field latency(std::string_view key, Ns DeviceModel::*member) {
    return {key, member, 0, kMostLatency};
}

constexpr Field flag(std::string_view key, std::uint32_t DeviceModel::*member) {
    return {key, member, 0, 1};
}
constexpr Field later(Field field) {
    field.since = 2;
    return field;
}

constexpr Field newest(Field field) {
    field.since = 3;
    return field;
}

using M = DeviceModel;
constexpr auto kFields = std::to_array<Field>({
    count("sm_count", &M::smCount),
    count("max_threads_per_sm", &M::maxThreadsPerSm),
    count("max_blocks_per_sm", &M::maxBlocksPerSm),
    count("copy_engines", &M::copyEngines, 0),
    count("registers_per_sm", &M::registersPerSm),
    count("compute_major", &M::computeMajor, 0),
    count("compute_minor", &M::computeMinor, 0),
    {"shared_bytes_per_sm", &M::sharedPerSm, 0, kMostBytes},
    {"memory_bytes", &M::memoryBytes, 1, kMostBytes},
    rate("h2d_pinned_bytes_per_us", &M::h2dPinnedRate),
    rate("d2h_pinned_bytes_per_us", &M::d2hPinnedRate),
    rate("h2d_both_bytes_per_us", &M::h2dBothRate),
    rate("d2h_both_bytes_per_us", &M::d2hBothRate),
    rate("h2d_pageable_bytes_per_us", &M::h2dPageableRate),
    rate("d2h_pageable_bytes_per_us", &M::d2hPageableRate),
    rate("device_memory_bytes_per_us", &M::deviceMemoryRate),
    count("blocks_to_saturate_memory", &M::blocksToSaturateMemory),
    rate("memset_bytes_per_us", &M::memsetRate),
    latency("copy_latency_ns", &M::copyLatency),
    latency("memset_floor_ns", &M::memsetFloor),
    latency("null_kernel_ns", &M::nullKernel),
    count("memset_room", &M::memsetRoom),
    latency("memset_starved_floor_ns", &M::memsetStarvedFloor),
    rate("memset_starved_bytes_per_us", &M::memsetStarvedRate),
    {"pageable_inline_bytes", &M::pageableInlineBytes, 0, kMostBytes},
    {"pageable_chunk_bytes", &M::pageableChunk, 0, kMostBytes},
    latency("pageable_setup_ns", &M::pageableSetup),
    latency("pageable_return_ns", &M::pageableReturn),
    latency("issue_kernel_ns", &M::issueKernel),
    latency("issue_copy_ns", &M::issueCopy),
    latency("issue_memset_ns", &M::issueMemset),
    latency("issue_host_fn_ns", &M::issueHostFn),
    latency("issue_event_ns", &M::issueEvent),
    latency("issue_sync_ns", &M::issueSync),
    latency("host_gap_ns", &M::hostGap),
    latency("submit_latency_ns", &M::submitLatency),
    latency("hop_same_engine_ns", &M::hopSameEngine),
    latency("hop_other_engine_ns", &M::hopOtherEngine),
    latency("barrier_latency_ns", &M::barrierLatency),
    latency("gate_latency_ns", &M::gateLatency),
    latency("callback_in_ns", &M::callbackIn),
    latency("callback_out_ns", &M::callbackOut),
    latency("callback_work_ns", &M::callbackWork),
    latency("sync_wake_ns", &M::syncWake),
    count("channels", &M::channels),
    count("queue_depth", &M::queueDepth),
    {"latency_jitter_permille", &M::latencyJitter, 0, 1000},
    {"duration_jitter_permille", &M::durationJitter, 0, 1000},
    later(rate("d2d_bytes_per_us", &M::d2dRate)),
    later(rate("p2p_bytes_per_us", &M::p2pRate)),
    later(rate("host_memory_bytes_per_us", &M::hostMemoryRate)),
    later(rate("managed_bytes_per_us", &M::managedRate)),
    later(flag("d2d_on_sms", &M::d2dOnSms)),
    later(flag("in_order_queues", &M::inOrderQueues)),
    later(flag("delayed_signals", &M::delayedSignals)),
    later({"priority_levels", &M::priorityLevels, 1, kMostLevels}),
    later(latency("event_latency_ns", &M::eventLatency)),
    later(latency("graph_node_ns", &M::graphNode)),
    later(latency("graph_launch_ns", &M::graphLaunch)),
    later(latency("graph_launch_per_node_ns", &M::graphLaunchPerNode)),
    later(latency("dispatch_wake_ns", &M::dispatchWake)),
    later(latency("poll_interval_ns", &M::pollInterval)),
    later(latency("blocking_wake_ns", &M::blockingWake)),
    later(latency("driver_call_ns", &M::driverCall)),
    later(latency("call_malloc_ns", &M::callMalloc)),
    later(latency("call_free_ns", &M::callFree)),
    later(latency("call_malloc_host_ns", &M::callMallocHost)),
    later(latency("call_free_host_ns", &M::callFreeHost)),
    later(latency("call_host_register_ns", &M::callHostRegister)),
    later(latency("call_malloc_async_ns", &M::callMallocAsync)),
    later(latency("call_query_ns", &M::callQuery)),
    later(latency("call_get_last_error_ns", &M::callGetLastError)),
    later(flag("malloc_waits", &M::mallocWaits)),
    later(flag("free_waits", &M::freeWaits)),
    later(flag("malloc_host_waits", &M::mallocHostWaits)),
    later(flag("free_host_waits", &M::freeHostWaits)),
    later(flag("host_register_waits", &M::hostRegisterWaits)),
    later(latency("lazy_load_ns", &M::lazyLoad)),
    later(count("wddm_batch_ops", &M::wddmBatchOps)),
    later(latency("wddm_batch_age_ns", &M::wddmBatchAge)),
    later(latency("wddm_submit_ns", &M::wddmSubmit)),
    newest(count("copy_channels", &M::copyChannels)),
    newest(count("threads_to_saturate_sm", &M::threadsToSaturateSm, 0)),
    newest({"host_cache_bytes", &M::hostCacheBytes, 0, kMostBytes}),
    newest(rate("h2d_cached_bytes_per_us", &M::h2dCachedRate)),
    newest(rate("d2h_cached_bytes_per_us", &M::d2hCachedRate)),
    newest(latency("stream_switch_ns", &M::streamSwitch)),
    newest(latency("issue_small_memset_ns", &M::issueSmallMemset)),
});

std::int64_t valueOf(const DeviceModel& model, const Field& field) {
    return std::visit([&](auto member) { return static_cast<std::int64_t>(model.*member); }, field.member);
}

void setValue(DeviceModel& model, const Field& field, std::int64_t value) {
    std::visit(
        [&](auto member) {
            model.*member = static_cast<std::remove_reference_t<decltype(model.*member)>>(value);
        },
        field.member);
}

[[noreturn]] void throwBadModel(std::string_view where, const std::string& what) {
    throw Error(ErrorKind::Usage, "bad-model",
                "The device model " + std::string(where) + " cannot be used: " + what,
                "Make one with 'olab calibrate -o FILE' on the device it shall stand for.");
}

/// Reads one object; every problem names the field.
class ModelReader {
public:
    ModelReader(const Json& object, std::string_view where)
        : m_object(object)
        , m_where(where) {}

    DeviceModel read() {
        checkHead();
        DeviceModel model;
        model.name = name();
        for (const Field& field : kFields)
            if (field.since <= m_version || m_object.contains(std::string(field.key)))
                setValue(model, field, number(field.key, field.min, field.max));
        model.checked = checked();
        checkKeys();
        return model;
    }

private:
    void checkHead() {
        if (!m_object.is_object() || !m_object.contains("format") || m_object["format"] != kFormat)
            throwBadModel(m_where, "it is no device model.");
        m_version = number("version", 1, std::numeric_limits<std::int64_t>::max());
        if (m_version > kDeviceModelVersion)
            throwBadModel(m_where, "it was written by a newer Overlap Lab.");
    }

    const Json& at(std::string_view key) const {
        const auto found = m_object.find(std::string(key));
        if (found == m_object.end())
            throwBadModel(m_where, "the field " + std::string(key) + " is missing.");
        return *found;
    }

    std::string name() const {
        const Json& value = at("name");
        if (!value.is_string() || value.get<std::string>().empty())
            throwBadModel(m_where, "name must be a text.");
        return value.get<std::string>();
    }

    /// Missing: written before models said how they were checked.
    std::optional<ModelCheck> checked() const {
        const auto found = m_object.find("checked");
        if (found == m_object.end() || found->is_null())
            return std::nullopt;
        try {
            return sim::checkFromJson(*found);
        } catch (const Json::exception&) {
            throwBadModel(m_where, "what its field checked says cannot be read.");
        } catch (const Error& e) {
            throwBadModel(m_where, std::string("what its field checked says cannot be read: ") + e.what());
        }
    }

    std::int64_t number(std::string_view key, std::int64_t min, std::int64_t max) const {
        const auto value = wholeNumber(at(key), min, max);
        if (!value)
            throwBadModel(m_where, std::string(key) + " must be a whole number from " + std::to_string(min) +
                                       " to " + std::to_string(max) + ".");
        return *value;
    }

    void checkKeys() const {
        for (const auto& item : m_object.items()) {
            const std::string& key = item.key();
            const bool known = key == "format" || key == "version" || key == "name" || key == "checked" ||
                               std::any_of(kFields.begin(), kFields.end(),
                                           [&](const Field& field) { return field.key == key; });
            if (!known)
                throwBadModel(m_where, "it has a field '" + key.substr(0, 60) + "' that is not known.");
        }
    }

    const Json& m_object;
    std::string_view m_where;
    std::int64_t m_version = 0;
};

DeviceModel modelFromFile(const std::string& path) {
    try {
        return deviceModelFromJson(readTextFile(path), path);
    } catch (const Error& error) {
        if (error.code() != "cannot-read")
            throw;
        throw Error(error.kind(), error.code(), error.what(),
                    "Check the path after sim.device=file: and that you may read it.");
    }
}

} // namespace

std::string deviceModelToJson(const DeviceModel& model) {
    Json object{{"format", kFormat}, {"version", kDeviceModelVersion}, {"name", model.name}};
    for (const Field& field : kFields)
        object[std::string(field.key)] = valueOf(model, field);
    object["checked"] = model.checked ? sim::checkToJson(*model.checked) : Json();
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

DeviceModel deviceModelFromJson(std::string_view json, std::string_view where) {
    std::string why;
    const auto object = parsedJson<Json>(json, why, kModelLimits);
    if (!object)
        throwBadModel(where, "it is not JSON that can be read: " + why + ".");
    return ModelReader(*object, where).read();
}

namespace {

std::string builtInNames() {
    std::string names;
    for (const sim::BuiltInModel& model : sim::builtInModels())
        names += std::string(model.name) + ", ";
    return names;
}

} // namespace

DeviceModel deviceModelNamed(std::string_view simDevice) {
    for (const sim::BuiltInModel& model : sim::builtInModels())
        if (simDevice == model.name)
            return deviceModelFromJson(model.text, model.name);
    if (simDevice.starts_with(kFilePrefix))
        return modelFromFile(std::string(simDevice.substr(kFilePrefix.size())));
    throw Error(ErrorKind::Usage, "bad-model", "There is no device model '" + std::string(simDevice) + "'.",
                "Give " + builtInNames() + "or file:PATH of a model that 'olab calibrate' wrote.");
}

std::vector<DeviceModelField> fieldsOf(const DeviceModel& model) {
    std::vector<DeviceModelField> out;
    for (const Field& field : kFields)
        out.push_back({field.key, valueOf(model, field)});
    return out;
}

} // namespace olab::sim
