#include "driver_work.h"

#include <utility>

namespace olab::cupti {
namespace {

/// Ids count up, and may start again from 0.
bool isBefore(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a - b) < 0;
}

} // namespace

DriverWork::DriverWork(std::function<bool(bool)> tell, bool recorded)
    : m_tell(std::move(tell))
    , m_recorded(recorded) {}

std::uint32_t& DriverWork::openOf(std::uint32_t turn) {
    return turn == m_turn ? m_new : turn + 1 == m_turn ? m_last : m_old;
}

void DriverWork::forgetWork(Slot& slot) {
    if (slot.work != 0)
        --openOf(slot.turn);
    slot.work = 0;
}

void DriverWork::noteCall(std::uint32_t correlation) {
    Slot& slot = m_slots[correlation % kSlots];
    if (slot.work == correlation) {
        forgetWork(slot);
        ++m_byRuntime;
    }
    slot.call = correlation;
}

void DriverWork::noteWork(std::uint32_t correlation) {
    Slot& slot = m_slots[correlation % kSlots];
    if (m_sure || correlation == 0 || slot.work == correlation)
        return;
    m_byRuntime += slot.call == correlation;
    if (slot.call != 0 && !isBefore(slot.call, correlation))
        return; // its call has come, or a later one has taken the place: not known
    forgetWork(slot);
    slot.work = correlation;
    slot.turn = m_turn;
    ++m_new;
}

bool DriverWork::isRuntimeCall(std::uint32_t correlation) const {
    return correlation != 0 && m_slots[correlation % kSlots].call == correlation;
}

void DriverWork::nextTurn() {
    m_old += std::exchange(m_last, std::exchange(m_new, 0));
    ++m_turn;
    if (m_sure)
        return;
    if (m_old >= kEnough) {
        m_sure = true;
        if (!std::exchange(m_recorded, true))
            m_tell(true);
    } else if (m_turn >= kTurns)
        giveUp();
}

void DriverWork::turnHasCome() {
    if (m_new + m_last + m_old < kEnough)
        giveUp();
}

void DriverWork::giveUp() {
    if (!isOpen() || m_byRuntime < kTried)
        return;
    m_recorded = !m_tell(false);
    m_sure = m_recorded;
}

} // namespace olab::cupti
