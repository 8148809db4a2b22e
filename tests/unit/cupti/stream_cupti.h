// What the CUPTI that streams (stream_cupti.cpp) can be told besides what CUPTI can. Records are made by the
// thread that asks for them, into a buffer of its own, as CUPTI's are.
#pragma once

#include <cstdint>

extern "C" {

struct FakeWork {
    std::uint64_t calls = 0; ///< each is a record of the call and one of its work: a kernel or a copy
    bool realTimes = false;  ///< it is all stamped by CUPTI's clock; else by the numbers of calls
    bool badEnds = false;    ///< work ends before it begins
    bool byDriver = false;   ///< calls of the driver, recorded if CUPTI was told to; else of the runtime
    bool asQuestion = false; ///< before each a call of cudaGetDevice, recorded unless CUPTI was told not to
    bool withinRuntime = false; ///< the runtime makes a driver call in each, with the same correlation
    bool inGraphs = false;      ///< the work is that of a graph's node
    bool unfinished = false;    ///< the work has not ended when its record is given out
};
void fakeProduce(const FakeWork* work);
/// Whether calls are recorded just now; numbers and kinds as CUPTI's.
bool fakeRecords(bool driver, std::uint32_t cbid);
/// One half of an NVTX range.
void fakeMarker(std::uint32_t id, std::uint64_t time, bool begins);
/// How often NVTX has called.
std::uint64_t fakeRangesTold();
/// A record of a kind that nobody decodes.
void fakeUnknown();
/// A program allocates managed memory; and how often records of migrations were asked for.
void fakeManagedMemory();
std::uint64_t fakeMigrations();
/// Whether somebody subscribes; and how often CUPTI was finalized.
bool fakeSubscribed();
std::uint64_t fakeFinalized();
bool fakeRecordsKernels();
/// Whether a kind is on, by CUPTI's number.
bool fakeRecordsKind(std::uint32_t kind);
/// cudaProfilerStart or cudaProfilerStop; and NVTX ranges, by text and by a registered handle of a domain.
void fakeProfiler(bool starts);
void fakeRangePush(const char* name);
void fakeRangePop();
void fakeRegisteredRange(const char* name, bool begins);
/// cudaDeviceSynchronize, which is not recorded.
void fakeDeviceSynchronize();
/// As if there had been no room for so many.
void fakeDrop(std::uint64_t records);
/// Records made so far, and dropped.
std::uint64_t fakeProduced();
/// Different buffers that were asked for and not known before.
std::uint64_t fakeBuffers();
/// From now on work ends so long after its call.
void fakeSlowTimes(std::uint64_t ns);
/// From now on a forced flush never returns.
void fakeHang();
}
