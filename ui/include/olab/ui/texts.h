// The window's own texts, where no QObject's tr() is at hand. All of them are in one context for the
// translator (CONTRIBUTING.md, "language"); those of the engine are English.
#pragma once

#include <QCoreApplication>
#include <QString>

#include <cstdint>
#include <filesystem>

namespace olab::ui {

// Names of files between the system, where they are bytes, and the window, where they are text. Bytes that
// are no UTF-8 are kept as lone surrogates (U+DC80 to U+DCFF), so that each name means its file again.
QString nameOf(const std::filesystem::path& file);
std::filesystem::path fileOf(const QString& name);

constexpr const char* kTextContext = "olab::ui";

inline QString tr(const char* text, const char* note = nullptr) {
    return QCoreApplication::translate(kTextContext, text, note);
}

/// A sentence with a count: `many` with %n in it, and what English says of one. A translation has as many
/// forms as its language. In a member of a QObject, too.
QString counted(const char* many, const char* one, std::uint64_t count);

} // namespace olab::ui
