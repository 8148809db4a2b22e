// The window's own texts, where no QObject's tr() is at hand. All of them are in one context for the
// translator (CONTRIBUTING.md, "language"); those of the engine are English.
#pragma once

#include <QCoreApplication>

#include <cstdint>

namespace olab::ui {

constexpr const char* kTextContext = "olab::ui";

inline QString tr(const char* text, const char* note = nullptr) {
    return QCoreApplication::translate(kTextContext, text, note);
}

/// A sentence with a count: `many` with %n in it, and what English says of one. A translation has as many
/// forms as its language. In a member of a QObject, too.
QString counted(const char* many, const char* one, std::uint64_t count);

} // namespace olab::ui
