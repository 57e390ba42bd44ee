#include "app/cli/Cli.h"

#include "core/base/OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <span>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <thread>
#include <unistd.h>

namespace pt2e::cli {

int exitCodeOf(const Error& error)
{
    switch (error.code) {
    case ErrorCode::BadInput:
    case ErrorCode::Unsupported:
    case ErrorCode::Io: return kBadInput;
    case ErrorCode::Cancelled: return kCancelled;
    case ErrorCode::Internal: break;
    }
    return kInternal;
}

/// SIGINT and SIGTERM ask the work to stop; a second one ends the process at once. A stop_source
/// cannot be used in a signal handler, so a thread waits for the signals; all others have them
/// blocked.
class Cli::SignalWatch
{
public:
    SignalWatch()
    {
        sigemptyset(&m_signals);
        sigaddset(&m_signals, SIGINT);
        sigaddset(&m_signals, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
        m_signalFd = signalfd(-1, &m_signals, SFD_CLOEXEC);
        m_endFd = eventfd(0, EFD_CLOEXEC);
        m_thread = std::thread([this] { watch(); });
    }
    ~SignalWatch()
    {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = write(m_endFd, &one, sizeof one);
        m_thread.join();
        close(m_signalFd);
        close(m_endFd);
    }
    std::stop_token token() const { return m_source.get_token(); }

private:
    void watch()
    {
        pollfd waiting[2] = {{m_signalFd, POLLIN, 0}, {m_endFd, POLLIN, 0}};
        for (;;) {
            if (poll(waiting, 2, -1) < 0 && errno != EINTR)
                return;
            if (waiting[1].revents)
                return;
            signalfd_siginfo info;
            if (!waiting[0].revents || read(m_signalFd, &info, sizeof info) != sizeof info)
                continue;
            if (m_source.stop_requested())
                _exit(kCancelled);
            m_source.request_stop();
        }
    }

    sigset_t m_signals;
    int m_signalFd = -1;
    int m_endFd = -1;
    std::stop_source m_source;
    std::thread m_thread;
};

Cli::Cli() = default;
Cli::~Cli() = default;

CLI::App* Cli::addVerb(CLI::App& app, const std::string& name, const std::string& description)
{
    CLI::App* verb = app.add_subcommand(name, description);
    verb->add_option("--threads", m_threads, "threads to compute with; 0: one per core")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    verb->add_flag("--timings", m_saysTimes, "say on stderr how long each stage took");
    verb->add_flag("--progress", m_forceProgress, "show progress even if stderr is not a terminal");
    return verb;
}

void Cli::onRun(CLI::App& verb, std::function<Result<int>()> run)
{
    verb.callback([this, run = std::move(run)] { m_run = run; });
}

const JobContext& Cli::job()
{
    if (!m_signals) {
        m_signals = std::make_unique<SignalWatch>();
        m_job.stop = m_signals->token();
        m_job.threads = m_threads > 0
                            ? m_threads
                            : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
        m_showsProgress = m_forceProgress || isatty(STDERR_FILENO);
        if (m_showsProgress)
            m_job.onProgress = [this](const Progress& progress) { showProgress(progress); };
    }
    return m_job;
}

Result<const Kernels*> Cli::loadKernels()
{
    // The signals are blocked first, so that LibTorch's threads have them blocked too.
    const int count = job().threads;
    PT2E_ASSIGN(const Kernels* loaded, kernels());
    loaded->setThreads(count);
    return loaded;
}

void Cli::sayTime(std::string_view step, double seconds) const
{
    if (m_saysTimes)
        fmt::print(stderr, "time: {} {:.3f} s\n", step, seconds);
}

void Cli::showProgress(const Progress& progress)
{
    const std::string line =
        progress.total > 0 ? fmt::format("{} {}/{}", progress.step, progress.done, progress.total)
                           : progress.step;
    if (isatty(STDERR_FILENO)) {
        fmt::print(stderr, "\r{:<{}}", line, m_progressWidth);
        m_progressWidth = std::max(m_progressWidth, line.size());
    } else {
        fmt::print(stderr, "{}\n", line);
    }
    std::fflush(stderr);
}

void Cli::clearProgress()
{
    if (m_progressWidth > 0)
        fmt::print(stderr, "\r{:{}}\r", "", m_progressWidth);
    m_progressWidth = 0;
}

int Cli::finish(const Result<int>& answer)
{
    clearProgress();
    if (answer)
        return *answer;
    if (answer.error().code == ErrorCode::Cancelled)
        say("cancelled");
    else
        say(answer.error().message());
    return exitCodeOf(answer.error());
}

int Cli::main(CLI::App& app, int argc, char** argv)
{
    app.require_subcommand(1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version are "errors" of CLI11 with exit code 0.
        const int code = app.exit(error);
        return code == 0 ? kDone : kWrongUse;
    }
    if (!m_run)
        return kWrongUse;
    return finish(m_run());
}

void say(std::string_view message) { fmt::print(stderr, "pt2e: {}\n", message); }

void sayDiagnostics(const Diagnostics& diagnostics)
{
    for (const Diagnostic& diagnostic : diagnostics) {
        const char* severity = diagnostic.severity == Severity::Error     ? "error"
                               : diagnostic.severity == Severity::Warning ? "warning"
                                                                          : "note";
        const std::string& place = diagnostic.node.empty() ? diagnostic.place : diagnostic.node;
        fmt::print(stderr, "{}: {}{}{}\n", severity, place, place.empty() ? "" : ": ",
                   diagnostic.message);
    }
}

namespace {

Result<void> writeAll(int file, std::string_view bytes, const std::string& name)
{
    while (!bytes.empty()) {
        const ssize_t written = write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(ErrorCode::Io, name, std::strerror(errno));
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

} // namespace

Result<void> writeResult(const std::string& path, std::string_view bytes)
{
    if (path.empty() || path == "-")
        return writeAll(STDOUT_FILENO, bytes, "stdout");
    PT2E_ASSIGN(OutputFile file, OutputFile::create(path));
    PT2E_TRY(file.write(std::as_bytes(std::span(bytes))));
    return file.commit();
}

} // namespace pt2e::cli
