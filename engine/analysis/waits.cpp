#include <olab/analysis/waits.h>

namespace olab {

std::string_view waitCauseName(WaitCause c) {
    switch (c) {
    case WaitCause::None:
        return "none";
    case WaitCause::StreamOrder:
        return "stream-order";
    case WaitCause::NullStream:
        return "null-stream";
    case WaitCause::SameEngine:
        return "same-engine";
    case WaitCause::FullGrid:
        return "full-grid";
    case WaitCause::HostLate:
        return "host-late";
    case WaitCause::Callback:
        return "callback";
    case WaitCause::Event:
        return "event";
    case WaitCause::Unknown:
        return "unknown";
    }
    return "invalid";
}

} // namespace olab
