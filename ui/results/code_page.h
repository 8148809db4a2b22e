// The CUDA program that does what is shown: of the run on the screen, of the settings in the form, or what
// becomes of one in the other. Lines that an option has just changed are lit, and those that execute what is
// selected in the timeline; a line that is chosen selects its operations there.
#pragma once

#include <olab/code/cuda_code.h>
#include <olab/view/view_data.h>

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QPushButton;

namespace olab::ui {

class CodeView;
class ElidedLabel;

class CodePage final : public QWidget {
    Q_OBJECT
public:
    enum class Source : std::uint8_t { Run, Form, FormChange, Compared };
    explicit CodePage(QWidget* parent = nullptr);

    void setShown(const view::ViewDataPtr& shown);
    void refine(const view::ViewDataPtr& shown) { m_shown = shown; } ///< more is known of the same run
    /// Of the form, whenever it was edited: where it is another than the run's it comes to the front.
    void setForm(const experiment::Experiment& experiment);
    /// Before and after of a comparison: their difference comes to the front.
    void setCompared(const view::ViewDataPtr& before, const view::ViewDataPtr& after);
    /// What is selected in the timeline.
    void setSelected(std::optional<ActivityIndex> activity);

    Source source() const;
    void setSource(Source source);
    const CodeView& view() const { return *m_view; }
    QString status() const; ///< what is said above the program
    /// Of the program that is shown, the later one of two; empty: there is none.
    const std::string& text() const { return m_text; }

signals:
    void activityChosen(quint32 index); ///< of the run that is shown
    void saveRequested(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Side {
        std::optional<experiment::HeldExperiment> experiment;
        QString why; ///< there is none
    };
    static Side sideOf(const view::ViewDataPtr& shown);
    void refreshSoon();
    void refresh();
    void showLines(const Side& before, const Side& now);
    void showWhy(const QString& why);
    void mark(bool bringIntoView);
    void say(const QString& text);
    void sayKeys(int line);
    bool isWorkOf(int line, const experiment::Op& op) const;
    bool runsWork(int line) const;
    void goToWork(int line);
    void chooseLine(int line);
    std::uint32_t selectedOps() const;
    void enableSources();

    QComboBox* m_source;
    ElidedLabel* m_status;
    QPushButton *m_copy, *m_save;
    CodeView* m_view;
    QLabel* m_why;
    view::ViewDataPtr m_shown;
    std::optional<Side> m_before, m_after; ///< of a comparison, whose recordings need not be kept for this
    std::optional<experiment::HeldExperiment> m_form, m_formBefore; ///< now, and before its last edit
    std::optional<ActivityIndex> m_selected;
    std::vector<std::string> m_lit; ///< lines that the last edit of the form made
    std::string m_text;
    QString m_said; ///< of the programs; where nothing is, there is room for what keys do
    bool m_stale = true, m_choosing = false;
};

} // namespace olab::ui
