// A descriptor that is closed with its owner. Private to trace.
#pragma once

#include <unistd.h>
#include <utility>

namespace olab::trace_detail {

class Descriptor {
public:
    explicit Descriptor(int number)
        : m_number(number) {}
    ~Descriptor() {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    int number() const { return m_number; } ///< below 0: none

private:
    int m_number;
};

} // namespace olab::trace_detail
