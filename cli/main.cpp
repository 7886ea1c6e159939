// `elmo`: picks the subcommand, runs it, and turns what it throws into a message and an exit code.
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cli/application.h"
#include "cli/exit_codes.h"
#include "cli/report/error_message.h"
#include "cli/signals.h"
#include "cli/standard_output.h"
#include "cli/standard_streams.h"
#include "core/error.h"
#include "io/trials.h"

namespace elmo {
namespace {

void print_error(const std::string& message) { std::cerr << "elmo: " << message << '\n'; }

void print_usage_error(const CLI::App& app, const std::string& message) {
  print_error(message);
  std::string command;
  for (auto chosen = app.get_subcommands(); !chosen.empty();
       chosen = chosen.front()->get_subcommands()) {
    command += chosen.front()->get_name() + " ";
  }
  std::cerr << "Try 'elmo " << command << "--help'.\n";
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

int run(int argc, const char* const* argv) {
  Command command;
  const std::unique_ptr<CLI::App> made = make_application(command);
  CLI::App& app = *made;
  try {
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

}  // namespace
}  // namespace elmo

int main(int argc, char** argv) {
  using elmo::print_error;
  elmo::h5::serve_trials(argc, argv, elmo::trial_readings());
  elmo::occupy_standard_streams();
  elmo::survive_failed_writes();
  elmo::explain_cut_files();
  try {
    return elmo::run(argc, argv);
  } catch (const elmo::ClosedPipe&) {
    return elmo::kDone;
  } catch (const elmo::InputError& error) {
    print_error(message_of(error));
    return elmo::kBadInput;
  } catch (const elmo::Error& error) {
    print_error(message_of(error));
    return elmo::kFailure;
  } catch (const std::bad_alloc&) {
    print_error(
        "out of memory\n"
        "A smaller --batch-tokens, --max-sentence-tokens, --threads or --workers needs less; in\n"
        "training a smaller --batch, --unroll, --samples or --max-vocab. Where a limit is set on\n"
        "memory (ulimit -v), a higher one may help.");
    return elmo::kFailure;
  } catch (const std::exception& error) {
    print_error(error.what());
    return elmo::kFailure;
  } catch (...) {
    print_error("failed for a reason that is not known");
    return elmo::kFailure;
  }
}
