// Which machine's GPU is meant: this one's, or that of another one, which the user's own ssh reaches. A small
// button with a menu.
#pragma once

#include <QString>
#include <QToolButton>

#include <filesystem>

namespace olab::ui {

class MachineButton final : public QToolButton {
    Q_OBJECT
public:
    explicit MachineButton(QWidget* parent = nullptr);
    /// Empty: this one.
    void setHost(const QString& host);
    /// Whose ~/.ssh/config suggests names; for tests.
    void setHome(const std::filesystem::path& home) { m_home = home; }

signals:
    void hostChosen(const QString& host);

private:
    void fill();
    void ask();
    QString m_host;
    std::filesystem::path m_home;
};

} // namespace olab::ui
