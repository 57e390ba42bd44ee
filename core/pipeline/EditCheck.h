// What is wrong with an edit, told before it is made.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/pipeline/EditSpec.h"
#include "core/pipeline/Snapshot.h"

#include <string>
#include <vector>

namespace pt2e {

enum class ConflictKind : std::uint8_t {
    MissingNode, ///< the edit, or a point in it, names what is not there
    BadSpec, ///< torchao refuses to make an observer of it: a range outside of the dtype, a scheme without axis …
    Circle, ///< shared points that name each other
    NoAnnotation, ///< shares with a point that nothing is asked for
    LaterAnchor, ///< shares with, or is derived from, a point whose observer is made only later
    PrepareFails, ///< for any other reason
    NotATensor, ///< a tuple or a size is read there: prepare puts an observer on it, which calibration or convert ends at
    DTypeMismatch, ///< a value is given in one dtype and read in another
    RangeMismatch, ///< the same with other bounds or another scheme
    FloatOnXnnpack ///< XNNPACK has no kernel for it
};

struct EditConflict
{
    ConflictKind kind;
    Severity severity; ///< Error: prepare will fail, or the edit is left out
    std::string message; ///< one sentence, lower case, no full stop
    friend bool operator==(const EditConflict&, const EditConflict&) = default;
};

/// What the edit would bring on top of the recipe that the stage was made with. What is wrong without it is not told
/// again. Errors first. Costs one prepare without calibration.
std::vector<EditConflict> conflictsOf(const AnnotatedStage& stage, const Recipe& recipe,
                                      const Edit& edit);

/// The same for another recipe of the same model: what `after` has that `before` has not, looked for at all points.
std::vector<EditConflict> newConflicts(const AnnotatedStage& before, const AnnotatedStage& after);

} // namespace pt2e
