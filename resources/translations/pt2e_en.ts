<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>pt2e::ui::AccuracyPage</name>
    <message numerus="yes">
        <source>%n samples flipped</source>
        <translation>
            <numerusform>%n sample flipped</numerusform>
            <numerusform>%n samples flipped</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Comparison</name>
    <message numerus="yes">
        <source>%n left out of the data:</source>
        <translation>
            <numerusform>%n left out of the data:</numerusform>
            <numerusform>%n left out of the data:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ConvergencePage</name>
    <message numerus="yes">
        <source>%n batches are enough: from there on the SQNR stays within 0.5 dB.</source>
        <translation>
            <numerusform>One batch is enough: from there on the SQNR stays within 0.5 dB.</numerusform>
            <numerusform>%n batches are enough: from there on the SQNR stays within 0.5 dB.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The SQNR still moves with the last of the %n batches.</source>
        <translation>
            <numerusform>The SQNR still moves with the last of the %n batches.</numerusform>
            <numerusform>The SQNR still moves with the last of the %n batches.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::DiagnosisPage</name>
    <message numerus="yes">
        <source>%n batches</source>
        <translation>
            <numerusform>%n batch</numerusform>
            <numerusform>%n batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places to mend</source>
        <translation>
            <numerusform>%n place to mend</numerusform>
            <numerusform>%n places to mend</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mend %n places</source>
        <translation>
            <numerusform>Mend %n place</numerusform>
            <numerusform>Mend %n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::EvaluationDialog</name>
    <message numerus="yes">
        <source>with labels of %n classes</source>
        <translation>
            <numerusform>with labels of %n class</numerusform>
            <numerusform>with labels of %n classes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::FocusBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::HardwarePart</name>
    <message numerus="yes">
        <source>%n violations</source>
        <translation>
            <numerusform>%n violation</numerusform>
            <numerusform>%n violations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Inspector</name>
    <message numerus="yes">
        <source>%n batches</source>
        <translation>
            <numerusform>%n batch</numerusform>
            <numerusform>%n batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n scales, one per channel</source>
        <translation>
            <numerusform>%n scale, one per channel</numerusform>
            <numerusform>%n scales, one per channel</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n partitions</source>
        <translation>
            <numerusform>%n partition</numerusform>
            <numerusform>%n partitions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::MixedPrecisionPart</name>
    <message numerus="yes">
        <source>%n groups in float: %1, %2 of the MACs and %3 of the weights in float</source>
        <translation>
            <numerusform>%n group in float: %1, %2 of the MACs and %3 of the weights in float</numerusform>
            <numerusform>%n groups in float: %1, %2 of the MACs and %3 of the weights in float</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>searching: %n groups in float so far</source>
        <translation>
            <numerusform>searching: %n group in float so far</numerusform>
            <numerusform>searching: %n groups in float so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The target is not met: %1 with %n groups in float.</source>
        <translation>
            <numerusform>The target is not met: %1 with %n group in float.</numerusform>
            <numerusform>The target is not met: %1 with %n groups in float.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ProjectDesk</name>
    <message numerus="yes">
        <source>%n edits</source>
        <translation>
            <numerusform>%n edit</numerusform>
            <numerusform>%n edits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::RulesDialog</name>
    <message numerus="yes">
        <source>finds %n operators: %1</source>
        <translation>
            <numerusform>finds %n operator: %1</numerusform>
            <numerusform>finds %n operators: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operators</source>
        <translation>
            <numerusform>%n operator</numerusform>
            <numerusform>%n operators</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SensitivityPanel</name>
    <message numerus="yes">
        <source>about %n s left</source>
        <translation>
            <numerusform>about %n s left</numerusform>
            <numerusform>about %n s left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SensitivityRun</name>
    <message numerus="yes">
        <source>Mixed precision: %n groups in float</source>
        <translation>
            <numerusform>Mixed precision: %n group in float</numerusform>
            <numerusform>Mixed precision: %n groups in float</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::StagePane</name>
    <message numerus="yes">
        <source>, %n items</source>
        <translation>
            <numerusform>, %n item</numerusform>
            <numerusform>, %n items</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::StageStrip</name>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>+%n observers</source>
        <translation>
            <numerusform>+%n observer</numerusform>
            <numerusform>+%n observers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::TopBar</name>
    <message numerus="yes">
        <source>%n random batches</source>
        <translation>
            <numerusform>%n random batch</numerusform>
            <numerusform>%n random batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n module settings</source>
        <translation>
            <numerusform>%n module setting</numerusform>
            <numerusform>%n module settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operator settings</source>
        <translation>
            <numerusform>%n operator setting</numerusform>
            <numerusform>%n operator settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ValuesPart</name>
    <message numerus="yes">
        <source>%n batches</source>
        <translation>
            <numerusform>%n batch</numerusform>
            <numerusform>%n batches</numerusform>
        </translation>
    </message>
</context>
</TS>
