#include "core/view/DiagnosisTable.h"

#include "core/view/TableCells.h"

namespace pt2e {

namespace {

std::string filled(std::string pattern, const std::string& argument)
{
    return pattern.replace(pattern.find("%1"), 2, argument);
}

} // namespace

Table diagnosisTable(const std::vector<Diagnosis>& diagnoses)
{
    Table table{"diagnosis",
                "Diagnosis",
                {"diagnosis", "node", "severity", "evidence", "mended by"},
                {},
                {StageKind::Prepared, StageKind::Annotated, StageKind::Converted}};
    for (const Diagnosis& diagnosis : diagnoses) {
        const Cell evidence{filled(diagnosis.evidence, diagnosis.numbers),
                            std::nullopt,
                            false,
                            {},
                            diagnosis.evidence,
                            diagnosis.numbers};
        table.rows.push_back(
            {{wordCell(diagnosisName(diagnosis.kind)), textCell(diagnosis.name),
              numberCell(diagnosis.severity, "{:.1f}"), evidence, wordCell(diagnosis.mend)},
             diagnosis.nodes});
    }
    return table;
}

} // namespace pt2e
