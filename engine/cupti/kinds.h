// The kinds table: one row per CUPTI activity kind drives enabling, the stride self-test, decoding and the
// keeping of raw buffers, so that the three can never drift apart. KIND_KERNEL serialises all kernels: it
// replaces CONCURRENT_KERNEL only to demonstrate that.
#pragma once

#include "decode_state.h"
#include "records.h"

#include <olab/trace/defect.h>

#include <span>

namespace olab::cupti {

struct KindRow {
    CUpti_ActivityKind kind;
    const char* name;
    std::size_t size;  ///< of the struct we decode
    bool fact;         ///< device, context, stream: also wanted from before the window
    ClassMask classes; ///< affected classes if such records are lost
    void (*decode)(DecodeContext&, const CUpti_Activity*);
    const char* (*text)(const CUpti_Activity*); ///< the pointer to a text in the record; null: none
    bool onRequest =
        false; ///< not enabled with the others, but where a run needs it, whole or for some calls
};
std::span<const KindRow> kindsTable();
const KindRow* findKind(CUpti_ActivityKind kind); ///< null: a kind we do not know
std::size_t indexOf(const KindRow& row);          ///< in the table

} // namespace olab::cupti
