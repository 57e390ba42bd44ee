#include "tests/pt2/GraphJson.h"

#include "core/pt2/ArgumentNames.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>

using namespace pt2e;

namespace {

QString q(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

QJsonValue sizeJson(const SymInt& size)
{
    if (size.isSymbolic())
        return q(size.expression());
    return QJsonValue(qint64(size.value()));
}

QJsonValue realJson(double value)
{
    if (std::isfinite(value))
        return value;
    return QJsonObject{{QStringLiteral("float"), std::isnan(value) ? QStringLiteral("nan")
                                                 : value > 0       ? QStringLiteral("inf")
                                                                   : QStringLiteral("-inf")}};
}

QJsonValue argumentJson(const Graph& graph, const Argument& argument)
{
    if (argument.isNone())
        return QJsonValue::Null;
    if (const auto* value = argument.get<bool>())
        return *value;
    if (const auto* value = argument.get<std::int64_t>())
        return QJsonValue(qint64(*value));
    if (const auto* value = argument.get<double>())
        return realJson(*value);
    if (const auto* value = argument.get<std::string>())
        return q(*value);
    if (argument.node())
        return QJsonObject{{QStringLiteral("%"), q(graph.node(argument.node()).name)}};
    if (const auto* value = argument.get<DType>())
        return QJsonObject{{QStringLiteral("dtype"), q(dtypeName(*value))}};
    if (const auto* value = argument.get<Layout>())
        return QJsonObject{{QStringLiteral("layout"), q(layoutName(*value))}};
    if (const auto* value = argument.get<MemoryFormat>())
        return QJsonObject{{QStringLiteral("memory_format"), q(memoryFormatName(*value))}};
    if (const auto* value = argument.get<Device>()) {
        const std::string index = value->index < 0 ? "" : ":" + std::to_string(value->index);
        return QJsonObject{{QStringLiteral("device"), q(value->type + index)}};
    }
    if (const auto* value = argument.get<ArgumentList>()) {
        QJsonArray items;
        for (const Argument& item : value->items)
            items.append(argumentJson(graph, item));
        return items;
    }
    return QJsonObject{{QStringLiteral("repr"), QStringLiteral("?")}};
}

/// Targets as the dump spells them: functions on symbols by their bare name.
QString targetJson(const Node& node)
{
    for (const std::string_view prefix : {"_operator.", "torch.", "math."}) {
        if (node.is(OpKind::CallFunction) && node.target.starts_with(prefix))
            return q(std::string_view(node.target).substr(node.target.rfind('.') + 1));
    }
    return q(node.target);
}

QJsonObject nodeJson(const Graph& graph, const Node& node)
{
    QJsonArray args;
    for (const Argument& argument : node.args)
        args.append(argumentJson(graph, argument));
    QJsonObject kwargs;
    for (const auto& [key, argument] : node.kwargs)
        kwargs.insert(q(key), argumentJson(graph, argument));
    QJsonArray users;
    for (const NodeId user : node.users)
        users.append(q(graph.node(user).name));
    QJsonArray modules;
    if (node.fileMeta) {
        for (const ModuleFrame& frame : node.fileMeta->moduleStack)
            modules.append(q(frame.path));
    }
    QJsonObject out{{QStringLiteral("name"), q(node.name)},
                    {QStringLiteral("op"), q(opKindName(node.kind))},
                    {QStringLiteral("target"), targetJson(node)},
                    {QStringLiteral("args"), args},
                    {QStringLiteral("kwargs"), kwargs},
                    {QStringLiteral("users"), users},
                    {QStringLiteral("modules"), modules},
                    {QStringLiteral("shape"), QJsonValue::Null},
                    {QStringLiteral("dtype"), QJsonValue::Null}};
    if (const TensorMeta* meta = node.val.tensor()) {
        QJsonArray shape;
        for (const SymInt& size : meta->shape)
            shape.append(sizeJson(size));
        out.insert(QStringLiteral("shape"), shape);
        out.insert(QStringLiteral("dtype"), q(dtypeName(meta->dtype)));
    }
    return out;
}

} // namespace

QJsonObject tensorJson(const Tensor& tensor)
{
    QJsonArray shape;
    for (const std::int64_t size : tensor.shape())
        shape.append(qint64(size));
    const auto hash = sha256(tensor);
    return {{QStringLiteral("shape"), shape},
            {QStringLiteral("dtype"), q(dtypeName(tensor.dtype()))},
            {QStringLiteral("sha256"), q(hash ? *hash : hash.error().message())}};
}

QJsonObject graphJson(const Graph& graph)
{
    QJsonArray nodes;
    QJsonObject tensors;
    for (const Node& node : graph) {
        nodes.append(nodeJson(graph, node));
        const Attribute* attribute =
            node.is(OpKind::GetAttr) ? graph.attributes().find(node.target) : nullptr;
        if (attribute && attribute->value.isValid())
            tensors.insert(q(node.target), tensorJson(attribute->value));
    }
    QJsonObject bodies;
    for (const auto& [name, body] : graph.subgraphs())
        bodies.insert(q(name), graphJson(*body));
    return {{QStringLiteral("nodes"), nodes},
            {QStringLiteral("tensors"), tensors},
            {QStringLiteral("subgraphs"), bodies}};
}

QString firstDifference(const QJsonValue& actual, const QJsonValue& expected, const QString& path)
{
    if (expected.isObject() && actual.isObject()) {
        const QJsonObject have = actual.toObject();
        const QJsonObject want = expected.toObject();
        for (auto it = want.begin(); it != want.end(); ++it) {
            if (!have.contains(it.key()))
                return path + QStringLiteral(": no '") + it.key() + u'\'';
            const QString inner =
                firstDifference(have.value(it.key()), it.value(), path + u'.' + it.key());
            if (!inner.isEmpty())
                return inner;
        }
        return {};
    }
    if (expected.isArray() && actual.isArray()) {
        const QJsonArray have = actual.toArray();
        const QJsonArray want = expected.toArray();
        for (qsizetype i = 0; i < qMin(have.size(), want.size()); ++i) {
            const QString inner =
                firstDifference(have[i], want[i], path + QStringLiteral("[%1]").arg(i));
            if (!inner.isEmpty())
                return inner;
        }
        if (have.size() != want.size())
            return path
                   + QStringLiteral(": %1 items instead of %2").arg(have.size()).arg(want.size());
        return {};
    }
    if (actual == expected)
        return {};
    const auto text = [](const QJsonValue& value) {
        const QByteArray json = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
        return QString::fromUtf8(json.mid(1, json.size() - 2));
    };
    return path + QStringLiteral(": %1 instead of %2").arg(text(actual), text(expected));
}

QJsonObject withNamedArguments(QJsonObject graph)
{
    QJsonArray nodes = graph.value(u"nodes").toArray();
    for (QJsonValueRef entry : nodes) {
        QJsonObject node = entry.toObject();
        const std::string target = node.value(u"target").toString().toStdString();
        const auto names = pt2::argumentNames(target);
        if (!names)
            continue;
        const QJsonArray args = node.value(u"args").toArray();
        QJsonObject kwargs = node.value(u"kwargs").toObject();
        for (qsizetype i = 0; i < args.size() && std::size_t(i) < names->positional.size(); ++i)
            kwargs.insert(q(names->positional[std::size_t(i)]), args[i]);
        node.insert(QStringLiteral("args"), QJsonArray{});
        node.insert(QStringLiteral("kwargs"), kwargs);
        entry = node;
    }
    graph.insert(QStringLiteral("nodes"), nodes);
    QJsonObject bodies = graph.value(u"subgraphs").toObject();
    for (QJsonValueRef body : bodies)
        body = withNamedArguments(body.toObject());
    graph.insert(QStringLiteral("subgraphs"), bodies);
    return graph;
}
