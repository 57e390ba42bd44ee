#include "core/analysis/Classified.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e {

const char* runName(RunKind run)
{
    switch (run) {
    case RunKind::Float: return "float";
    case RunKind::Simulated: return "simulated";
    case RunKind::Xnnpack: break;
    }
    return "XNNPACK";
}

Classifier::Classifier(std::vector<std::int64_t> labels, std::vector<std::string> classNames)
    : m_labels(std::move(labels)),
      m_classNames(std::move(classNames))
{}

Result<void> Classifier::add(const std::vector<std::int64_t>& samples,
                             const std::array<const Tensor*, kRunKinds>& scores)
{
    const std::size_t first = m_all.size();
    for (const std::int64_t sample : samples)
        m_all.push_back({sample, m_labels[static_cast<std::size_t>(sample)], {}});
    for (std::size_t run = 0; run < kRunKinds; ++run) {
        if (!scores[run])
            return badInput("labels", "the first output is no tensor of class scores");
        auto predicted = predictedClasses(*scores[run], static_cast<std::int64_t>(samples.size()));
        if (!predicted)
            return badInput("labels", predicted.error().what);
        for (std::size_t i = 0; i < predicted->size(); ++i)
            m_all[first + i].predicted[run] = (*predicted)[i];
        m_classes = scores[run]->shape()[1];
    }
    for (std::size_t i = first; i < m_all.size(); ++i) {
        if (m_all[i].label >= m_classes)
            return badInput("labels", fmt::format("sample {} has label {}, the first output has "
                                                  "{} classes",
                                                  m_all[i].sample, m_all[i].label, m_classes));
    }
    return {};
}

namespace {

RunComparison comparedRuns(const std::vector<Flip>& all, RunKind run, RunKind with)
{
    RunComparison result{run, with, 0, {}};
    std::int64_t broken = 0, fixed = 0;
    for (const Flip& sample : all) {
        const std::int64_t before = sample.predicted[static_cast<std::size_t>(with)];
        const std::int64_t after = sample.predicted[static_cast<std::size_t>(run)];
        result.agreeing += before == after ? 1 : 0;
        broken += before == sample.label && after != sample.label ? 1 : 0;
        fixed += before != sample.label && after == sample.label ? 1 : 0;
    }
    result.difference = pairedDifference(broken, fixed, static_cast<std::int64_t>(all.size()));
    return result;
}

} // namespace

Classified Classifier::result() const
{
    Classified result;
    result.samples = static_cast<std::int64_t>(m_all.size());
    std::vector<std::int64_t> labels;
    for (const Flip& sample : m_all)
        labels.push_back(sample.label);
    for (std::int64_t i = 0; i < m_classes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        result.classNames.push_back(at < m_classNames.size() ? m_classNames[at]
                                                             : std::to_string(i));
    }
    for (std::size_t run = 0; run < kRunKinds; ++run) {
        std::vector<std::int64_t> predicted;
        std::int64_t right = 0;
        for (const Flip& sample : m_all) {
            predicted.push_back(sample.predicted[run]);
            right += sample.predicted[run] == sample.label ? 1 : 0;
        }
        result.accuracy[run] = wilson(right, result.samples);
        result.confusion[run] = confusion(labels, predicted, m_classes);
    }
    for (const auto& [run, with] : {std::pair(RunKind::Simulated, RunKind::Float),
                                    std::pair(RunKind::Xnnpack, RunKind::Float),
                                    std::pair(RunKind::Xnnpack, RunKind::Simulated)})
        result.comparisons.push_back(comparedRuns(m_all, run, with));
    result.all = m_all;
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(result.flips),
                 [](const Flip& sample) {
                     return sample.predicted[0] != sample.predicted[1]
                            || sample.predicted[0] != sample.predicted[2];
                 });
    return result;
}

} // namespace pt2e
