// What was written and where, above the view until it is dismissed or the next one is: with buttons that open
// the file and its folder in the programs the desktop has for them.
#pragma once

#include <QFrame>

#include <functional>
#include <utility>

class QPushButton;
class QUrl;

namespace olab::ui {

class ElidedLabel;

class NoticeBar final : public QFrame {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);
    /// `path`: of a file that is there. A long one is cut where there is no room, and whole in the tooltip.
    enum class Kind { Picture, Recording };
    void showSaved(const QString& path, Kind kind);
    /// What was found out, with nothing to open; whole in the tooltip.
    void say(const QString& text);
    QString text() const;
    /// Instead of the desktop's programs: for tests. @returns whether it could be opened
    void setOpener(std::function<bool(const QUrl&)> opener) { m_opener = std::move(opener); }
    QString path() const { return m_path; }

signals:
    void shownChanged();                  ///< or hidden
    void cannotOpen(const QString& path); ///< the desktop has no program for it, or cannot start it

protected:
    bool event(QEvent* event) override;

private:
    void open(const QString& path);
    ElidedLabel* m_text;
    QPushButton *m_openPicture, *m_openFolder;
    QString m_path;
    std::function<bool(const QUrl&)> m_opener;
};

} // namespace olab::ui
