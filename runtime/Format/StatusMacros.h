// The runtime's one header with macros: leaving a function early with a Status.

#ifndef PLANWRIGHT_RUNTIME_FORMAT_STATUSMACROS_H
#define PLANWRIGHT_RUNTIME_FORMAT_STATUSMACROS_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include <string>
#include <string_view>

/// Returns the status of `expression` from the enclosing function unless it is OK.
#define PLANWRIGHT_RETURN_IF_ERROR(expression)                                                     \
  if (::absl::Status planwrightStatus = (expression); !planwrightStatus.ok())                      \
  return planwrightStatus

#define PLANWRIGHT_CONCATENATE_INNER(a, b) a##b
#define PLANWRIGHT_CONCATENATE(a, b) PLANWRIGHT_CONCATENATE_INNER(a, b)
#define PLANWRIGHT_ASSIGN_OR_RETURN_INNER(result, declaration, expression)                         \
  auto result = (expression);                                                                      \
  if (!result.ok())                                                                                \
    return result.status();                                                                        \
  declaration = std::move(*result)

/// Declares (or assigns) `declaration` from the value of a StatusOr, or returns its status.
#define PLANWRIGHT_ASSIGN_OR_RETURN(declaration, expression)                                       \
  PLANWRIGHT_ASSIGN_OR_RETURN_INNER(PLANWRIGHT_CONCATENATE(planwrightResult, __LINE__),            \
                                    declaration, expression)

namespace planwright::rt {

/// A std::string_view for Abseil, whose Debian build has a view type of its own.
inline absl::string_view toAbsl(std::string_view text) { return {text.data(), text.size()}; }

/// The same status with "`where`: " before its message; OK stays OK.
inline absl::Status annotate(const absl::Status &status, std::string_view where) {
  if (status.ok())
    return status;
  return absl::Status(status.code(), absl::StrCat(toAbsl(where), ": ", status.message()));
}

} // namespace planwright::rt

#endif // PLANWRIGHT_RUNTIME_FORMAT_STATUSMACROS_H
