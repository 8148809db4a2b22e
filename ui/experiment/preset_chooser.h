// Presets to search, read and choose. Moving in the list only shows a preset; nothing changes until one is
// chosen. GUI thread.
#pragma once

#include "base/plain_text.h"
#include "experiment/preset_fit.h"

#include <QDialog>
#include <QPushButton>

class QLineEdit;
class QPushButton;
class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;
class QUrl;

namespace olab::ui {

/// Says which preset the form is, as far as there is room, and opens the chooser.
class PresetButton final : public QPushButton {
    Q_OBJECT
public:
    explicit PresetButton(QWidget* parent = nullptr);
    void setTitle(const QString& title);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_title;
};

class PresetChooser final : public QDialog {
    Q_OBJECT
public:
    PresetChooser(const std::vector<ShippedRecording>& recordings, const PresetMachine& machine,
                  const experiment::Experiment& inForm, QWidget* parent);
    const experiment::Preset* current() const { return m_current; }
    /// What Choose would put into the form.
    const experiment::Experiment& previewed() const { return m_previewed; }
    QStringList listed() const; ///< ids of what the search leaves, from top to bottom

signals:
    void chosen(const olab::experiment::Experiment& experiment);
    void recordingRequested(const QString& path);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildList();
    QWidget* buildText();
    void fill();
    void search(const QString& query);
    void select(const experiment::Preset* preset);
    void preview(const experiment::Preset* preset, const QString& change,
                 const experiment::Experiment& experiment);
    RichText textOf() const;
    void follow(const QUrl& link);
    void choose();
    const std::vector<ShippedRecording>& m_recordings;
    const PresetMachine m_machine;
    const experiment::HeldExperiment m_inForm;
    const experiment::Preset* m_current = nullptr;
    QString m_change; ///< of the preset, by a link of its text
    experiment::HeldExperiment m_previewed;
    QLineEdit* m_search = nullptr;
    QTreeWidget* m_list = nullptr;
    QTextBrowser* m_text = nullptr;
    QPushButton *m_choose = nullptr, *m_open = nullptr;
};

} // namespace olab::ui
