// What was answered in a lesson, as it is kept between two starts of the program. Pure.
#pragma once

#include <olab/lesson/lesson_record.h>

#include <QByteArray>

namespace olab::ui {

QByteArray answersToJson(const lesson::LessonRecord& record);
/// What cannot be read was not answered.
lesson::LessonRecord answersFromJson(const QByteArray& json);

} // namespace olab::ui
