// The program pt2e, run as a user runs it.
#pragma once

#include <QProcess>
#include <QStringList>

namespace pt2e::test {

struct Answer
{
    int code = -1; ///< -1: it did not end by itself
    QByteArray out;
    QByteArray err;
};

inline QString program() { return qEnvironmentVariable("PT2E_BIN_DIR") + QStringLiteral("/pt2e"); }

inline Answer runPt2e(const QStringList& arguments)
{
    QProcess process;
    process.start(program(), arguments);
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace pt2e::test
