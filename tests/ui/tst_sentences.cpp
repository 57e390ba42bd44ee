// Core's sentences in the window's language: patterns and sources say the same, and what core really says is known.
#include "core/pipeline/EditCheck.h"
#include "core/pipeline/Edits.h"
#include "core/pipeline/Pipeline.h"
#include "tests/ui/UiTest.h"
#include "ui/models/ConflictText.h"
#include "ui/models/SentenceText.h"
#include "ui/panels/TablesPanel.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

bool isChinese(const QString& text)
{
    return std::any_of(text.begin(), text.end(),
                       [](QChar c) { return c.unicode() >= 0x4E00 && c.unicode() <= 0x9FFF; });
}

/// All of core's sources, with literals that stand beside each other made one.
QString coreSources()
{
    QString all;
    QDirIterator files(qEnvironmentVariable("PT2E_SOURCE_DIR") + "/core",
                       {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            all += QString::fromUtf8(file.readAll());
    }
    const QString quote(QChar(1)); // one inside of a literal
    all.replace(QStringLiteral("\\\""), quote);
    static const QRegularExpression kBetween(QStringLiteral("\"\\s*\""));
    all.replace(kBetween, QString());
    return all.replace(quote, QStringLiteral("\""));
}

/// As one literal, or put together of two.
bool isIn(const QString& sources, const QString& words)
{
    if (sources.contains(words))
        return true;
    for (qsizetype i = 1; i < words.size(); ++i) {
        if (sources.contains(words.left(i) + QLatin1Char('"'))
            && sources.contains(QLatin1Char('"') + words.mid(i)))
            return true;
    }
    return false;
}

} // namespace

class TestSentences : public QObject
{
    Q_OBJECT
public:
    explicit TestSentences(UiApplication& application) : m_application(application) {}

private Q_SLOTS:
    void initTestCase() { m_application.preferences().setLanguage("zh_TW"); }
    void cleanupTestCase() { m_application.preferences().setLanguage("en"); }

    /// What core does not say any more has no pattern.
    void patternsAreCoresWords()
    {
        const QString sources = coreSources();
        QVERIFY(sources.size() > 100000);
        static const QRegularExpression kParameter(QStringLiteral("%[1-9]"));
        for (const std::string_view pattern : sentencePatterns()) {
            const QString text = QString::fromStdString(std::string(pattern));
            for (const QString& words : text.split(kParameter, Qt::SkipEmptyParts))
                QVERIFY2(isIn(sources, words),
                         qPrintable(QString("'%1' of '%2'").arg(words, text)));
        }
    }

    void parametersAreKept()
    {
        m_application.preferences().setLanguage("en");
        for (const char* text :
             {"cat->pool would share with itself, by way of x->cat", "no such sentence as this",
              "point 'relu_9': there is no node 'relu_9'", "its weight stays (and 3 more like it)",
              "8 random batches"})
            QCOMPARE(sentenceText(QString::fromUtf8(text)), QString::fromUtf8(text));
        m_application.preferences().setLanguage("zh_TW");
        QCOMPARE(sentenceText(QString("cat->pool would share with itself, by way of x->cat")),
                 QStringLiteral("cat->pool 會經由 x->cat 與自己共用"));
        QCOMPARE(sentenceText(QString("point 'relu_9': there is no node 'relu_9'")),
                 QStringLiteral("point 'relu_9': 沒有節點「relu_9」"));
        // Sentences in sentences, and the one that fits best of several.
        QCOMPARE(sentenceText(QString("nothing is asked for at relu, so that prepare_pt2e fails")),
                 QStringLiteral("relu 沒有任何標註，因此 prepare_pt2e 會失敗"));
        QCOMPARE(
            sentenceText(QString("the observer of relu is made later than that of x->conv2d, so "
                                 "that prepare_pt2e fails")),
            QStringLiteral("relu 的觀察器建立得比 x->conv2d 的晚，因此 prepare_pt2e 會失敗"));
        QCOMPARE(sentenceText(QString("fashion, the first 100 of 10000 samples")),
                 QStringLiteral("fashion，10000 個樣本中的前 100 個"));
        QCOMPARE(sentenceText(QString("2 random batches after the 8 of calibration")),
                 QStringLiteral("校準用的 8 批之後的 2 批亂數資料"));
        QCOMPARE(sentenceText(QString("example inputs of the file, which calibration saw too")),
                 QStringLiteral("檔案中的範例輸入，校準時也用過"));
    }

