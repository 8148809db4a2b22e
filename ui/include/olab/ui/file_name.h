// Names of files between the system, where they are bytes, and the window, where they are text. Bytes that
// are no UTF-8 are kept as lone surrogates (U+DC80 to U+DCFF), so that each name means its file again.
#pragma once

#include <QString>

#include <filesystem>

namespace olab::ui {

QString nameOf(const std::filesystem::path& file);
std::filesystem::path fileOf(const QString& name);

} // namespace olab::ui
