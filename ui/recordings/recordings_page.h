// Many recordings as a table with the history of a number below it. Rows come as they are judged. It shows,
// and tells what a person wants. GUI thread.
#pragma once

#include "recordings/history_chart.h"
#include "recordings/recordings_model.h"
#include "recordings/recordings_reader.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableView;

namespace olab::ui {

class ElidedLabel;

class RecordingsPage final : public QWidget {
    Q_OBJECT
public:
    explicit RecordingsPage(QWidget* parent = nullptr);
    ~RecordingsPage() override;

    /// Judges what is in these folders, and these files; what was there before goes.
    void read(std::vector<std::filesystem::path> places);
    bool isRunning() const { return m_reader->isRunning(); }
    void stop();
    void say(const QString& text); ///< beside the filter, until something else is said there
    /// "/runs/nightly", "12 files".
    QString placesText() const;
    std::size_t files() const { return m_files.size(); }
    RecordingsModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    HistoryChart& chart() { return *m_chart; }
    /// Those that are marked, from the top.
    QStringList selectedFiles() const;
    /// Of the one that stands there in the table as it is ordered now; empty: none does.
    QString fileBeside(const QString& file, int step) const;
    std::optional<std::size_t> rowOfFile(const QString& file) const;
    void choose(std::size_t number); ///< marks and shows it, where the filter lets it through
    void setColumns(std::vector<survey::Column> columns);
    /// What is shown, by the ending: csv or jsonl; on a thread. wrote() or failed() follows.
    void write(const QString& path);
    void focusTable();

signals:
    void openRequested(const QStringList& files);
    void mergeRequested(const QStringList& files);
    void saveRequested();
    void backRequested();
    void settled(); ///< all is read, or was stopped, and how rows stand to each other is shown
    void wrote(const QString& path);
    void failed(const QString& why);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildChoices();
    QWidget* buildTable();
    QWidget* buildHistory();
    void connectParts();
    void resizeColumns();
    void arrangeColumns();
    void takeFound(const std::vector<std::filesystem::path>& files, bool isPart);
    void takeRows();
    void applyRows();
    void readEnded(const QString& problem);
    void stand();
    void followHistory();
    void takeStanding(RecordingsStandingPtr standing);
    void showGroups();
    void showNumbers();
    void showOnly();
    void showTitle();
    void keepingCurrent(const std::function<void()>& change);
    void showStanding();
    void showState();
    QString stateText() const;
    QString currentText() const;
    void showHistory();
    bool isEachOnce() const;
    void openSelected();
    void chooseColumns();
    void rowChosen();
    HistoryWish wish() const;

    RecordingsReader* m_reader;
    TableWorker* m_worker;
    RecordingsModel* m_model;
    QTableView* m_table;
    QWidget* m_history; ///< all of it
    HistoryChart* m_chart;
    ElidedLabel* m_title = nullptr;
    ElidedLabel *m_said = nullptr, *m_words = nullptr;
    QPushButton *m_open = nullptr, *m_asOne = nullptr, *m_columns = nullptr, *m_save = nullptr,
                *m_again = nullptr;
    QLineEdit* m_filter = nullptr;
    QComboBox *m_only = nullptr, *m_groups = nullptr, *m_numbers = nullptr;
    QProgressBar* m_bar = nullptr;
    QTimer *m_soon, *m_typing;
    QElapsedTimer m_sinceStanding;
    std::vector<std::filesystem::path> m_places, m_files;
    std::vector<std::pair<std::string, std::string>> m_groupNames; ///< of the choice
    std::vector<std::size_t> m_numberColumns;                      ///< of the choice
    HistoryWish m_wish;
    std::size_t m_version = 0; ///< of rows and columns that are counted
    bool m_isPart = false, m_isFilling = false, m_isComplete = false, m_ends = false;
    QString m_problem; ///< why reading ended before
};

} // namespace olab::ui
