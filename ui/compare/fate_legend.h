// Which colour says what became of an operation.
#pragma once

#include <QWidget>

namespace olab::ui {

class FateLegend final : public QWidget {
    Q_OBJECT
public:
    explicit FateLegend(QWidget* parent = nullptr);
};

} // namespace olab::ui
