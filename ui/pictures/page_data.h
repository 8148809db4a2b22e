// What the script of a page draws, as JSON.
#pragma once

#include <olab/ui/picture.h>

#include <QJsonObject>

#include <string_view>

namespace olab::ui {

extern const std::string_view kPageScript, kPageStyle; ///< of a page: built in

/// Times count from the first one the page can show, so that a script's numbers hold them exactly.
/// @throws Error kind Usage when there is more than a page can hold
/// `colouring`: of the request, null: by class.
QJsonObject pageData(const view::ViewData& shown, const PictureRequest& request,
                     const view::Colouring* colouring);

} // namespace olab::ui
