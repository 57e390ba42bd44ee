#include "ui/render/LayoutClient.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>

namespace pt2e {

LayoutClient::LayoutClient(QString program) : m_program(std::move(program))
{
    if (m_program.isEmpty())
        m_program = QCoreApplication::applicationDirPath() + QStringLiteral("/pt2e-layout");
}

LayoutClient::~LayoutClient() { stop(); }

qint64 LayoutClient::helperProcess() const
{
    return m_process && m_process->state() == QProcess::Running ? m_process->processId() : 0;
}

void LayoutClient::stop()
{
    if (!m_process)
        return;
    m_process->closeWriteChannel(); // an idle helper ends by itself
    if (m_process->state() != QProcess::NotRunning && !m_process->waitForFinished(20)) {
        m_process->kill();
        m_process->waitForFinished(1000);
    }
    m_process.reset();
}

Result<DotLayout> LayoutClient::layout(const DotGraph& graph, const JobContext& context,
                                       int timeLimitMs)
{
    PT2E_ASSIGN(const auto answer,
                ask("layout", QByteArray::fromStdString(encode(graph)), context, timeLimitMs));
    PT2E_ASSIGN(auto layout,
                decodeLayout({answer.constData(), static_cast<std::size_t>(answer.size())}));
    if (layout.centers.size() != graph.nodes.size())
        return fail(ErrorCode::Internal, "pt2e-layout",
                    "answered with places for another number of nodes");
    return layout;
}

Result<QByteArray> LayoutClient::write(const DotGraph& graph, const JobContext& context,
                                       int timeLimitMs)
{
    return ask("write", QByteArray::fromStdString(encode(graph)), context, timeLimitMs);
}

Result<DotGraph> LayoutClient::read(const QByteArray& dot, const JobContext& context,
                                    int timeLimitMs)
{
    const auto answer = ask("read", dot, context, timeLimitMs);
    if (!answer) {
        stop(); // libcgraph's reader does not recover from every syntax error: the next question gets a new helper
        return passOn(answer);
    }
    return decodeGraph({answer->constData(), static_cast<std::size_t>(answer->size())});
}

Result<QByteArray> LayoutClient::ask(const QByteArray& verb, const QByteArray& body,
                                     const JobContext& context, int timeLimitMs)
{
    const auto broken = [&](const char* what) {
        if (m_process)
            m_process->kill();
        stop();
        return fail(ErrorCode::Internal, m_program.toStdString(), what);
    };
    QElapsedTimer clock;
    clock.start();
    if (!m_process || m_process->state() != QProcess::Running) {
        m_process = std::make_unique<QProcess>();
        m_process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process->start(m_program, {});
        if (!m_process->waitForStarted(timeLimitMs))
            return broken("could not be started");
    }
    m_process->write(verb + ' ' + QByteArray::number(body.size()) + '\n' + body);
    QByteArray answer;
    qsizetype expected = -1; // bytes after the first line
    while (true) {
        answer += m_process->readAllStandardOutput();
        const auto line = answer.indexOf('\n');
        if (expected < 0 && line >= 0)
            expected = answer.left(line).split(' ').value(1).toLongLong();
        if (expected >= 0 && answer.size() >= line + 1 + expected)
            break;
        if (context.isCancelled()) {
            broken("cancelled");
            return fail(ErrorCode::Cancelled, "layout", "cancelled");
        }
        if (clock.elapsed() > timeLimitMs)
            return broken("gave no answer within the time limit");
        m_process->waitForReadyRead(10); // also writes what is left
        if (m_process->state() != QProcess::Running && m_process->bytesAvailable() == 0)
            return broken("ended without an answer");
    }
    const auto line = answer.indexOf('\n');
    const auto content = answer.mid(line + 1);
    if (!answer.startsWith("ok "))
        return badInput("pt2e-layout", content.toStdString());
    return content;
}

} // namespace pt2e
