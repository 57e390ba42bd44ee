#include "ui/models/FactTables.h"

#include "core/view/TableCells.h"
#include "ui/models/CoreText.h"

namespace pt2e::ui {

namespace {

Table pairsTable(const char* id, const char* title)
{
    Table table;
    table.id = id;
    table.title = title;
    table.columns = {"what", "value"};
    return table;
}

void add(Table& table, const QString& what, const QString& value)
{
    if (!value.isEmpty())
        table.rows.push_back({{textCell(what.toStdString()), textCell(value.toStdString())}, {}});
}

Table callTable(const NodeFacts& facts)
{
    Table table = pairsTable("call", "call");
    add(table, QStringLiteral("name"), facts.name);
    add(table, QStringLiteral("target"), facts.target);
    add(table, QStringLiteral("stage"),
        QString::fromStdString(std::string(stageName(facts.stage))));
    add(table, QStringLiteral("call"), facts.call);
    add(table, QStringLiteral("value"), facts.value);
    add(table, QStringLiteral("module"), facts.module);
    add(table, QStringLiteral("source"), facts.source);
    add(table, QStringLiteral("not quantized"), facts.whyNot);
    add(table, QStringLiteral("root"), facts.whyNotRootName);
    return table;
}

Table annotationTableOf(const NodeFacts& facts)
{
    Table table;
    table.id = "annotation";
    table.title = "annotation";
    table.columns = {"point", "spec", "quantizer", "observer"};
    for (const PointFact& fact : facts.points)
        table.rows.push_back({{textCell(fact.point.text()), textCell(fact.text.toStdString()),
                               textCell(fact.saidText.toStdString()),
                               fact.observer < 0 ? absentCell() : countCell(fact.observer)},
                              {}});
    return table;
}

Table valuesTable(const ValueFact& values)
{
    Table table = pairsTable("values", "values");
    const auto number = [&table](const char* what, double value) {
        table.rows.push_back({{textCell(what), numberCell(value, "{:.9g}")}, {}});
    };
    add(table, QStringLiteral("observer"), values.observer);
    add(table, QStringLiteral("of"), values.where);
    table.rows.push_back({{textCell("batches"), countCell(values.batches)}, {}});
    if (values.state.minVal.size() == 1) {
        number("min", static_cast<double>(values.state.minVal[0]));
        number("max", static_cast<double>(values.state.maxVal[0]));
    }
    if (values.qparams && values.qparams->scale.size() == 1) {
        number("scale", static_cast<double>(values.qparams->scale[0]));
        table.rows.push_back(
            {{textCell("zero point"), countCell(values.qparams->zeroPoint[0])}, {}});
    }
    if (const auto clipped = clippedShare(values))
        number("clipped share", *clipped);
    return table;
}

/// Counts of the bins, or what each channel had; empty where there is neither.
Table distributionTable(const ValueFact& values)
{
    const ObserverState& state = values.state;
    Table table;
    if (!state.histogram.empty() && state.minVal.size() == 1) {
        table.id = table.title = "histogram";
        table.columns = {"from", "to", "count"};
        const double low = static_cast<double>(state.minVal[0]);
        const double step = (static_cast<double>(state.maxVal[0]) - low)
                            / static_cast<double>(state.histogram.size());
        for (std::size_t i = 0; i < state.histogram.size(); ++i)
            table.rows.push_back({{numberCell(low + static_cast<double>(i) * step, "{:.9g}"),
                                   numberCell(low + static_cast<double>(i + 1) * step, "{:.9g}"),
                                   numberCell(static_cast<double>(state.histogram[i]), "{:.9g}")},
                                  {}});
    } else if (state.minVal.size() > 1) {
        table.id = table.title = "channels";
        table.columns = {"channel", "min", "max", "scale"};
        const bool hasScales =
            values.qparams && values.qparams->scale.size() == state.minVal.size();
        for (std::size_t i = 0; i < state.minVal.size(); ++i)
            table.rows.push_back(
                {{countCell(static_cast<std::int64_t>(i)),
                  numberCell(static_cast<double>(state.minVal[i]), "{:.9g}"),
                  numberCell(static_cast<double>(state.maxVal[i]), "{:.9g}"),
                  hasScales ? numberCell(static_cast<double>(values.qparams->scale[i]), "{:.9g}")
                            : absentCell()},
                 {}});
    }
    return table;
}

} // namespace

std::vector<Table> factTables(const NodeFacts& facts)
{
    if (!facts.isValid)
        return {};
    std::vector<Table> all{callTable(facts), annotationTableOf(facts)};
    if (facts.values) {
        all.push_back(valuesTable(*facts.values));
        all.push_back(distributionTable(*facts.values));
    }
    Table across = pairsTable("across", "across stages");
    for (const AcrossFact& fact : facts.across)
        add(across, QString::fromStdString(std::string(stageName(fact.stage))), fact.text);
    Table users;
    users.id = users.title = "users";
    users.columns = {"name"};
    for (const auto& [name, node] : facts.users)
        users.rows.push_back({{textCell(name.toStdString())}, {}});
    Table meta = pairsTable("metadata", "metadata");
    for (const auto& [key, value] : facts.meta)
        add(meta, key, value);
    all.insert(all.end(), {std::move(across), std::move(users), std::move(meta)});
    std::erase_if(all, [](const Table& table) { return table.rows.empty(); });
    return all;
}

} // namespace pt2e::ui
