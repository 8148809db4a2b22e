// Simulations whose parts wait for each other: for what they need, or for more.
#include "kernel_parts.cuh"
#include "parts.h"

namespace {

constexpr size_t innerCells = 1 << 21, edgeCells = 1 << 20;

/// 2^21 cells and 4700 rounds take about 0.35 ms.
__global__ void advanceInside(float* inner, int rounds) {
    const int i = thread();
    inner[i] = settled(0.7f * inner[i] + 0.001f * float(i % 41), rounds);
}

/// 1300 rounds take about 0.05 ms.
__global__ void advanceEdge(float* edge, const float* halo, const float* inner, int rounds) {
    const int i = thread();
    edge[i] = settled(0.5f * edge[i] + 0.3f * halo[int(edgeCells) - 1 - i] + 0.1f * inner[2 * i], rounds);
}

constexpr size_t tileCells = 128 * threads;

/// A tile of a table that compares two genomes; six of them at once, of 20000 rounds, take about 0.14 ms.
__global__ void compare(float* own, const float* above, const float* left, int rounds) {
    const int i = thread();
    own[i] = settled(0.4f * own[i] + 0.3f * above[i] + 0.2f * left[i] + 0.001f * float(i % 31), rounds);
}

/// Twelve moments a step of a field that ends where it begins: its edge, 4 MiB, goes to the host, as it would
/// to a neighbour, and comes as the halo, 0.08 ms each, in a second stream. The inner cells, which need no
/// halo, wait for it too; mended, only the edge does, after them. 20 to 32 %.
class Field : public Mendable {
public:
    using Mendable::Mendable;
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int n = 0; n < 12; ++n) {
            exchange();
            if (!mended_)
                come_.holdUp(compute_);
            advanceInside<<<blocksOf(innerCells), threads, 0, compute_>>>(inner_.get(), 4700);
            if (mended_)
                come_.holdUp(compute_);
            advanceEdge<<<blocksOf(edgeCells), threads, 0, compute_>>>(edge_.get(), halo_.get(), inner_.get(),
                                                                       1300);
        }
        ended_[i % 2].record(compute_);
    }
    double result() override { return sumOf(inner_, innerCells) + sumOf(edge_, edgeCells); }

private:
    void exchange() {
        advanced_.order(compute_, exchange_);
        toHost(neighbour_.get(), edge_.get(), edgeCells, exchange_);
        toDevice(halo_.get(), neighbour_.get(), edgeCells, exchange_);
        come_.record(exchange_);
    }
    Pinned<float> neighbour_ = pinned<float>(edgeCells);
    OnDevice<float> inner_ = onDevice<float>(innerCells), edge_ = onDevice<float>(edgeCells),
                    halo_ = onDevice<float>(edgeCells);
    Event advanced_, come_, ended_[2];
    Stream compute_, exchange_;
};

/// Nothing to mend: two genomes are compared by tiles of a table, a stream for each of six rows. A tile needs
/// that above and that to the left, and its own last values until those below were made of them. So the rows
/// work beside each other, each a little behind the one above, and fill the device.
class Table : public Program {
public:
    void step(int i) override {
        ended_[i % 2].await(); // two steps ago
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                make(row, column);
        ended_[i % 2].record(streams_[rows - 1]);
    }
    double result() override { return sumOf(tiles_, rows * columns * tileCells); }

private:
    static constexpr int rows = 6, columns = 16;
    float* tile(int row, int column) const {
        return tiles_.get() + size_t(row * columns + column) * tileCells;
    }
    void make(int row, int column) {
        const Stream& stream = streams_[row];
        if (row > 0)
            made_[row - 1][column].holdUp(stream);
        if (row + 1 < rows)
            made_[row + 1][column].holdUp(stream); // of the step before
        compare<<<blocksOf(tileCells), threads, 0, stream>>>(
            tile(row, column), row > 0 ? tile(row - 1, column) : border_.get(),
            column > 0 ? tile(row, column - 1) : border_.get(), 20000);
        made_[row][column].record(stream);
    }
    OnDevice<float> tiles_ = onDevice<float>(rows * columns * tileCells),
                    border_ = onDevice<float>(tileCells);
    Event made_[rows][columns], ended_[2];
    Stream streams_[rows];
};

} // namespace

std::vector<Pair> simulationPairs() {
    const Texts shared = {"stretched"};
    return {
        {"inner_cells_wait_for_halo", {"event-order"}, make<Field>, shared},
        healthy<Table>("healthy_genomes_by_tiles", shared),
    };
}
