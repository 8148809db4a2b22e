// The bars above the view: notices, offers and errors. GUI thread.
#pragma once

#include <olab/run/runner.h>

#include <QFrame>
#include <QList>

#include <functional>
#include <utility>

class QPushButton;
class QUrl;
class QVBoxLayout;

namespace olab::ui {

class ElidedLabel;

/// What was written and where, above the view until it is dismissed or the next one is: with buttons that
/// open the file and its folder in the programs the desktop has for them.
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

/// Something that could be done, above the view until a person does it or says no: one question after the
/// other, each with a button. Nothing is done unasked.
class OfferBar final : public QFrame {
    Q_OBJECT
public:
    explicit OfferBar(QWidget* parent = nullptr);
    struct Offer {
        QString text, button;
        std::function<void()> accept;
    };
    void add(Offer offer);
    QString text() const; ///< empty: none is shown

private:
    void showNext();
    void answer(bool yes);
    ElidedLabel* m_text;
    QPushButton* m_accept;
    QList<Offer> m_offers; ///< the first is shown
};

/// Errors as they happen, one row each, above what they concern: message, what to do next, dismiss. Never
/// modal.
class ErrorBar final : public QFrame {
    Q_OBJECT
public:
    explicit ErrorBar(QWidget* parent = nullptr);
    void add(const run::RunnerError& error, bool offerRunAgain);
    void clear();
    /// Something else went well since: what asks for nothing leaves. A run that can be made again stays.
    void settle();
    int count() const { return static_cast<int>(m_rows.size()); }
    QString lastText() const { return m_lastText; }

signals:
    void runAgainRequested();
    void countChanged();

private:
    void paintRow(QWidget& row);
    void remove(QWidget* row);
    QVBoxLayout* m_column;
    QList<QWidget*> m_rows;
    QString m_lastText;
};

} // namespace olab::ui
