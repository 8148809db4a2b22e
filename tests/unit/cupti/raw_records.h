// Hand-built CUPTI records laid out one after the other, as CUPTI lays them out in an activity buffer.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace olab::test {

class RawRecords {
public:
    template <typename Struct>
    RawRecords& add(const Struct& record) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&record);
        m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof record);
        return *this;
    }
    std::span<std::byte> span() { return m_bytes; }

private:
    std::vector<std::byte> m_bytes;
};

template <typename Struct>
Struct zeroed(CUpti_ActivityKind kind) {
    Struct record;
    std::memset(static_cast<void*>(&record), 0, sizeof record);
    record.kind = kind;
    return record;
}

inline CUpti_ActivityKernel10 kernelRecord(const char* name) {
    auto r = zeroed<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    r.start = 1000;
    r.end = 5000;
    r.contextId = 1;
    r.streamId = 13;
    r.correlationId = 42;
    r.gridX = 8448;
    r.gridY = r.gridZ = 1;
    r.blockX = 256;
    r.blockY = r.blockZ = 1;
    r.registersPerThread = 18;
    r.dynamicSharedMemory = 512;
    r.channelID = 3;
    r.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
    r.name = name;
    return r;
}

inline CUpti_ActivityMemcpy6 copyRecord(CUpti_ActivityMemcpyKind kind, CUpti_ChannelType channel) {
    auto r = zeroed<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    r.copyKind = static_cast<std::uint8_t>(kind);
    r.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
    r.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    r.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
    r.bytes = 4096;
    r.start = 100;
    r.end = 900;
    r.contextId = 1;
    r.streamId = 13;
    r.correlationId = 41;
    r.channelID = 8;
    r.channelType = channel;
    return r;
}

} // namespace olab::test
