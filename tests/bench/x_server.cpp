#include "x_server.h"

#ifdef OLAB_BENCH_XCB

#include <QGuiApplication>

#include <cstdlib>
#include <xcb/xcb.h>

namespace olab::bench {
namespace {

xcb_connection_t* connection() {
    auto* const server = qApp->nativeInterface<QNativeInterface::QX11Application>();
    return server ? server->connection() : nullptr;
}

} // namespace

bool hasXServer() {
    return connection() != nullptr;
}

/// Requests are answered in order, so the answer to this one comes last.
void waitForXServer() {
    xcb_connection_t* const server = connection();
    std::free(xcb_get_input_focus_reply(server, xcb_get_input_focus(server), nullptr));
}

} // namespace olab::bench

#else

namespace olab::bench {

bool hasXServer() {
    return false;
}
void waitForXServer() {}

} // namespace olab::bench

#endif
