#include "cli/program.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "cli/flags/help.h"
#include "cli/flags/options.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/process/standard_streams.h"
#include "cli/report/error_message.h"
#include "core/error.h"
#include "core/version.h"
#include "io/mpi/ranks.h"

namespace elmo {
namespace {

/// Waits for rank 0, which may well have failed for the same reason, to say so and to end all
/// ranks. False where it does not.
bool is_ended_by_rank_0() {
  using namespace std::chrono_literals;
  const std::atomic<bool>& stop = stop_on_signals();
  const bool stopped_before = stop;  // by whom is unknown: wait for the launcher to kill this rank
  const auto end = std::chrono::steady_clock::now() + 3s;
  while ((stopped_before || !stop) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(10ms);
  }
  return stop && !stopped_before;
}

void print_error(const std::string& message) {
  const std::string rank = name_of_rank();
  if (!rank.empty() && is_ended_by_rank_0()) return;
  std::cerr << "elmo: " << rank << message << '\n';
}

void print_usage_error(const CLI::App& app, const std::string& message) {
  print_error(message);
  std::string command = app.get_name() + " ";
  for (auto chosen = app.get_subcommands(); !chosen.empty();
       chosen = chosen.front()->get_subcommands()) {
    command += chosen.front()->get_name() + " ";
  }
  std::cerr << "Try '" << command << "--help'.\n";
}

/// What could not be parsed, in the style of our own messages.
std::string parse_message(const CLI::ParseError& error, const CLI::App& app) {
  const bool has_commands = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
  if (has_commands && !app.get_subcommands().empty()) {
    return parse_message(error, *app.get_subcommands().front());
  }
  if (has_commands) {
    const std::vector<std::string> unknown = app.remaining(true);
    if (unknown.empty()) return "which subcommand? Give one of those that --help lists";
    return "'" + unknown.front() + "' is no subcommand";
  }
  std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return message.substr(0, message.find(':')) + ": expected one value";
  }
  if (message.starts_with("The ")) message[0] = 't';
  return message;
}

ExitCode run(CLI::App& app, const Command& command, int argc, const char* const* argv) {
  try {
    refuse_empty_values(argc, argv);
    app.parse(argc, argv);
    return command();
  } catch (const CLI::CallForHelp&) {
    standard_output().write(app.help());
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    standard_output().write(std::string(version.what()) + '\n');
    return kDone;
  } catch (const CLI::ParseError& error) {
    print_usage_error(app, parse_message(error, app));
    return kUsage;
  } catch (const RequestError& error) {
    print_usage_error(app, message_of(error));
    return kUsage;
  }
}

void add_version(CLI::App& app) {
  app.set_version_flag("--version", "elmo " + std::string(version()), "Print the version and exit");
  for (CLI::App* command : app.get_subcommands({})) add_version(*command);
}

}  // namespace

void prepare_program() {
  occupy_standard_streams();
  survive_failed_writes();
  explain_cut_files();
}

std::unique_ptr<CLI::App> make_program(const std::string& name, const std::string& description) {
  auto app = std::make_unique<CLI::App>(description, name);
  app->formatter(std::make_shared<HelpFormatter>());
  app->set_help_flag("-h,--help",
                     "Print the options of a command with their ranges and defaults, and exit");
  return app;
}

void complete_options(CLI::App& app) {
  add_version(app);
  refuse_empty_values(app);
}

ExitCode run_program(CLI::App& app, const Command& command, int argc, const char* const* argv) {
  try {
    return run(app, command, argc, argv);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const InputError& error) {
    print_error(message_of(error));
    return kBadInput;
  } catch (const Error& error) {
    print_error(message_of(error));
    return kFailure;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(error.path1().string() + ": " + error.code().message());
    return kFailure;
  } catch (const std::bad_alloc&) {
    print_error(
        "out of memory\n"
        "A smaller --batch-tokens, --max-sentence-tokens, --threads or --workers needs less; in\n"
        "training a smaller --batch, --unroll, --samples or --max-vocab. Where a limit is set on\n"
        "memory (ulimit -v), a higher one may help.");
    return kFailure;
  } catch (const std::exception& error) {
    print_error(error.what());
    return kFailure;
  } catch (...) {
    print_error("failed for a reason that is not known");
    return kFailure;
  }
}

}  // namespace elmo
