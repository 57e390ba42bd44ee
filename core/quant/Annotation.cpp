#include "core/quant/Annotation.h"

#include <algorithm>

namespace pt2e {

Spec* Annotation::input(NodeId node)
{
    const auto it = std::find_if(inputs.begin(), inputs.end(),
                                 [node](const auto& entry) { return entry.first == node; });
    return it == inputs.end() ? nullptr : &it->second;
}

const Spec* Annotation::input(NodeId node) const
{
    return const_cast<Annotation*>(this)->input(node);
}

void Annotation::setInput(NodeId node, Spec spec)
{
    if (Spec* present = input(node))
        *present = std::move(spec);
    else
        inputs.emplace_back(node, std::move(spec));
}

const Annotation* AnnotationTable::find(NodeId node) const
{
    const auto it = m_annotations.find(node);
    return it == m_annotations.end() ? nullptr : &it->second;
}

Annotation* AnnotationTable::find(NodeId node)
{
    const auto it = m_annotations.find(node);
    return it == m_annotations.end() ? nullptr : &it->second;
}

} // namespace pt2e
