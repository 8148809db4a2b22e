// The CUPTI struct versions we decode, in one place. To support a newer toolkit's struct, change only this
// file.
#pragma once

#include <cupti.h>

namespace olab::cupti {

using DeviceStruct = CUpti_ActivityDevice5;
using ContextStruct = CUpti_ActivityContext3;
using StreamStruct = CUpti_ActivityStream;
using KernelStruct = CUpti_ActivityKernel10;
using MemcpyStruct = CUpti_ActivityMemcpy6;
using PeerCopyStruct = CUpti_ActivityMemcpyPtoP4;
using MemsetStruct = CUpti_ActivityMemset4;
using ApiStruct = CUpti_ActivityAPI;
using SyncStruct = CUpti_ActivitySynchronization2;
using EventStruct = CUpti_ActivityCudaEvent2;
using OverheadStruct = CUpti_ActivityOverhead3;
using CorrelationStruct = CUpti_ActivityExternalCorrelation;
using MarkerStruct = CUpti_ActivityMarker2;
using MigrationStruct = CUpti_ActivityUnifiedMemoryCounter3;

} // namespace olab::cupti
