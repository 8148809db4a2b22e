#include "buffer_callbacks.h"

#include "other_client.h"

#include <olab/trace/error.h>

#include <cstdlib>
#include <memory>

namespace olab::cupti {
namespace {

std::atomic<Callbacks*> g_callbacks{nullptr};

} // namespace

void installCallbacks(const Callbacks& callbacks) {
    auto kept = std::make_unique<Callbacks>(callbacks);
    Callbacks* none = nullptr;
    if (!g_callbacks.compare_exchange_strong(none, kept.get()))
        throw Error(ErrorKind::Internal, "second-collector", "A process can have one CUPTI capture only.");
    (void)kept.release();
}

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept {
    Callbacks& c = *g_callbacks.load();
    if (const auto other = c.yielded ? otherRequested() : nullptr)
        return other(buffer, size, maxRecords);
    // A forked child must not touch anything that may have been locked at the fork, and its records are never
    // read.
    void* const memory = c.owner.isThis() ? c.pool.request() : std::calloc(BufferPool::kBufferBytes, 1);
    *buffer = static_cast<std::uint8_t*>(memory);
    *size = memory ? BufferPool::kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                              std::size_t valid) noexcept {
    Callbacks& c = *g_callbacks.load();
    auto* const bytes = reinterpret_cast<std::byte*>(buffer);
    const bool isThis = c.owner.isThis();
    if (isThis && (!bytes || c.pool.owns(bytes)))
        c.pump.noteWaiting(c.pool.complete(bytes, valid));
    else if (const auto other = isThis || c.yielded ? otherCompleted() : nullptr)
        other(context, stream, buffer, size, valid);
    else
        std::free(buffer);
}

} // namespace olab::cupti
