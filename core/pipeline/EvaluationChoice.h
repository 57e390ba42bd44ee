// What the user chose to judge a quantized model on.
#pragma once

#include "core/data/DataFormat.h"

#include <string>

namespace pt2e {

struct EvaluationChoice
{
    std::string path; ///< a file or folder (DataRequest); empty: what the model offers
    std::string labels; ///< of `path`; empty: the names of folders of pictures, or none
    DataFormat format; ///< of `path`
    friend bool operator==(const EvaluationChoice&, const EvaluationChoice&) = default;
};

} // namespace pt2e
