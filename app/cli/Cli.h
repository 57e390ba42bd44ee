// The frame around a verb: what every one of them gets, and how its answer becomes an exit code.
//
// A verb is one file with one function `void addX(CLI::App& app, Cli& cli)`, declared in Verbs.h:
//
//     void addInfo(CLI::App& app, Cli& cli)
//     {
//         struct Info { ModelOptions model; };
//         auto options = std::make_shared<Info>();
//         CLI::App* verb = cli.addVerb(app, "info", "what is in a file");
//         addModelOptions(*verb, options->model);
//         cli.onRun(*verb, [options, &cli]() -> Result<int> { … return kDone; });
//     }
#pragma once

#include "core/base/Diagnostic.h"
#include "core/base/JobContext.h"
#include "core/base/Result.h"
#include "core/kernels/Kernels.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace pt2e::cli {

// Exit codes (design of the command line; scripts rely on them).
inline constexpr int kDone = 0; ///< the work ran and its answer is "yes"
inline constexpr int kNo =
    1; ///< the work ran and its answer is "no": differences found, a check failed
inline constexpr int kWrongUse = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kInternal = 4;
inline constexpr int kCancelled = 130;

int exitCodeOf(const Error& error);

class Cli
{
public:
    Cli();
    ~Cli();
    Cli(const Cli&) = delete;
    Cli& operator=(const Cli&) = delete;

    /// A sub-command with the options all verbs have: --threads, --progress, --timings.
    CLI::App* addVerb(CLI::App& app, const std::string& name, const std::string& description);
    /// The verb's work; runs after all arguments are parsed. Answers an exit code or an error.
    void onRun(CLI::App& verb, std::function<Result<int>()> run);

    /// Stops on SIGINT and SIGTERM; reports progress on stderr when that is a terminal.
    const JobContext& job();
    /// The kernels with their thread count set; loads LibTorch. Call it before the first thing that computes.
    Result<const Kernels*> loadKernels();
    /// --timings: how long a step took, on stderr.
    void sayTime(std::string_view step, double seconds) const;
    /// As chosen by --threads; 0: all cores.
    int threads() const { return m_threads; }

    /// Parses, runs, prints errors on stderr. The exit code of the process.
    int main(CLI::App& app, int argc, char** argv);

private:
    class SignalWatch;
    void showProgress(const Progress& progress);
    void clearProgress();
    int finish(const Result<int>& answer);

    int m_threads = 0;
    bool m_forceProgress = false;
    bool m_showsProgress = false;
    bool m_saysTimes = false;
    std::size_t m_progressWidth = 0;
    std::function<Result<int>()> m_run;
    JobContext m_job;
    std::unique_ptr<SignalWatch> m_signals;
};

/// A message for a person, on stderr: "pt2e: …".
void say(std::string_view message);
/// Diagnostics as lines on stderr: "warning: conv2d: …".
void sayDiagnostics(const Diagnostics& diagnostics);

/// Writes to stdout (path empty or "-"), or to a file that appears only when it is complete.
Result<void> writeResult(const std::string& path, std::string_view bytes);

} // namespace pt2e::cli