    /// All problems of the built-in models under both quantizers, and of the sample files.
    void problemsAreKnown()
    {
        int said = 0;
        const auto check = [&](const Diagnostics& problems, const QString& where) {
            for (const Diagnostic& problem : problems) {
                ++said;
                QVERIFY2(isChinese(sentenceText(problem.message)),
                         qPrintable(where + ": " + QString::fromStdString(problem.message)));
            }
        };
        for (const char* name : {"residual", "cat_pool", "stem", "encoder", "ds_cnn"}) {
            const auto model = openModel({name, {}, 8, 2, 0}, {});
            QVERIFY(model);
            for (const auto flavor : {QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch}) {
                Recipe recipe;
                recipe.quantizer.flavor = flavor;
                recipe.calibration.batches = 1;
                check(Pipeline(*model).run(recipe, StageKind::Annotated, {})->diagnostics,
                      QString::fromUtf8(name));
            }
        }
        QDirIterator files(qEnvironmentVariable("PT2E_TEST_DATA"), {QStringLiteral("*.pt2")},
                           QDir::Files, QDirIterator::Subdirectories);
        int read = 0;
        while (files.hasNext()) {
            ModelRequest request;
            request.what = files.next().toStdString();
            const auto model = openModel(request, {});
            if (!model)
                continue;
            ++read;
            check((*model)->diagnostics, files.fileName());
            check(Pipeline(*model).run({}, StageKind::Annotated, {})->diagnostics,
                  files.fileName());
        }
        QVERIFY(read > 10);
        QVERIFY(said > 20);
    }

    /// Conflicts of every kind, as the dialog and the drag show them.
    void conflictsAreKnown()
    {
        const auto model = openModel({"residual", {}, 8, 2, 0}, {});
        QVERIFY(model);
        const SnapshotPtr snapshot = Pipeline(*model).run({}, StageKind::Annotated, {});
        QVERIFY(snapshot->annotated);
        const auto observed = [](DType dtype, std::int64_t low, std::int64_t high) {
            EditSpec spec;
            spec.kind = EditSpec::Kind::Observed;
            spec.observed = {dtype, {}, low, high, QScheme::PerTensorAffine, {}, false};
            return spec;
        };
        const auto shared = [](const char* with) {
            EditSpec spec;
            spec.kind = EditSpec::Kind::Shared;
            spec.sharedWith = *NamedPoint::parse(with);
            return spec;
        };
        EditSpec perChannel = observed(DType::Int8, -128, 127);
        perChannel.observed.qscheme = QScheme::PerChannelAffine;
        const std::pair<const char*, EditSpec> kEdits[] = {
            {"relu_7", {}},
            {"relu", shared("x->relu_7")},
            {"x->relu", {}},
            {"relu", observed(DType::Int8, -200, 100)},
            {"relu", observed(DType::Int8, 3, 100)},
            {"x->conv2d", shared("x->conv2d")},
            {"relu", shared("conv2d")},
            {"x->conv2d", shared("relu")},
            {"relu", observed(DType::UInt8, 0, 255)},
            {"relu", observed(DType::Int8, -64, 63)},
            {"relu_1", observed(DType::Int16, -32768, 32767)},
            {"relu_1", perChannel},
            {"conv1_weight->conv2d", observed(DType::Int16, -32768, 32767)},
        };
        for (const auto& [at, spec] : kEdits) {
            const auto conflicts =
                conflictsOf(*snapshot->annotated, snapshot->recipe, {*NamedPoint::parse(at), spec});
            QVERIFY2(!conflicts.empty(), at);
            for (const QString& line : conflictText(conflicts).split(QLatin1Char('\n'))) {
                QVERIFY2(isChinese(line), qPrintable(line));
                // No English words but names and terms of PyTorch's.
                static const QRegularExpression kEnglish(
                    QStringLiteral("\\b(the|is|are|was|would|there|than|made|asked|value|does|"
                                   "runs|kernels)\\b"));
                QVERIFY2(!line.contains(kEnglish), qPrintable(line));
            }
        }
    }

private:
    UiApplication& m_application;
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestSentences test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_sentences.moc"
