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
#include <string_view>
#include <thread>
#include <vector>

#include "cli/flags/help.h"
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

/// What an option's type name stands for.
std::string expected_value(const CLI::Option& option) {
  const std::string unit = option.get_type_name();
  if (unit == "PATH") return "a file or a folder";
  if (unit == "FILE") return "a file";
  if (unit == "DIR") return "a folder";
  return "a value";
}

std::string empty_value(const std::string& expected) {
  return "found an empty value; expected " + expected;
}

/// From now on an empty value of any option or argument of `app` and of its subcommands is refused:
/// it is what a shell makes of a variable that is not set. For when all are registered.
void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) refuse_empty_values(*command);
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    const std::string message = empty_value(expected_value(*option));
    option->check([message](const std::string& text) { return text.empty() ? message : ""; });
  }
}

/// RequestError where one of the words of a command line is "--option=" with nothing behind it,
/// which CLI11 takes for an option whose value is the next word.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;  // names of files follow
    if (!word.starts_with("--") || word.find('=') + 1 != word.size()) continue;
    throw RequestError(std::string(word.substr(0, word.size() - 1)) + ": " +
                       empty_value("a value"));
  }
}

/// The command that was chosen last: `elmo task train` is `train`.
const CLI::App& chosen_command(const CLI::App& app) {
  const std::vector<const CLI::App*> chosen =
      app.get_subcommands([](const CLI::App* command) { return command->parsed(); });
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

bool has_option(const CLI::App& app, const std::string& option) {
  return chosen_command(app).get_option_no_throw(option) != nullptr;
}

/// The message of `error`, with the option of the command that would help against it.
std::string message_for(const CLI::App& app, const Error& error) {
  return message_of(error, [&](const std::string& option) { return has_option(app, option); });
}

std::string out_of_memory(const CLI::App& app) {
  std::string options;
  for (const char* option : {"--memory", "--batch-tokens", "--max-sentence-tokens", "--threads",
                             "--workers", "--batch", "--unroll", "--samples", "--max-vocab"}) {
    if (has_option(app, option)) options += (options.empty() ? "" : ", ") + std::string(option);
  }
  if (const std::size_t last = options.rfind(", "); last != std::string::npos) {
    options.replace(last, 2, " or ");
  }
  return "out of memory\n" + (options.empty() ? "" : "A smaller " + options + " needs less.\n") +
         "Where a limit is set on memory (ulimit -v), a higher one may help.";
}

ExitCode parse_and_run(CLI::App& app, const Command& command, int argc, const char* const* argv) {
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
    print_usage_error(app, message_for(app, error));
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
  write_all_errors();
  survive_failed_writes();
  explain_cut_files();
}

Program::Program(const std::string& name, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->formatter(std::make_shared<HelpFormatter>());
  app_->set_help_flag("-h,--help",
                      "Print the options of a command with their ranges and defaults, and exit");
}

Program::~Program() = default;

void Program::complete() {
  add_version(*app_);
  refuse_empty_values(*app_);
}

ExitCode Program::run(const Command& command, int argc, const char* const* argv) {
  try {
    return parse_and_run(*app_, command, argc, argv);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const InputError& error) {
    print_error(message_for(*app_, error));
    return kBadInput;
  } catch (const Error& error) {
    print_error(message_for(*app_, error));
    return kFailure;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(error.path1().string() + ": " + error.code().message());
    return kFailure;
  } catch (const std::bad_alloc&) {
    print_error(out_of_memory(*app_));
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
