#include "probe_tools.h"

#include <olab/experiment/backend.h>
#include <olab/kernels/helper_kernels.h>
#include <olab/kernels/small_kernels.h>

#include <charconv>

namespace olab::cuda::probes {
namespace {

/// The same digits in every locale.
std::string digits(double value) {
    char text[64];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return error == std::errc() ? std::string(text, end) : "0";
}

} // namespace

void Numbers::addRatio(const std::string& name, const std::string& top, const std::string& bottom) {
    if (const double below = m_added.at(bottom); below > 0)
        add(name, m_added.at(top) / below);
}

void Numbers::addDifference(const std::string& name, const std::string& top, const std::string& bottom) {
    add(name, m_added.at(top) - m_added.at(bottom));
}

void Numbers::tell(const std::string& name, double value, const std::string& text) {
    m_added[name] = value;
    m_out.add(EnvironmentRecord{std::string(experiment::kNumberKey) + name, text});
}

void Numbers::add(const std::string& name, double value) {
    tell(name, value, digits(value));
}

void Numbers::addMedian(const std::string& name, std::vector<double> values) {
    if (values.empty())
        return;
    std::ranges::sort(values);
    const double median = values[values.size() / 2];
    tell(name, median, digits(median) + " " + digits(values.front()) + " " + digits(values.back()));
}

void Numbers::step(double share, const std::string& what) const {
    m_control.throwIfCancelled();
    m_control.report(share, what);
}

void warmUp() {
    check(kernels::loadProbeKernels(), "load the kernels of the probes");
    const Mapped<std::uint32_t> gate;
    gate[0] = 1;
    const Memory device = Memory::device(sizeof(std::uint32_t));
    check(kernels::launchGate(gate.get(), nullptr), "launch the gate");
    check(kernels::launch(kernels::nullLaunch(), nullptr, nullptr), "launch a kernel");
    check(cudaMemsetAsync(device.as<void>(), 0, device.bytes(), nullptr), "set memory");
    idle();
}

double overlapOf(const Spin& a, const Spin& b) {
    const auto begin = std::max(a.begin(), b.begin()), end = std::min(a.end(), b.end());
    const auto shorter = std::min(a.end() - a.begin(), b.end() - b.begin());
    return end > begin && shorter > 0 ? static_cast<double>(end - begin) / static_cast<double>(shorter) : 0;
}

double delayOf(const Spin& a, const Spin& b) {
    return static_cast<double>(static_cast<std::int64_t>(b.begin() - a.end()));
}

double shareOf(const std::uint32_t* at, std::size_t count, std::uint32_t value) {
    return static_cast<double>(std::count(at, at + count, value)) / static_cast<double>(count);
}

} // namespace olab::cuda::probes
