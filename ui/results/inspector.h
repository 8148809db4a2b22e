// The selected op: all its fields, and why it started then.
#pragma once

#include <olab/ui/shown.h>

#include <QTextBrowser>

#include <optional>

namespace olab {

class Inspector final : public QTextBrowser {
    Q_OBJECT
public:
    explicit Inspector(QWidget* parent = nullptr);
    void showActivity(const ShownPtr& shown, std::optional<ActivityIndex> index);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString summary() const;
    ShownPtr m_shown;
    std::optional<ActivityIndex> m_index;
};

} // namespace olab
