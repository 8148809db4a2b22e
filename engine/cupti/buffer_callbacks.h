// What CUPTI calls for its buffers. They carry no data of ours: the one capture of the process is found here.
// Private to cupti.
#pragma once

#include "pump.h"
#include "records.h"

#include <olab/cupti/buffer_pool.h>
#include <olab/cupti/own_process.h>

#include <atomic>

namespace olab::cupti {

struct Callbacks {
    OwnProcess owner;
    BufferPool& pool;
    Pump& pump;
    const std::atomic<bool>& yielded; ///< another client records
};
/// For good: CUPTI may still call back while the process ends. @throws Error if there is a capture already
void installCallbacks(const Callbacks& callbacks);

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept;
/// Each goes to whom it is of, also while another client records.
void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                              std::size_t valid) noexcept;

} // namespace olab::cupti
