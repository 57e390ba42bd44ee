// What a core function answers when it can fail.
//
// Bad input and failed jobs are values, never exceptions: a function that can fail returns Result<T>.
// Exceptions are caught around ATen and at the top of a job; nothing else throws.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace pt2e {

/// Why something failed. The program's exit codes and the window's wording follow from this alone.
enum class ErrorCode {
    BadInput, ///< the user's file, recipe or data is wrong; the message says where and what
    Unsupported, ///< well formed, but nothing here can do it
    Cancelled, ///< the user stopped it; never shown as a failure
    Io, ///< the operating system refused (missing file, full disk, …)
    Internal ///< a fault of this program
};

/// A failure: "where: what", lower case, no full stop.
/// Example: where = "model.json: node 'conv2d_3'", what = "argument 'padding' has unsupported kind as_sym_ints".
struct Error
{
    ErrorCode code = ErrorCode::Internal;
    std::string where; ///< file, record, node or option; may be empty
    std::string what; ///< the reason, never empty
    /// The whole sentence as it is shown: "where: what", or just "what" if no place is known.
    std::string message() const { return where.empty() ? what : where + ": " + what; }
};

template<typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for `return fail(ErrorCode::BadInput, "where", "what");` in any function that returns a Result.
inline tl::unexpected<Error> fail(ErrorCode code, std::string where, std::string what)
{
    return tl::unexpected<Error>(Error{code, std::move(where), std::move(what)});
}

inline tl::unexpected<Error> badInput(std::string where, std::string what)
{
    return fail(ErrorCode::BadInput, std::move(where), std::move(what));
}

/// Passes an error on: `return passOn(result);`
template<typename T>
tl::unexpected<Error> passOn(const Result<T>& failed)
{
    return tl::unexpected<Error>(failed.error());
}

} // namespace pt2e

/// Runs an expression that yields a Result and returns its error from the enclosing function if there is one.
#define PT2E_TRY(expression)                                                      \
    do {                                                                          \
        if (auto pt2eTried = (expression); !pt2eTried)                            \
            return ::tl::unexpected<::pt2e::Error>(std::move(pt2eTried).error()); \
    } while (false)

#define PT2E_CONCAT_INNER(a, b) a##b
#define PT2E_CONCAT(a, b) PT2E_CONCAT_INNER(a, b)

/// Declares `declaration` from the value of an expression that yields a Result, or returns its error.
#define PT2E_ASSIGN(declaration, expression)                       \
    auto PT2E_CONCAT(pt2eResult, __LINE__) = (expression);         \
    if (!PT2E_CONCAT(pt2eResult, __LINE__))                        \
        return ::tl::unexpected<::pt2e::Error>(                    \
            std::move(PT2E_CONCAT(pt2eResult, __LINE__)).error()); \
    declaration = std::move(*PT2E_CONCAT(pt2eResult, __LINE__))
