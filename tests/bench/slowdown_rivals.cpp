#include "slowdown_rivals.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace olab::bench {
namespace {

using Logs = std::vector<double>;

struct Moments {
    double mean = 0, ofMean = 0; ///< variance of the mean
    double freedom = 0;          ///< n - 1
};

Moments momentsOf(const Logs& logs) {
    double sum = 0, squares = 0;
    const auto n = static_cast<double>(logs.size());
    for (const double value : logs)
        sum += value;
    for (const double value : logs)
        squares += (value - sum / n) * (value - sum / n);
    return {sum / n, squares / (n - 1) / n, n - 1};
}

Logs logsOf(std::span<const Ns> times) {
    Logs logs;
    for (const Ns time : times)
        logs.push_back(std::log(static_cast<double>(time)));
    return logs;
}

/// P(T > t) by Simpson's rule over the density; t > 0.
double tailOfT(double t, double freedom) {
    const double scale = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                         std::sqrt(freedom * 3.14159265358979);
    const auto density = [&](double x) { return scale * std::pow(1 + x * x / freedom, -(freedom + 1) / 2); };
    constexpr int kSteps = 400;
    double sum = density(0) + density(t);
    for (int i = 1; i < kSteps; ++i)
        sum += density(t * i / kSteps) * (i % 2 == 1 ? 4 : 2);
    return 0.5 - sum * t / kSteps / 3;
}

double quantileOfT(double freedom, double tail) {
    double low = 0, high = 200;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (tailOfT(middle, freedom) > tail ? low : high) = middle;
    }
    return high;
}

double freedomOf(const Moments& a, const Moments& b) {
    const double sum = a.ofMean + b.ofMean;
    return sum * sum / (a.ofMean * a.ofMean / a.freedom + b.ofMean * b.ofMean / b.freedom);
}

Logs drawn(const Logs& from, std::mt19937_64& random) {
    std::uniform_int_distribution<std::size_t> any(0, from.size() - 1);
    Logs sample;
    for (std::size_t i = 0; i < from.size(); ++i)
        sample.push_back(from[any(random)]);
    return sample;
}

} // namespace

std::optional<Ends> welch(std::span<const Ns> before, std::span<const Ns> after) {
    if (std::min(before.size(), after.size()) < 2)
        return std::nullopt;
    const Moments a = momentsOf(logsOf(before)), b = momentsOf(logsOf(after));
    const double error = std::sqrt(a.ofMean + b.ofMean), difference = b.mean - a.mean;
    const double reach = error * quantileOfT(std::max(1.0, freedomOf(a, b)), 0.005);
    return Ends{std::exp(difference - reach), std::exp(difference + reach)};
}

std::optional<Ends> bootstrapT(std::span<const Ns> before, std::span<const Ns> after,
                               std::mt19937_64& random) {
    if (std::min(before.size(), after.size()) < 3)
        return std::nullopt;
    const Logs was = logsOf(before), is = logsOf(after);
    const Moments a = momentsOf(was), b = momentsOf(is);
    const double difference = b.mean - a.mean, error = std::sqrt(a.ofMean + b.ofMean);
    Logs ts;
    for (int i = 0; i < 499; ++i) {
        const Moments x = momentsOf(drawn(was, random)), y = momentsOf(drawn(is, random));
        if (const double spread = std::sqrt(x.ofMean + y.ofMean); spread > 0)
            ts.push_back((y.mean - x.mean - difference) / spread);
    }
    if (ts.size() < 100)
        return std::nullopt;
    std::ranges::sort(ts);
    const auto at = [&](double share) {
        return ts[static_cast<std::size_t>(share * static_cast<double>(ts.size()))];
    };
    return Ends{std::exp(difference - error * at(0.995)), std::exp(difference - error * at(0.005))};
}

} // namespace olab::bench
