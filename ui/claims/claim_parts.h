// Labels that the Claims page is built of. GUI thread.
#pragma once

#include "base/page_parts.h"

class QVBoxLayout;

namespace olab::ui {

QLabel* claimHeading(const QString& text, bool large = false);
QLabel* claimRich(const RichText& text, const QString& spoken);
/// A sign, and beside it what it is the sign of.
void addSigned(QVBoxLayout& column, const QString& sign, QWidget* words, int indent = 0);

} // namespace olab::ui
