// E09, E10: which API calls make the host wait, and which make other streams wait. Each is placed between two
// kernels of two streams, while the first one runs: after a harmless call the second starts immediately.
// What takes a stream is also called in the stream of the first kernel, and each call alone, with nothing
// running: only what the host spends beyond that is waiting.
#include "call_cases.h"

namespace olab::cuda::probes {
namespace {

constexpr Ns kKernel = 3 * kMs, kOnceKernel = 50 * kMs, kLongest = 200 * kMs;
constexpr double kCallsPerKernel = 4; ///< the kernel is as long as that many calls: it outlasts the call

std::uint32_t blocksOf(const Call& call) {
    int device = 0, processors = 1;
    check(cudaGetDevice(&device), "ask for the device");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "ask for its size");
    return call.everySm ? static_cast<std::uint32_t>(processors) : 1;
}

/// Where a call is made: between kernels of `a` and `b`, using `stream`.
struct Place {
    cudaStream_t a = nullptr, b = nullptr, stream = nullptr;
};

/// One call between two kernels.
struct Seen {
    double host = 0, overlap = 0;
};
Seen between(Things& things, const Call& call, Ns kernel, const Place& place) {
    Spin first(kernel, blocksOf(call)), second(kernel);
    things.running = place.a, things.stream = place.stream;
    if (call.prepare)
        call.prepare(things);
    idle();
    first.launch(place.a);
    check(cudaEventRecord(things.inFirst.get(), place.a), "record an event");
    first.awaitBegin();
    Seen seen;
    seen.host = timed([&] { call.call(things); });
    cudaGetLastError(); // NotReady of a query
    second.launch(place.b);
    idle();
    seen.overlap = overlapOf(first, second);
    if (call.finish)
        call.finish(things);
    return seen;
}

/// With nothing running.
double alone(Things& things, const Call& call) {
    things.running = things.first.get(), things.stream = things.third.get();
    if (call.prepare)
        call.prepare(things);
    check(cudaEventRecord(things.inFirst.get(), things.running), "record an event");
    idle();
    const double host = timed([&] { call.call(things); });
    cudaGetLastError();
    idle();
    if (call.finish)
        call.finish(things);
    return host;
}

double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// The length of its kernels, in which the call ends unless it waits for them.
Ns kernelFor(Numbers& numbers, Things& things, const Call& call) {
    const std::vector<double> host = rounds(numbers, [&] { return alone(things, call); });
    numbers.addMedian("call." + call.name + ".alone.host", host);
    return std::clamp(static_cast<Ns>(kCallsPerKernel * medianOf(host)), kKernel, kLongest);
}

void measure(Numbers& numbers, Things& things, const Call& call, const std::string& kind, Ns kernel,
             const Place& place) {
    std::vector<double> host;
    std::vector<double> overlap = rounds(numbers, [&] {
        const Seen seen = between(things, call, kernel, place);
        host.push_back(seen.host);
        return seen.overlap;
    });
    host.erase(host.begin());
    numbers.addMedian("call." + call.name + kind + ".host", std::move(host));
    numbers.addMedian("call." + call.name + kind + ".overlap", std::move(overlap));
}

void measureOnce(Numbers& numbers, Things& things, const Call& call) {
    const Place place{things.first.get(), things.second.get(), things.third.get()};
    const Seen seen = between(things, call, kOnceKernel, place);
    numbers.add("call." + call.name + ".kernel", static_cast<double>(kOnceKernel));
    numbers.addMedian("call." + call.name + ".host", {seen.host});
    numbers.addMedian("call." + call.name + ".overlap", {seen.overlap});
}

void measureEverywhere(Numbers& numbers, Things& things, const Call& call) {
    const Ns kernel = kernelFor(numbers, things, call);
    const cudaStream_t a = things.first.get(), b = things.second.get(), third = things.third.get();
    numbers.add("call." + call.name + ".kernel", static_cast<double>(kernel));
    measure(numbers, things, call, "", kernel, {a, b, third});
    measure(numbers, things, call, ".blocking", kernel,
            {things.blockingFirst.get(), things.blockingSecond.get(), third});
    if (call.inStream)
        measure(numbers, things, call, ".behind", kernel, {a, b, a});
}

/// A call that this device does not support leaves out its row, not the table.
void measureIfPossible(Numbers& numbers, Things& things, const Call& call) {
    try {
        call.once ? measureOnce(numbers, things, call) : measureEverywhere(numbers, things, call);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        cudaGetLastError();
        numbers.add("call." + call.name + ".failed", 1);
    }
}

} // namespace

Things::Things() {
    std::fill_n(pageable.as<char>(), kMost, '\0');
    check(cudaEventRecord(earlier.get(), third.get()), "record an event");
    check(cudaEventRecord(early.get(), third.get()), "record an event");
    check(cudaStreamSynchronize(third.get()), "wait for the events");
}

StreamHandle Things::highestPriority() {
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "ask for the priorities");
    return {cudaStreamNonBlocking, highest};
}

void probeCalls(Numbers& numbers) {
    Things things;
    Calls calls = firstUseCalls();
    for (Calls& some :
         std::vector<Calls>{questionCalls(), makingCalls(), poolCalls(), workCalls(), copyCalls(),
                            managedCalls(), graphCalls(), loadingCalls(), settingCalls()})
        calls.insert(calls.end(), some.begin(), some.end());
    numbers.add("kernel", static_cast<double>(kKernel));
    for (std::size_t i = 0; i < calls.size(); ++i) {
        numbers.step(static_cast<double>(i) / static_cast<double>(calls.size()), calls[i].name);
        measureIfPossible(numbers, things, calls[i]);
    }
}

} // namespace olab::cuda::probes
