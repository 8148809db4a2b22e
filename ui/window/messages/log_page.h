// What happened, line by line with its time; the last line is seen, unless somebody has scrolled up.
#pragma once

#include <QPlainTextEdit>

namespace olab::ui {

class LogPage final : public QPlainTextEdit {
    Q_OBJECT
public:
    LogPage();
    void add(const QString& text);
};

} // namespace olab::ui
