// Statistics by name: what ran how often and how long, how much of it overlapped, what it waited for. Of the
// whole recording, of what is between the rulers, or of one iteration. Counted on a thread of its own, once
// somebody looks.
#pragma once

#include <olab/view/statistics_counter.h>

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QModelIndex;
class QTableView;
class QTimer;

namespace olab::ui {

class NameColumn;
class StatisticsModel;

class StatisticsPage final : public QWidget {
    Q_OBJECT
public:
    explicit StatisticsPage(QWidget* parent = nullptr);
    ~StatisticsPage() override;
    void setShown(const view::ViewDataPtr& shown);
    /// Waits have other causes, or an iteration was found.
    void recount();
    /// What is between the rulers; nothing: nothing is measured.
    void setRange(std::optional<Interval> range);
    StatisticsModel& model() const { return *m_model; }
    bool isCounting() const { return m_isCounting; }

signals:
    /// All of a name, by begin: a row was selected.
    void activitiesChosen(const std::vector<olab::ActivityIndex>& activities);
    /// The longest of a name is to be seen.
    void longestRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildTop();
    void buildTable();
    void showMenu(const QPoint& at);
    void connectChoices();
    void count();
    void take(const view::CountedStatisticsPtr& counted);
    void fitColumns();
    void resizeColumns();
    void say();
    QString saidOfRow(int row) const;
    QString saidOfAll() const;
    view::StatisticsPart part() const;
    bool lacksRange() const { return part().kind == view::StatisticsPart::Kind::Range && !m_range; }
    void choose(const QModelIndex& current);
    void keepName();
    void selectKept();
    void copyAll() const;
    void copyName() const;

    StatisticsModel* m_model;
    QTableView* m_table;
    NameColumn* m_name = nullptr;
    QComboBox *m_by, *m_part;
    QCheckBox* m_eachNumber; ///< of ranges
    QLineEdit* m_filter;
    QLabel* m_said;
    QTimer* m_soon; ///< the rulers follow the mouse
    view::ViewDataPtr m_shown;
    std::shared_ptr<const analysis::SteadyState> m_steady; ///< as found for what is shown
    std::optional<Interval> m_range;
    bool m_isOld = false, m_isCounting = false;
    std::uint64_t m_request = 0; ///< the last one
    std::string m_kept;          ///< the name that was selected last
    bool m_isRestoring = false;
    view::StatisticsCounter m_counter; ///< the last member: its threads call this
};

} // namespace olab::ui
