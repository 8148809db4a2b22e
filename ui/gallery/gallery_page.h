// What the window shows before there is a recording, and when it is asked to: the files opened last, the
// demonstrations as large cards, the recordings of real GPUs that come with the program, each with a picture
// and its verdict, and the presets, by group. Pictures are
// made when they come into sight, on a thread of their own. GUI thread.
#pragma once

#include "experiment/preset_fit.h"
#include "gallery/gallery_card.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace olab::ui {

class GalleryCard;

class GalleryPage final : public QWidget {
    Q_OBJECT
public:
    explicit GalleryPage(const QString& folder, QWidget* parent = nullptr);
    const std::vector<ShippedRecording>& recordings() const { return m_recordings; }
    std::vector<GalleryCard*> cards() const; ///< from top to bottom
    void setMachine(const PresetMachine& machine);
    /// The recording that Esc and the button go back to; empty: there is none.
    void setBack(const QString& title);
    void focusCard();
    /// Files opened last, newest first: each with its folder, above the cards.
    struct Recent {
        QString path, folder;
    };
    void setRecent(const std::vector<Recent>& files);

signals:
    void recentRequested(const QString& path);
    void recordingRequested(const QString& path);
    void presetRequested(const olab::experiment::Preset* preset);
    void chooserRequested();
    void fileRequested();
    void backRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Item {
        GalleryCard* card = nullptr;
        const experiment::Preset* preset = nullptr;
        const ShippedRecording* recording = nullptr;
        bool asked = false;
    };
    QWidget* buildHead(const QString& folder);
    void buildGroups(QVBoxLayout* column);
    void addItem(QWidget* group, const experiment::Preset* preset, const ShippedRecording* recording);
    void askForVisible();
    void take(const GalleryResult& result);
    void step(const GalleryCard* from, int key);
    void restyle();
    std::vector<ShippedRecording> m_recordings;
    std::vector<Item> m_items;
    PresetMachine m_machine;
    GalleryReader m_reader;
    QScrollArea* m_scroll;
    QPushButton* m_back = nullptr;
    QWidget* m_recent = nullptr;
    QTimer m_soon; ///< once, when what is in sight has changed
};

} // namespace olab::ui
