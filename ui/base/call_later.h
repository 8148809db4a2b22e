// Calls on the thread of a QObject, from another one.
#pragma once

#include <QMetaObject>
#include <QObject>

#include <mutex>
#include <utility>

namespace olab::ui {

/// `call` runs later, when the receiver's thread comes to it; not at all when the receiver has gone by then.
/// What was written before is seen in it. Qt keeps that order, but out of sight of the thread sanitizer,
/// which sees no library that was not built with it (`./test.sh --thread`): there, a lock says the same.
template <typename Call>
void callLater(QObject* receiver, Call call) {
#ifdef __SANITIZE_THREAD__
    static std::mutex handingOver;
    const std::lock_guard given(handingOver);
    auto taken = [call = std::move(call)]() mutable {
        { const std::lock_guard received(handingOver); }
        call();
    };
    QMetaObject::invokeMethod(receiver, std::move(taken), Qt::QueuedConnection);
#else
    QMetaObject::invokeMethod(receiver, std::move(call), Qt::QueuedConnection);
#endif
}

} // namespace olab::ui
