// The experiment's form, generated from the option table alone: an option appears here when its row does. An
// option that is not what the chosen preset has, or else the default, is marked; the mark says what it was
// and sets it back. What differs from the defaults stands first.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_table.h>

#include <QWidget>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QAbstractButton;
class QLabel;
class QVBoxLayout;

namespace olab::experiment {
struct Preset;
} // namespace olab::experiment

namespace olab::ui {

class ChangeMark;
class Fold;

/// Former values of the form, for undo. Edits of one option that follow each other are one step. Plain value;
/// GUI thread.
class SettingsHistory {
public:
    static constexpr std::size_t kMost = 100;

    /// Before a change: `option` is its key, or empty when all may change at once.
    void remember(const experiment::Experiment& before, std::string_view option) {
        if (!option.empty() && option == m_last && !m_former.empty())
            return;
        m_last = option;
        if (m_former.size() == kMost)
            m_former.erase(m_former.begin());
        m_former.push_back(before);
    }
    bool empty() const { return m_former.empty(); }
    /// To be called only when it is not empty().
    experiment::HeldExperiment takeBack() {
        experiment::HeldExperiment former = m_former.back();
        m_former.pop_back();
        m_last = {};
        return former;
    }
    void clear() {
        m_former.clear();
        m_last = {};
    }

private:
    std::vector<experiment::HeldExperiment> m_former;
    std::string_view m_last; ///< of the option table, which lives as long as the program
};

class ExperimentForm final : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentForm(QWidget* parent = nullptr);

    const experiment::HeldExperiment& experiment() const { return m_experiment; }
    void setExperiment(const experiment::Experiment& experiment);
    /// The settings before the last change, by the person or by setExperiment.
    void undo();
    bool canUndo() const { return !m_history.empty(); }
    void forgetFormer(); ///< what it has now is where it begins
    /// Whether it can run: every field reads, nothing conflicts.
    bool valid() const { return m_problems.isEmpty(); }
    QStringList problems() const { return m_problems; }
    /// Shows the problems; whoever has a better place for it than above the form may put it there.
    QWidget* problemLabel() const;
    /// The control of an option, or null.
    QWidget* editor(std::string_view key) const;
    /// The mark of an option, hidden while there is nothing to set back; or null.
    QAbstractButton* mark(std::string_view key) const;
    /// To what its mark says it was.
    void setBack(std::string_view key);
    /// Brings what differs from the defaults to the top, as setExperiment does: while one changes an option
    /// it stays where it is.
    void gather();

signals:
    void edited(); ///< by the person or by setExperiment; valid() may have changed

private:
    struct Field {
        const experiment::OptionRow* row = nullptr;
        QWidget* editor = nullptr;
        QLabel* label = nullptr;
        ChangeMark* mark = nullptr;
        QWidget* box = nullptr; ///< of the mark, with the label or the switch
        struct Place {
            Fold* fold = nullptr;
            int line = 0, column = 0, columns = 1;
        } home;
        bool onTop = false;  ///< among the changed ones
        QString error;       ///< why the text does not read
        std::string plain;   ///< the default
        std::string settled; ///< before somebody began to type
        /// What its tooltips say now: they are written when that changes, not with each change of the form.
        std::optional<std::string> saidWhy;
        struct Mark {
            bool byPerson = false;
            std::string now, chosen;
            const experiment::Preset* base = nullptr;
            friend bool operator==(const Mark&, const Mark&) = default;
        };
        std::optional<Mark> saidMark;
    };
    struct Group {
        std::string_view name;
        Fold* fold = nullptr;
    };
    Fold* addGroup(const QString& title, bool open, QVBoxLayout* column);
    void buildGroup(std::string_view group, QVBoxLayout* column);
    void refreshGroups();
    void refreshChoices(const Field& field);
    Field makeField(const experiment::OptionRow& row);
    QWidget* makeEditor(const experiment::OptionRow& row);
    QWidget* withMark(QWidget* content, Field& field);
    static void put(const Field& field, const Field::Place& place);
    void refreshMark(Field& field);
    bool isBase();
    void chooseBase();
    void take(const experiment::OptionRow& row, const QString& text);
    void refresh();
    void paintProblem();
    void refreshField(Field& field);

    void fill(const experiment::Experiment& experiment);

    experiment::HeldExperiment m_experiment;
    SettingsHistory m_history;
    const experiment::Preset* m_base =
        nullptr; ///< chosen last, and nearer to the experiment than the default; or null
    std::vector<Field> m_fields;
    std::vector<Group> m_groups;
    Fold* m_changed = nullptr;
    QStringList m_problems;
    QLabel* m_problemLabel;
};

} // namespace olab::ui
