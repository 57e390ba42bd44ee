// FX's rule for node names (torch.fx.graph._Namespace), taken literally: names of erased nodes stay used.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pt2e {

class Namespace
{
public:
    Namespace() = default;
    /// Goes on where another one stands, which keeps its names: those of a large graph are not copied for each pass.
    explicit Namespace(std::shared_ptr<const Namespace> base) : m_base(std::move(base)) {}

    /// A fresh name made from the candidate; marks it used. Matches _Namespace.create_name.
    std::string create(std::string_view candidate);
    /// Marks a name used without counting it, for names that were not made here.
    void reserve(std::string_view name);
    bool isUsed(const std::string& name) const
    {
        return m_used.contains(name) || (m_base && m_base->isUsed(name));
    }

private:
    /// What create() counted to last for names that start like this; 0: nothing yet.
    long long counterOf(const std::string& start) const;

    std::shared_ptr<const Namespace> m_base;
    std::unordered_set<std::string> m_used;
    std::unordered_map<std::string, long long> m_counter;
};

/// FX's _snake_case: "_" between a lower-case and a following upper-case letter, all lowered.
std::string snakeCase(std::string_view text);
/// The naming candidate FX derives from a target (Graph._target_to_str): "aten.relu.default" → "relu.default",
/// "getitem" → "getitem", "myConv.weight" → "my_conv.weight"; create() then makes an identifier of it.
std::string candidateFor(std::string_view target, bool isCallable);

} // namespace pt2e
