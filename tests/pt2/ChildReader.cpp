#include "tests/pt2/ChildReader.h"

#include "core/pt2/Reader.h"

#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pt2e;

namespace {

// A sanitizer needs address space of its own; peak memory says nothing there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

Result<void> readAll(const Graph& graph)
{
    for (const auto& [name, attribute] : graph.attributes()) {
        // A view may be expanded to any size; only its storage is memory.
        if (attribute.value.isValid())
            PT2E_TRY(attribute.value.storage()->bytes());
    }
    for (const auto& [name, body] : graph.subgraphs())
        PT2E_TRY(readAll(*body));
    return {};
}

Result<void> readAll(const QByteArray& bytes)
{
    auto copy = std::make_shared<QByteArray>(bytes);
    PT2E_ASSIGN(
        const Pt2Archive archive,
        openArchive({copy, std::as_bytes(std::span(copy->constData(), std::size_t(copy->size())))},
                    "file.pt2"));
    for (const std::string& name : archive.programNames()) {
        PT2E_ASSIGN(const ExportedProgram program, readProgram(archive, name));
        PT2E_TRY(readAll(*program.graph));
        for (const Value& value : program.examples) {
            if (value.tensor())
                PT2E_TRY(value.tensor()->storage()->bytes());
        }
    }
    return {};
}

[[noreturn]] void child(const QByteArray& bytes, int pipe)
{
    if (!kIsSanitized) {
        const rlimit memory{rlim_t(kMemoryLimit), rlim_t(kMemoryLimit)};
        setrlimit(RLIMIT_AS, &memory);
    }
    for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL})
        std::signal(number, SIG_DFL); // QtTest's handlers would start a debugger
    // The limit is of computing; one that waits is ended too, later: a busy machine is no fault of the reader.
    const rlim_t seconds = kIsSanitized ? 10 * kSecondsLimit : kSecondsLimit;
    const rlimit computing{seconds, seconds};
    setrlimit(RLIMIT_CPU, &computing);
    alarm(static_cast<unsigned>(12 * seconds));
    const Result<void> done = readAll(bytes);
    if (done)
        _exit(0);
    const std::string message = done.error().message().substr(0, 2000);
    [[maybe_unused]] const ssize_t written = write(pipe, message.data(), message.size());
    _exit(done.error().code == ErrorCode::Internal ? 4 : 3);
}

} // namespace

QString ChildResult::problem() const
{
    if (signal != 0)
        return QStringLiteral("ended by signal %1").arg(signal);
    if (exitCode != 0 && exitCode != 3)
        return QStringLiteral("exit code %1: %2").arg(exitCode).arg(message);
    if (exitCode == 3 && (message.size() < 12 || !message.contains(u':')))
        return QStringLiteral("the message has no place and reason: '%1'").arg(message);
    if (!kIsSanitized && peakMemory > kMemoryLimit)
        return QStringLiteral("%1 bytes of memory").arg(peakMemory);
    return {};
}

ChildResult readInChild(const QByteArray& bytes)
{
    ChildResult result;
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0)
        return result;
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        child(bytes, ends[1]);
    }
    close(ends[1]);
    char text[2048];
    ssize_t got = 0;
    while ((got = read(ends[0], text, sizeof text)) > 0)
        result.message += QString::fromUtf8(text, got);
    close(ends[0]);
    int status = 0;
    rusage usage = {};
    if (process < 0 || wait4(process, &status, 0, &usage) != process)
        return result;
    result.peakMemory = qint64(usage.ru_maxrss) * 1024;
    if (WIFSIGNALED(status))
        result.signal = WTERMSIG(status);
    else
        result.exitCode = WEXITSTATUS(status);
    return result;
}
