#include "ui/models/ReasonText.h"

#include <QCoreApplication>

namespace pt2e::ui {

namespace {
/// Core's sentences once more, for the translators; a test holds them against core's.
[[maybe_unused]] constexpr const char* kReasons[] = {
    QT_TRANSLATE_NOOP("Reason", "the %1 quantizer has no rule for %2"),
    QT_TRANSLATE_NOOP(
        "Reason", "relu_ is annotated only behind a convolution, linear, add or mul; in place it "
                  "does not share its input's observer"),
    QT_TRANSLATE_NOOP("Reason", "with a dynamic configuration only these rules run: %1"),
    QT_TRANSLATE_NOOP(
        "Reason", "the quantizer looks for torch.cat in source_fn_stack, which this program does "
                  "not carry"),
    QT_TRANSLATE_NOOP(
        "Reason", "the quantizer looks for torch.cat in source_fn_stack, where this node has %1"),
    QT_TRANSLATE_NOOP("Reason", "%1 has more users than %2, so the two are not fused"),
    QT_TRANSLATE_NOOP(
        "Reason", "a convolution whose padding is given as text is annotated only together with a "
                  "relu that is its only user"),
    QT_TRANSLATE_NOOP("Reason",
                      "a %1 is annotated only together with a relu that is its only user"),
    QT_TRANSLATE_NOOP("Reason",
                      "a transposed convolution is annotated only together with a relu that is its "
                      "only user"),
    QT_TRANSLATE_NOOP("Reason", "a transposed convolution with %1 groups is left out"),
    QT_TRANSLATE_NOOP("Reason",
                      "its only user is %1: it is left to a rule for both, and there is none for "
                      "dynamic configurations"),
    QT_TRANSLATE_NOOP("Reason", "its only user is %1: it is left to rule %2"),
    QT_TRANSLATE_NOOP(
        "Reason", "its only user is %1, so it is left to rule %2, which leaves it out, too: %3"),
    QT_TRANSLATE_NOOP("Reason",
                      "with a dynamic configuration only two-dimensional convolutions are taken"),
    QT_TRANSLATE_NOOP("Reason",
                      "with a dynamic configuration a convolution that reads one channel per group "
                      "(depthwise) is left out"),
    QT_TRANSLATE_NOOP(
        "Reason", "its module is called more than once: only the first call, %1, is annotated by "
                  "the rule"),
    QT_TRANSLATE_NOOP("Reason", "another node of the same torch.cat call is annotated instead"),
    QT_TRANSLATE_NOOP("Reason", "inside a GRU: only its inputs and results are annotated"),
    QT_TRANSLATE_NOOP("Reason", "follows %1, which has no annotation because %2"),
    QT_TRANSLATE_NOOP("Reason", "follows %1, which has no annotation: the chain starts at %2"),
    QT_TRANSLATE_NOOP(
        "Reason", "follows the graph input %1: it shares its producer's observer, and inputs have "
                  "none of their own"),
    QT_TRANSLATE_NOOP(
        "Reason", "follows the constant %1: it shares its producer's observer, and constants have "
                  "none of their own"),
    QT_TRANSLATE_NOOP("Reason", "follows %1, whose output is not annotated"),
    QT_TRANSLATE_NOOP("Reason", "its first argument is not a node"),
    QT_TRANSLATE_NOOP("Reason", "%1 is already taken by rule %2"),
    QT_TRANSLATE_NOOP(
        "Reason", "its weight %1 is already taken by rule %2: a weight that two convolutions read "
                  "is taken only once"),
    QT_TRANSLATE_NOOP("Reason", "is part of what rule %1 annotated, without a spec of its own"),
    QT_TRANSLATE_NOOP("Reason",
                      "its input %1 is a constant with an absolute value above 3.4028235e15"),
    QT_TRANSLATE_NOOP("Reason", "its input %1 is not a tensor"),
    QT_TRANSLATE_NOOP("Reason", "its input %1 is %2, not float32"),
    QT_TRANSLATE_NOOP("Reason", "an edit took its annotation away"),
    QT_TRANSLATE_NOOP("Reason", "%1 of the recipe leaves it out"),
    QT_TRANSLATE_NOOP(
        "Reason",
        "%1 is in '%2', which has a setting of its own: no other configuration reaches it"),
    QT_TRANSLATE_NOOP("Reason", "%1 is outside module '%2', and no other configuration reaches it"),
    QT_TRANSLATE_NOOP("Reason",
                      "%1 is outside modules of type '%2', and no other configuration reaches it"),
    QT_TRANSLATE_NOOP(
        "Reason", "the setting for module '%2' does not reach %1: parameters belong to no module, "
                  "and this rule wants its weight reached, too"),
    QT_TRANSLATE_NOOP(
        "Reason", "the setting for modules of type '%2' does not reach %1: parameters belong to no "
                  "module, and this rule wants its weight reached, too"),
    QT_TRANSLATE_NOOP("Reason",
                      "no configuration reaches it: there is no global one, and none for %1"),
    QT_TRANSLATE_NOOP("Reason", "stands in a sub-graph of %1 (%2), which prepare does not go into"),
    QT_TRANSLATE_NOOP("Reason", "no quantizer is chosen"),
    QT_TRANSLATE_NOOP("Reason", "the quantizer has no global configuration and no other one"),
};
} // namespace

QString reasonText(const Reason& reason)
{
    const std::string source(reasonTemplate(reason.key));
    const QString sentence = QCoreApplication::translate("Reason", source.c_str());
    std::vector<std::string> parameters = reason.parameters;
    for (const Reason& inner : reason.because)
        parameters.push_back(reasonText(inner).toStdString());
    return QString::fromStdString(fillTemplate(sentence.toStdString(), parameters));
}

} // namespace pt2e::ui
