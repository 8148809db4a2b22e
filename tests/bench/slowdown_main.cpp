// How often `olab compare` calls the same program slower, and how often it finds a slowdown of 3 % at 1 % of
// noise.
//   olab_bench_slowdown [PAIRS]                 made times (slowdown_noise.h), 1000 pairs of each kind
//   olab_bench_slowdown --times FILE [PAIRS]    times that were measured: one number a line, in the order of
//                                               the runs, an empty line between sessions
// The second draws the two sides from the measured runs, in turns and one after the other, and makes those of
// one side 3 % longer to see whether that is found. tests/bench/compare_alarms.py records such times.
#include "slowdown_noise.h"
#include "slowdown_rivals.h"

#include <olab/comparison/slowdown.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace olab::bench {
namespace {

constexpr double kSlower = 0.03;

struct Tally {
    int slower = 0, faster = 0, open = 0, pairs = 0;
    int aboveLimit = 0, withinLimit = 0; ///< of slower<=3%
    void add(const std::optional<comparison::Slowdown>& found) {
        ++pairs;
        if (!found || !found->low)
            return void(++open);
        slower += found->rises() ? 1 : 0;
        faster += found->falls() ? 1 : 0;
        aboveLimit += *found->low > 1 + kSlower ? 1 : 0;
        withinLimit += *found->high <= 1 + kSlower ? 1 : 0;
    }
    double percent(int part) const { return 100.0 * part / std::max(1, pairs); }
};

std::optional<comparison::Slowdown> judged(const MadeRuns& runs) {
    return runs.inTurns ? comparison::slowdownOfPairs(runs.before, runs.after)
                        : comparison::slowdownOfRuns(runs.before, runs.after);
}

template <typename Interval>
double alarms(const Noise& noise, std::size_t each, int pairs, Interval interval) {
    Random random(7);
    int slower = 0;
    for (int i = 0; i < pairs; ++i) {
        const MadeRuns runs = madeRuns(noise, each, 0, random);
        const std::optional<Ends> ends = interval(runs);
        slower += ends && ends->low > 1 ? 1 : 0;
    }
    return 100.0 * slower / pairs;
}

Tally tallyOf(const Noise& noise, std::size_t each, double slower, int pairs) {
    Random random(7);
    Tally tally;
    for (int i = 0; i < pairs; ++i)
        tally.add(judged(madeRuns(noise, each, slower, random)));
    return tally;
}

void printMade(int pairs) {
    std::printf("Made times, %d pairs of each kind. Same: of the same program; 3 %% longer: the second takes "
                "3 %% longer.\n\n"
                "| noise of 1 %% | runs of each | same: called slower | same: slower<=3%% fails, holds | 3 "
                "%% longer: found |"
                " Welch: called slower | bootstrap-t |\n|---|---|---|---|---|---|---|\n",
                pairs);
    for (const Noise& noise : noises())
        for (const std::size_t each : {3, 5, 7, 10, 20}) {
            const Tally same = tallyOf(noise, each, 0, pairs), longer = tallyOf(noise, each, kSlower, pairs);
            Random random(3);
            const double ofWelch =
                alarms(noise, each, pairs, [](const MadeRuns& r) { return welch(r.before, r.after); });
            const double ofBootstrap = alarms(
                noise, each, pairs, [&](const MadeRuns& r) { return bootstrapT(r.before, r.after, random); });
            std::printf("| %s | %zu | %.1f %% | %.1f %%, %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n",
                        std::string(noise.name).c_str(), each, same.percent(same.slower),
                        same.percent(same.aboveLimit), same.percent(same.withinLimit),
                        longer.percent(longer.slower), ofWelch, ofBootstrap);
            std::fflush(stdout);
        }
}

std::vector<Ns> timesIn(const char* file) {
    std::ifstream in(file);
    std::vector<Ns> times;
    for (std::string line; std::getline(in, line);)
        if (!line.empty())
            times.push_back(std::strtoll(line.c_str(), nullptr, 10));
    return times;
}

/// `each` runs of both sides out of a stretch of the measured ones, which begins anywhere.
MadeRuns drawn(const std::vector<Ns>& times, std::size_t each, bool inTurns, double slower, Random& random) {
    std::uniform_int_distribution<std::size_t> any(0, times.size() - 2 * each);
    const std::size_t first = any(random);
    MadeRuns runs;
    runs.inTurns = inTurns;
    const bool isSwapped = (random() & 1) != 0;
    for (std::size_t i = 0; i < 2 * each; ++i) {
        const bool isSecond = inTurns ? (i % 4 == 1 || i % 4 == 2) : i >= each;
        const bool isAfter = isSecond != isSwapped;
        const auto time = static_cast<double>(times[first + i]);
        (isAfter ? runs.after : runs.before).push_back(static_cast<Ns>(isAfter ? time * (1 + slower) : time));
    }
    return runs;
}

/// Any of the measured ones, in any order: what remains where runs do not depend on the time.
MadeRuns shuffled(std::vector<Ns> times, std::size_t each, double slower, Random& random) {
    std::shuffle(times.begin(), times.end(), random);
    MadeRuns runs;
    runs.before.assign(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(each));
    for (std::size_t i = 0; i < each; ++i)
        runs.after.push_back(static_cast<Ns>(static_cast<double>(times[each + i]) * (1 + slower)));
    return runs;
}

template <typename Draw>
void printMeasured(const char* how, int pairs, Draw draw) {
    for (const std::size_t each : {5, 10}) {
        Tally same, longer;
        Random random(7);
        for (int i = 0; i < pairs; ++i) {
            same.add(judged(draw(each, 0.0, random)));
            longer.add(judged(draw(each, kSlower, random)));
        }
        std::printf("| %s | %zu | %.1f %% | %.1f %%, %.1f %% | %.1f %% |\n", how, each,
                    same.percent(same.slower), same.percent(same.aboveLimit), same.percent(same.withinLimit),
                    longer.percent(longer.slower));
    }
}

int measured(const char* file, int pairs) {
    const std::vector<Ns> times = timesIn(file);
    if (times.size() < 40) {
        std::fprintf(stderr, "%s: %zu times; 40 are the fewest\n", file, times.size());
        return 2;
    }
    std::printf(
        "%s: %zu times, %d pairs drawn.\n\n| drawn | runs of each | same: called slower | same: slower<=3%% "
        "fails, holds | 3 %% longer: found |\n|---|---|---|---|---|\n",
        file, times.size(), pairs);
    printMeasured("at random", pairs, [&](std::size_t each, double slower, Random& random) {
        return shuffled(times, each, slower, random);
    });
    printMeasured("neighbours, in turns", pairs, [&](std::size_t each, double slower, Random& random) {
        return drawn(times, each, true, slower, random);
    });
    printMeasured("neighbours, one side after the other", pairs,
                  [&](std::size_t each, double slower, Random& random) {
                      return drawn(times, each, false, slower, random);
                  });
    return 0;
}

} // namespace
} // namespace olab::bench

int main(int count, char** words) {
    const bool isMeasured = count > 2 && std::strcmp(words[1], "--times") == 0;
    const int at = isMeasured ? 3 : 1;
    const int pairs = count > at ? std::atoi(words[at]) : 1000;
    if (isMeasured)
        return olab::bench::measured(words[2], pairs);
    olab::bench::printMade(pairs);
    return 0;
}
