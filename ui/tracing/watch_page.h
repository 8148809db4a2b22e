// The last seconds of a program that is being recorded, looked at once a second: headline, verdicts, the
// timeline, and where recording was on. It follows, until somebody looks closer: then it holds what is seen.
// It shows, and tells what a person wants. GUI thread.
#pragma once

#include <olab/ui/news.h>

#include <QElapsedTimer>
#include <QWidget>

#include <chrono>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace olab::ui {

class ElidedLabel;
class HeadlineLine;
class RecordedStrip;
class TimelineView;
class VerdictStrip;

class WatchPage final : public QWidget {
    Q_OBJECT
public:
    /// What is known of the program.
    struct Program {
        QString text; ///< "app: running for 12 s"
        bool waits = false, isRecording = false, isStopping = false;
    };
    static constexpr std::chrono::seconds kUsualLength{5};
    explicit WatchPage(QWidget* parent = nullptr);
    void clear(); ///< another program
    void setProgram(const Program& program);
    /// The recordings that there are, and which one is looked at; of one nothing is said.
    void setProcesses(const QStringList& names, int now);
    /// Whether somebody looks at the file.
    void setLooks(bool looks);
    void add(const TraceNewsPtr& news);
    void say(const QString& text); ///< until the next look
    QString said() const;
    std::chrono::milliseconds length() const;
    void setLength(std::chrono::milliseconds length);
    bool follows() const { return m_follows; }
    void setFollows(bool follows);
    const view::ViewDataPtr& shown() const { return m_shown; } ///< null: nothing was recorded yet
    TimelineView& timeline() { return *m_timeline; }
    const RecordedStrip& recorded() const { return *m_recorded; }

signals:
    void added(); ///< news
    void lookRequested();
    void recordRequested();
    void stopRequested();
    void outputRequested();
    void backRequested();
    void lengthChosen(std::chrono::milliseconds length);
    void processChosen(int number); ///< its place in setProcesses()
    /// Where the time went of what is seen: as a run of the list.
    void keepRequested(const olab::view::ViewDataPtr& seen);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildProgram();
    void connectTimeline();
    void lookedCloser();
    bool isInUse() const;
    void show(const TraceNewsPtr& news);
    void showNothing();
    void tell();
    QString wordsOfLook() const;
    Program m_program;
    TraceNewsPtr m_newest;     ///< null: nobody has looked yet
    TraceNewsPtr m_newestSeen; ///< the newest that has something to show
    view::ViewDataPtr m_shown, m_judged;
    Interval m_seen{}; ///< the range that was put there last
    bool m_follows = true, m_looks = false, m_isShowing = false;
    QElapsedTimer m_sinceShown;
    ElidedLabel* m_where = nullptr;
    QPushButton *m_follow = nullptr, *m_record = nullptr, *m_stop = nullptr;
    QComboBox *m_length = nullptr, *m_process = nullptr;
    HeadlineLine* m_headline;
    VerdictStrip* m_verdicts;
    RecordedStrip* m_recorded;
    QStackedWidget* m_middle;
    QLabel* m_nothing; ///< in place of a timeline
    TimelineView* m_timeline;
    ElidedLabel* m_said;
};

} // namespace olab::ui
