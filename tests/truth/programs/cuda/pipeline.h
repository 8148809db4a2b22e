// Chunks that go to the device, are worked on there and come back: what most of the programs are.
#pragma once

#include "programs.h"

struct Shape {
    int streams = 3;
    size_t bytes = 16 << 20;
    int rounds = 2000; ///< 16 MiB and 2000 rounds take some 0.3 ms
    int chunks = 4;    ///< an iteration
    bool pinnedIn = true;
    bool pinnedOut = true;
    unsigned streamFlags = cudaStreamNonBlocking;
};

/// Chunk c uses the stream and the buffers of slot c % streams.
class Pipeline : public Program {
public:
    explicit Pipeline(const Shape& shape);
    ~Pipeline() override;
    void step(int i) override;

protected:
    struct Slot {
        cudaStream_t stream = nullptr;
        float* device = nullptr;
        void* in = nullptr;
        void* out = nullptr;
    };
    /// One chunk, in order; the programs add their mistakes to these.
    virtual void chunk(int number, Slot& slot);
    virtual void copyIn(Slot& slot);
    void work(Slot& slot);
    void copyOut(Slot& slot);

    Shape shape_;
    std::vector<Slot> slots_;

private:
    static void* host(size_t bytes, bool pinned);
    static void freeHost(void* memory, bool pinned);
};
