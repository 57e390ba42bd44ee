// A graph in the form of a stage dump's GRAPH, and the first place where two such values differ.
#pragma once

#include "core/ir/Graph.h"

#include <QJsonObject>
#include <QString>

QJsonObject graphJson(const pt2e::Graph& graph);

/// A tensor as {"shape", "dtype", "sha256"}.
QJsonObject tensorJson(const pt2e::Tensor& tensor);

/// Empty when equal; else "nodes[3].args[0]: 1 instead of 2". Keys that only `actual` has do not count; lists of
/// nodes are compared by all of it.
QString firstDifference(const QJsonValue& actual, const QJsonValue& expected,
                        const QString& path = {});

/// Positional arguments of known operators turned into keyword ones, in a graphJson() value and its sub-graphs:
/// for files that do not say how an argument was passed.
QJsonObject withNamedArguments(QJsonObject graph);
