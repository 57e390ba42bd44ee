#include "ui/models/SentenceText.h"

#include "core/quant/Reason.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <optional>

namespace pt2e::ui {

namespace {

/// What a file is (ProgramForm::pattern), inside of other sentences.
constexpr const char* kForms[] = {
    "float program in %1",
    "float program with annotations (%1 nodes)",
    "QAT program with fake quantization (%1 fake_quantize)",
    "converted program (%1, %2 q / %3 dq)",
};

/// Names and numbers take no translation, and are most of what is asked for.
bool mayBeSentence(const QString& text) { return text.contains(QLatin1Char(' ')); }

struct Pattern
{
    const char* context;
    std::string source;
    QRegularExpression expression;
    std::vector<int> parameters; ///< which %n a group stands for
    qsizetype words = 0; ///< characters of its own: the pattern with most of them fits best
};

Pattern patternOf(const char* context, std::string_view source)
{
    Pattern pattern{context, std::string(source), {}, {}, 0};
    const QString text = QString::fromUtf8(source.data(), static_cast<qsizetype>(source.size()));
    QString expression = QStringLiteral("^");
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isParameter =
            text[i] == QLatin1Char('%') && i + 1 < text.size() && text[i + 1].isDigit();
        if (isParameter) {
            pattern.parameters.push_back(text[++i].digitValue());
            expression += QStringLiteral("(.+?)");
        } else {
            expression += QRegularExpression::escape(text.mid(i, 1));
            ++pattern.words;
        }
    }
    pattern.expression.setPattern(expression + QLatin1Char('$'));
    pattern.expression.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    return pattern;
}

const std::vector<Pattern>& patterns()
{
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> made;
        for (const std::string_view source : sentencePatterns())
            made.push_back(patternOf("Sentence", source));
        for (const char* form : kForms)
            made.push_back(patternOf("Core", form));
        for (const ReasonKey key : allReasonKeys())
            made.push_back(patternOf("Reason", reasonTemplate(key)));
        return made;
    }();
    return all;
}

/// The whole of it as one sentence.
std::optional<QString> translated(const QString& english)
{
    const Pattern* best = nullptr;
    QRegularExpressionMatch found;
    for (const Pattern& pattern : patterns()) {
        const auto match = pattern.expression.match(english);
        if (!match.hasMatch())
            continue;
        // A sentence with something behind it: its own names do not reach into that.
        const bool isAround = pattern.source.starts_with("%1") && mayBeSentence(match.captured(1))
                              && translated(match.captured(1));
        if (!best || isAround || pattern.words > best->words) {
            best = &pattern;
            found = match;
        }
        if (isAround)
            break;
    }
    if (!best)
        return std::nullopt;
    std::vector<std::string> parameters(9);
    for (std::size_t i = 0; i < best->parameters.size(); ++i) {
        const QString inner = found.captured(static_cast<int>(i) + 1);
        parameters[static_cast<std::size_t>(best->parameters[i]) - 1] =
            translated(inner).value_or(inner).toStdString();
    }
    const QString sentence = QCoreApplication::translate(best->context, best->source.c_str());
    return QString::fromStdString(fillTemplate(sentence.toStdString(), parameters));
}

} // namespace

QString sentenceText(const QString& english)
{
    if (!mayBeSentence(english))
        return english;
    if (const auto whole = translated(english))
        return *whole;
    // "where: what", and of the places only what is no sentence.
    for (qsizetype at = english.indexOf(QLatin1String(": ")); at > 0;
         at = english.indexOf(QLatin1String(": "), at + 1)) {
        if (const auto what = translated(english.mid(at + 2)))
            return english.left(at + 2) + *what;
    }
    return english;
}

QString sentenceText(const std::string& english)
{
    return sentenceText(QString::fromStdString(english));
}

} // namespace pt2e::ui
