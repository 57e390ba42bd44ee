// A pipeline for jobs, which may outlive what started them.
#pragma once

#include "core/pipeline/Pipeline.h"

#include <mutex>
#include <utility>

namespace pt2e::ui {

struct SharedPipeline
{
    explicit SharedPipeline(ModelPtr model) : pipeline(std::move(model)) {}

    /// To be held while the pipeline is used: a job that was replaced may still be in it when the next one starts.
    std::mutex mutex;
    Pipeline pipeline;
};

} // namespace pt2e::ui
