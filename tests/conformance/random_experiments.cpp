#include "random_experiments.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <random>

namespace olab::conformance {
namespace {

/// The generator's numbers are fixed by the standard; its distributions are not.
class Dice {
public:
    explicit Dice(std::uint32_t seed)
        : m_engine(seed) {}
    std::int64_t upTo(std::int64_t n) {
        return static_cast<std::int64_t>(m_engine() % static_cast<std::uint64_t>(n));
    }
    bool often() { return upTo(4) != 0; }
    template <typename Enum>
    Enum choice(std::int64_t count) {
        return static_cast<Enum>(upTo(count));
    }

private:
    std::mt19937 m_engine;
};

/// Options that other machines or models decide.
bool isLeftAlone(const experiment::OptionRow& row) {
    return row.key == "devices" || row.key == "p2p" || row.key == "trace" || row.group == "Simulator" ||
           row.key.starts_with("env.");
}

/// Gives a few of the options with choices a random one, when that is possible.
void vary(experiment::Experiment& e, Dice& dice) {
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (row.choices.empty() || isLeftAlone(row) || dice.often())
            continue;
        const auto pick = static_cast<std::size_t>(dice.upTo(static_cast<std::int64_t>(row.choices.size())));
        if (experiment::conflictOf(e, row.key, row.choices[pick]).empty())
            experiment::setOption(e, row.key, row.choices[pick]);
    }
}

experiment::Experiment randomExperiment(Dice& dice) {
    experiment::Experiment e;
    e.streams = 1 + static_cast<int>(dice.upTo(12));
    e.iterations = 1 + static_cast<int>(dice.upTo(12));
    e.h2d = dice.often(), e.memset = dice.often(), e.kernel = dice.often(), e.d2h = dice.often();
    e.callback = dice.often();
    e.h2dBytes = 1 + dice.upTo(4 << 20), e.d2hBytes = 1 + dice.upTo(4 << 20),
    e.memsetBytes = 1 + dice.upTo(64 << 20);
    e.kernelKind = dice.choice<experiment::KernelKind>(2);
    e.kernelUs = 1 + dice.upTo(900);
    e.kernelBlocks.blocks = static_cast<std::uint32_t>(1 + dice.upTo(5000));
    e.kernelBlocks.fill = dice.often() ? 0 : static_cast<std::uint32_t>(1 + dice.upTo(20));
    e.kernelThreads = 32 * static_cast<int>(1 + dice.upTo(32));
    e.kernelSmem = dice.often() ? 0 : dice.upTo(227 << 10);
    e.callbackUs = dice.often() ? 0 : dice.upTo(200);
    e.seed = dice.upTo(1000);
    vary(e, dice);
    return e;
}

} // namespace

std::vector<experiment::HeldExperiment> randomExperiments(std::size_t count) {
    Dice dice(20240501);
    std::vector<experiment::HeldExperiment> out;
    while (out.size() < count) {
        experiment::Experiment e = randomExperiment(dice);
        if (experiment::conflicts(e).empty())
            out.push_back(e);
    }
    return out;
}

} // namespace olab::conformance
