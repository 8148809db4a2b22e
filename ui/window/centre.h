// The middle of the window: one room at a time. GUI thread.
#pragma once

#include <QStackedWidget>

#include <array>
#include <cstdint>

namespace olab::ui {

enum class Room : std::uint8_t { Gallery, Work, Lessons, Claims, Live, Sweep, Watch, Recordings, Compare };

class Centre final : public QStackedWidget {
public:
    void add(Room room, QWidget& page) {
        at(room) = &page;
        addWidget(&page);
    }
    /// One that has been added.
    void enter(Room room) { setCurrentWidget(at(room)); }
    bool isIn(Room room) const { return currentWidget() && currentWidget() == m_pages[number(room)]; }

private:
    static std::size_t number(Room room) { return static_cast<std::size_t>(room); }
    QWidget*& at(Room room) { return m_pages[number(room)]; }
    std::array<QWidget*, 9> m_pages{}; ///< null: not made yet
};

} // namespace olab::ui
