#include "run_samples.h"
#include "scaled.h"

#include <olab/trace/error.h>

#include <algorithm>
#include <cmath>

namespace olab::sim {
namespace {

constexpr std::int64_t kLarge = 1 << 20; ///< from this size on the rate dominates, not the latency
constexpr std::int64_t kSmall = 4 << 10; ///< up to this size the latency dominates
constexpr Ns kOutlier = 10;              ///< more than this many medians: caused by another process

Ns upperMedianOf(std::vector<Ns> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Values that add up along a chain of ops use the mean: a makespan contains their sum.
Ns meanOf(const std::vector<Ns>& values) {
    const Ns most = std::max<Ns>(upperMedianOf(values), 1) * kOutlier;
    Ns sum = 0, count = 0;
    for (const Ns value : values) {
        if (value > most)
            continue;
        sum += value;
        ++count;
    }
    return sum / std::max<Ns>(count, 1);
}

struct Rates {
    double alone = 0, both = 0; ///< bytes per ns; 0: not observed
    std::size_t samples = 0;
};

/// Least squares of bytes = alone * t_alone + both * t_both, each copy weighing the same. Rates are the only
/// numbers here that are not exact.
Rates ratesOf(const std::vector<CopySample>& copies, Ns latency) {
    double uu = 0, vv = 0, uv = 0, u1 = 0, v1 = 0;
    Rates rates;
    for (const CopySample& c : copies) {
        if (c.bytes < kLarge)
            continue;
        const auto bytes = static_cast<double>(c.bytes);
        const double u = static_cast<double>(std::max<Ns>(c.alone - latency, 0)) / bytes;
        const double v = static_cast<double>(c.both) / bytes;
        uu += u * u;
        vv += v * v;
        uv += u * v;
        u1 += u;
        v1 += v;
        ++rates.samples;
    }
    if (rates.samples == 0)
        return rates;
    const double det = uu * vv - uv * uv;
    if (vv < 0.01 * uu)
        rates.alone = u1 / uu;
    else if (uu < 0.01 * vv)
        rates.both = v1 / vv;
    else if (det > 1e-4 * uu * vv)
        rates = {(u1 * vv - v1 * uv) / det, (v1 * uu - u1 * uv) / det, rates.samples};
    return rates;
}

class Fit {
public:
    Fit(std::span<const CalibrationRun> runs, const DeviceModel& base)
        : m_model(base) {
        for (const CalibrationRun& run : runs)
            m_samples.push_back(samplesOf(run));
        for (const DeviceModelField& field : fieldsOf(base))
            m_values.push_back({field.key, field.value, 0, "not measured here"});
    }

    FittedModel make(const DeviceRecord& device) {
        capacity(device);
        pinned(); // rates first: even a small copy needs a little time for its bytes
        floors();
        pinned();
        pageable();
        chains();
        host();
        const std::vector<DeviceModelField> fields = fieldsOf(m_model);
        for (std::size_t i = 0; i < fields.size(); ++i)
            m_values[i].value = fields[i].value;
        return {std::move(m_model), std::move(m_values)};
    }

private:
    template <typename T>
    std::vector<T> all(std::vector<T> RunSamples::*member) const {
        std::vector<T> out;
        for (const RunSamples& run : m_samples)
            out.insert(out.end(), (run.*member).begin(), (run.*member).end());
        return out;
    }

    /// Only from the runs with the fewest streams: with more streams a chain's latencies hide behind other
    /// work, with one they add up to the makespan.
    std::vector<Ns> ofChains(std::vector<Ns> RunSamples::*member) const {
        int fewest = 0;
        for (const RunSamples& run : m_samples)
            if (!(run.*member).empty() && (fewest == 0 || run.streams < fewest))
                fewest = run.streams;
        std::vector<Ns> out;
        for (const RunSamples& run : m_samples)
            if (run.streams == fewest)
                out.insert(out.end(), (run.*member).begin(), (run.*member).end());
        return out;
    }

    void note(std::string_view key, std::size_t samples, std::string_view source) {
        const auto found = std::find_if(m_values.begin(), m_values.end(),
                                        [&](const FittedValue& v) { return v.key == key; });
        if (found == m_values.end())
            throw Error(ErrorKind::Internal, "bad-field", "The model has no field " + std::string(key) + ".");
        found->samples = samples;
        found->source = source;
    }

    template <typename T>
    void set(T DeviceModel::*member, T value, std::string_view key, std::size_t samples,
             std::string_view source) {
        m_model.*member = value;
        note(key, samples, source);
    }

    void capacity(const DeviceRecord& d) {
        constexpr std::string_view kSource = "the device's properties";
        m_model.name = d.name;
        set(&DeviceModel::smCount, d.smCount, "sm_count", 1, kSource);
        set(&DeviceModel::maxThreadsPerSm, d.maxThreadsPerSm, "max_threads_per_sm", 1, kSource);
        set(&DeviceModel::maxBlocksPerSm, d.maxBlocksPerSm, "max_blocks_per_sm", 1, kSource);
        set(&DeviceModel::copyEngines, d.copyEngines, "copy_engines", 1, kSource);
        set(&DeviceModel::registersPerSm, d.registersPerSm, "registers_per_sm", 1, kSource);
        set(&DeviceModel::computeMajor, d.computeMajor, "compute_major", 1, kSource);
        set(&DeviceModel::computeMinor, d.computeMinor, "compute_minor", 1, kSource);
        set(&DeviceModel::sharedPerSm, d.sharedPerSm, "shared_bytes_per_sm", 1, kSource);
        set(&DeviceModel::memoryBytes, d.memoryBytes, "memory_bytes", 1, kSource);
    }

    void floors() {
        std::vector<Ns> small, memset;
        const auto takeSmall = [&](const std::vector<SoloSample>& solos, std::int64_t rate) {
            for (const SoloSample& solo : solos)
                if (solo.bytes <= kSmall)
                    small.push_back(std::max<Ns>(solo.duration - transferTime(solo.bytes, rate), 0));
        };
        takeSmall(all(&RunSamples::soloH2dPinned), m_model.h2dPinnedRate);
        takeSmall(all(&RunSamples::soloD2hPinned), m_model.d2hPinnedRate);
        latency(&DeviceModel::copyLatency, small, "copy_latency_ns", "pinned copies of up to 4 KiB, alone");
        for (const SoloSample& solo : all(&RunSamples::soloMemset))
            if (solo.bytes <= kSmall)
                memset.push_back(solo.duration);
        latency(&DeviceModel::memsetFloor, memset, "memset_floor_ns", "memsets of up to 4 KiB, alone");
        memsetRate();
        latency(&DeviceModel::nullKernel, all(&RunSamples::soloNullKernel), "null_kernel_ns",
                "an empty kernel, alone");
    }

    void memsetRate() {
        std::int64_t bytes = 0;
        Ns time = 0;
        std::size_t samples = 0;
        for (const SoloSample& solo : all(&RunSamples::soloMemset)) {
            if (solo.bytes < kLarge || solo.duration <= m_model.memsetFloor)
                continue;
            bytes += solo.bytes;
            time += solo.duration - m_model.memsetFloor;
            ++samples;
        }
        if (samples > 0)
            set(&DeviceModel::memsetRate,
                perMicrosecond(static_cast<double>(bytes) / static_cast<double>(time)), "memset_bytes_per_us",
                samples, "memsets from 1 MiB on, alone");
    }

    static std::int64_t perMicrosecond(double bytesPerNs) {
        return std::max<std::int64_t>(std::llround(bytesPerNs * 1000), 1);
    }

    void pinned() {
        direction(all(&RunSamples::h2dPinned), all(&RunSamples::soloH2dPinned), &DeviceModel::h2dPinnedRate,
                  &DeviceModel::h2dBothRate, "h2d_pinned_bytes_per_us", "h2d_both_bytes_per_us");
        direction(all(&RunSamples::d2hPinned), all(&RunSamples::soloD2hPinned), &DeviceModel::d2hPinnedRate,
                  &DeviceModel::d2hBothRate, "d2h_pinned_bytes_per_us", "d2h_both_bytes_per_us");
    }

    void direction(const std::vector<CopySample>& window, const std::vector<SoloSample>& solos,
                   std::int64_t DeviceModel::*alone, std::int64_t DeviceModel::*both,
                   std::string_view aloneKey, std::string_view bothKey) {
        const Rates found = ratesOf(window, m_model.copyLatency);
        std::vector<CopySample> quiet;
        for (const SoloSample& solo : solos)
            quiet.push_back({solo.bytes, solo.duration, 0});
        const Rates fromSolos = ratesOf(quiet, m_model.copyLatency);
        if (found.alone > 0)
            set(alone, perMicrosecond(found.alone), aloneKey, found.samples, "pinned copies in the window");
        else if (fromSolos.alone > 0)
            set(alone, perMicrosecond(fromSolos.alone), aloneKey, fromSolos.samples, "pinned copies alone");
        if (found.both > 0)
            set(both, perMicrosecond(found.both), bothKey, found.samples,
                "pinned copies in the window, while the other direction copied");
        m_model.*both = std::min(m_model.*both, m_model.*alone);
    }

    void pageable() {
        pageableRates(&RunSamples::h2dPageable, &DeviceModel::h2dCachedRate, "h2d_cached_bytes_per_us",
                      &DeviceModel::h2dPageableRate, "h2d_pageable_bytes_per_us");
        pageableRates(&RunSamples::d2hPageable, &DeviceModel::d2hCachedRate, "d2h_cached_bytes_per_us",
                      &DeviceModel::d2hPageableRate, "d2h_pageable_bytes_per_us");
        latency(&DeviceModel::pageableReturn, all(&RunSamples::pageableReturn), "pageable_return_ns",
                "end of a pageable D2H copy to the return of its call");
        const std::vector<Ns> lead = all(&RunSamples::pageableLead);
        if (!lead.empty())
            set(&DeviceModel::pageableChunk, meanOf(lead) * m_model.h2dPinnedRate / 1000,
                "pageable_chunk_bytes", lead.size(), "return of a pageable H2D call to the end of its copy");
    }

    /// First what fits into the caches, then what does not, minus the part that is cached, too.
    void pageableRates(std::vector<CopySample> RunSamples::*member, std::int64_t DeviceModel::*cachedRate,
                       std::string_view cachedKey, std::int64_t DeviceModel::*rate, std::string_view key) {
        std::vector<CopySample> near, far;
        for (const CopySample& c : all(member))
            (c.turn <= m_model.hostCacheBytes ? near : far).push_back({c.bytes, c.alone + c.both, 0, c.turn});
        pageableRate(near, cachedRate, cachedKey);
        for (CopySample& c : far) {
            const std::int64_t cached =
                scaled(c.bytes, m_model.hostCacheBytes, std::max<std::int64_t>(c.turn, 1));
            c.bytes -= cached;
            c.alone = std::max<Ns>(c.alone - transferTime(cached, m_model.*cachedRate), 0);
        }
        pageableRate(far, rate, key);
    }

    void pageableRate(const std::vector<CopySample>& copies, std::int64_t DeviceModel::*rate,
                      std::string_view key) {
        const Rates found = ratesOf(copies, m_model.copyLatency);
        if (found.alone > 0)
            set(rate, perMicrosecond(found.alone), key, found.samples, "pageable copies in the window");
    }

    void latency(Ns DeviceModel::*member, const std::vector<Ns>& values, std::string_view key,
                 std::string_view source) {
        if (!values.empty())
            set(member, meanOf(values), key, values.size(), source);
    }

    void cost(Ns DeviceModel::*member, std::vector<Ns> RunSamples::*samples, std::string_view key,
              std::string_view source) {
        const std::vector<Ns> values = all(samples);
        if (!values.empty())
            set(member, upperMedianOf(values), key, values.size(), source);
    }

    void chains() {
        latency(&DeviceModel::submitLatency, all(&RunSamples::submit), "submit_latency_ns",
                "end of a call to the start of its op on an idle device");
        latency(&DeviceModel::hopSameEngine, ofChains(&RunSamples::hopSame), "hop_same_engine_ns",
                "end of an op to the start of its successor on the same engine");
        latency(&DeviceModel::hopOtherEngine, ofChains(&RunSamples::hopOther), "hop_other_engine_ns",
                "end of an op to the start of its successor on another engine");
        latency(&DeviceModel::callbackIn, ofChains(&RunSamples::callbackIn), "callback_in_ns",
                "end of an op to the start of the host function behind it");
        latency(&DeviceModel::callbackOut, ofChains(&RunSamples::callbackOut), "callback_out_ns",
                "end of a host function to the start of the op behind it");
        latency(&DeviceModel::callbackWork, all(&RunSamples::callbackWork), "callback_work_ns",
                "duration of a host function");
        latency(&DeviceModel::gateLatency, all(&RunSamples::gate), "gate_latency_ns",
                "opening of the gate to the first start");
        latency(&DeviceModel::barrierLatency, all(&RunSamples::barrier), "barrier_latency_ns",
                "last end before a NULL-stream op to its start, and its end to the first start after it");
        std::vector<Ns> setup = all(&RunSamples::pageableSetup);
        for (Ns& value : setup)
            value = std::max<Ns>(value - m_model.submitLatency, 0);
        latency(&DeviceModel::pageableSetup, setup, "pageable_setup_ns",
                "start of a pageable H2D call to that of its copy, less the submit latency");
    }

    void host() {
        constexpr std::string_view kSource = "duration of the call";
        cost(&DeviceModel::issueKernel, &RunSamples::issueKernel, "issue_kernel_ns", kSource);
        cost(&DeviceModel::issueCopy, &RunSamples::issueCopy, "issue_copy_ns", kSource);
        cost(&DeviceModel::issueMemset, &RunSamples::issueMemset, "issue_memset_ns", kSource);
        cost(&DeviceModel::issueSmallMemset, &RunSamples::issueSmallMemset, "issue_small_memset_ns", kSource);
        cost(&DeviceModel::issueHostFn, &RunSamples::issueHostFn, "issue_host_fn_ns", kSource);
        cost(&DeviceModel::issueEvent, &RunSamples::issueEvent, "issue_event_ns", kSource);
        cost(&DeviceModel::hostGap, &RunSamples::hostGap, "host_gap_ns", "between two calls");
        latency(&DeviceModel::syncWake, all(&RunSamples::syncWake), "sync_wake_ns",
                "last end to the return of the wait for the device");
    }

    DeviceModel m_model;
    std::vector<RunSamples> m_samples;
    std::vector<FittedValue> m_values;
};

} // namespace

FittedModel fitModel(std::span<const CalibrationRun> runs, const DeviceModel& base) {
    const auto usable = std::find_if(runs.begin(), runs.end(), [](const CalibrationRun& run) {
        return !run.trace.devices().empty() && run.trace.deviceSpan().length() > 0;
    });
    if (usable == runs.end())
        throw Error(ErrorKind::Usage, "no-runs", "There is no recording of a device to calibrate from.",
                    "Give recordings that 'olab run' or 'olab calibrate --keep' wrote.");
    return Fit(runs, base).make(usable->trace.devices().front());
}

} // namespace olab::sim
