// Which API calls block the host, other streams or nothing, on this machine or, recorded, on another. GUI
// thread.
#pragma once

#include "claims/claim_state.h"

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace olab::ui {

class CallsView final : public QWidget {
public:
    struct Wishes {
        std::function<void()> measure, save;
    };
    explicit CallsView(Wishes wishes, QWidget* parent = nullptr);
    void setShown(const ClaimsShown& shown, bool onGpu, bool busy);
    void focusTable();

private:
    void fitColumns();
    QTreeWidget* m_table;
    QLabel *m_where, *m_says;
    QPushButton *m_measure, *m_save;
};

/// The table as a file: by its ending CSV, JSON, Markdown or a picture.
/// @throws Error kind Usage for another
QByteArray callsFile(const claims::ClaimsResults& results, const QString& ending, bool dark);

} // namespace olab::ui
