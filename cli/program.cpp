#include "cli/program.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <new>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/help.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "core/error.h"
#include "core/text.h"
#include "core/version.h"
#include "io/text/segment/normalization.h"

namespace elmo {
namespace {

void print_error(const std::string& message) {
  const auto& error_text = process_group().error_text;
  const std::string text = error_text ? error_text(message) : message;
  if (!text.empty()) print_message(text);
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

/// Number of edits between two words: letters inserted, deleted, replaced or swapped with the next
/// one (Damerau 1964).
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[to.size()];
}

/// Returns "; did you mean WORD?" with the nearest of `words`, which must be at most one edit per
/// three letters away, or with the only word that begins with `typed`. Returns an empty text if
/// there is no such word.
std::string suggestion(const std::string& typed, const std::vector<std::string>& words) {
  constexpr std::size_t kMinBeginning = 5;  // "--" and three letters
  constexpr std::size_t kLettersPerEdit = 3;
  constexpr std::size_t kLongest = 64;
  if (typed.size() > kLongest) return {};
  const std::size_t letters = typed.size() - std::min(typed.find_first_not_of('-'), typed.size());
  std::size_t least = std::max<std::size_t>(letters / kLettersPerEdit, 1) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& word : words) {
    const std::size_t edits = edits_between(typed, word);
    if (edits >= least || edits >= letters) continue;
    least = edits;
    nearest = &word;
  }
  if (nearest == nullptr && typed.size() >= kMinBeginning) {
    const auto begins = [&](const std::string& word) { return word.starts_with(typed); };
    const auto found = std::ranges::find_if(words, begins);
    if (std::ranges::count_if(words, begins) == 1) nearest = &*found;
  }
  return nearest == nullptr ? "" : "; did you mean " + *nearest + "?";
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// Returns "; here it is X" for an option of `allennlp elmo` that has another name in this command,
/// and names the command that replaces a former option; otherwise as suggestion().
std::string answer(const std::string& typed, const std::vector<std::string>& names) {
  constexpr std::array<std::array<std::string_view, 3>, 6> kAllenNlp = {
      {{"--all", "--layers", " all"},
       {"--top", "--layers", " top"},
       {"--average", "--layers", " average"},
       {"--batch-size", "--batch-tokens", " (it changes memory and speed, not results)"},
       {"--options-file", "--options", ""},
       {"--weight-file", "--weights", ""}}};
  if (typed == "--per-token") return "; `elmo surprisal` prints the surprisal of each word";
  const auto found =
      std::ranges::find(kAllenNlp, typed, [](const auto& option) { return option.front(); });
  if (found == kAllenNlp.end() || std::ranges::count(names, (*found)[1]) == 0) {
    return suggestion(typed, names);
  }
  return std::string("; here it is ").append((*found)[1]).append((*found)[2]);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Precedes values such as the file name `[a,b]`, which CLI11 would take for a list of two values.
constexpr char kMark = '\x01';

/// Returns the message of a parse error in the style of our own messages. `words` are what was
/// typed after the name of `app`.
std::string parse_message(const CLI::ParseError& error, const CLI::App& app,
                          std::span<const char* const> words) {
  const std::vector<std::string> commands = command_names(app);
  const std::string first = words.empty() ? "" : words.front();
  const bool is_command = std::ranges::count(commands, first) > 0;
  if (!commands.empty() && !is_command && !first.empty() && !first.starts_with('-')) {
    return "'" + excerpt(first) + "' is not a command" + suggestion(first, commands);
  }
  if (!commands.empty() && !app.get_subcommands().empty()) {
    return parse_message(error, *app.get_subcommands().front(),
                         words.subspan(is_command ? 1 : words.size()));
  }
  // Reports an unknown option first: it may be the reason why another one is missing.
  const std::vector<std::string> unknown = app.remaining(true);
  const auto last = std::ranges::find(unknown, "--");  // names follow
  const auto option = std::find_if(unknown.begin(), last, [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
  });
  if (option != last) {
    const std::string name = option->substr(0, option->find('='));
    return "there is no option " + excerpt(name) + answer(name, option_names(app));
  }
  if (!commands.empty()) return "no command given; expected one that --help lists";
  std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return message.substr(0, message.find(':')) + ": expected one value";
  }
  if (message.starts_with("The ")) message[0] = 't';
  // CLI11 hands names behind -- to the program if the command has names before it.
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && unknown.empty()) {
    message += "; put all names behind --, or write ./-NAME";
  }
  std::erase(message, kMark);
  return message;
}

/// Returns whether the command line ends before a required subcommand.
bool lacks_subcommand(const CLI::App& app) {
  if (!app.get_subcommands().empty()) return lacks_subcommand(*app.get_subcommands().front());
  return !command_names(app).empty() && app.remaining(true).empty();
}

/// Describes the value of an option by its type name.
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

/// Replaces embed's `--normalize` without a form of Unicode, as --unit-length was called first.
void rename_unit_length(std::vector<std::string>& words) {
  if (words.size() < 2 || words[1] != "embed") return;
  for (std::size_t at = 2; at < words.size() && words[at] != "--"; ++at) {
    if (words[at] != "--normalize") continue;
    const bool has_form = at + 1 < words.size() && kNormalizations.find(words[at + 1]);
    if (!has_form) words[at] = "--unit-length";
  }
}

/// Returns the command line with such marks.
std::vector<std::string> marked_words(int argc, const char* const* argv) {
  std::vector<std::string> words(argv, argv + argc);
  rename_unit_length(words);
  for (std::string& word : words) {
    const std::size_t value = word.starts_with("--") ? word.find('=') + 1 : 0;
    if (value < word.size() && (word[value] == '[' || word[value] == kMark)) {
      word.insert(value, 1, kMark);
    }
  }
  return words;
}

/// The options that name a file or folder to write.
constexpr std::array kOutputs = {"output", "map", "predict", "features"};

/// Makes `app` and its subcommands remove the marks. Rejects empty values of all options and
/// arguments, because a shell passes them for unset variables, and `-` as an output, because it
/// would not mean standard output. Call it when all options are registered.
void check_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) check_values(*command);
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->transform(CLI::Validator(
        [](std::string& text) {
          if (text.starts_with(kMark)) text.erase(0, 1);
          return std::string();
        },
        ""));
    const std::string message = empty_value(expected_value(*option));
    option->check([message](const std::string& text) { return text.empty() ? message : ""; });
    if (std::ranges::none_of(kOutputs,
                             [&](const char* name) { return option->check_lname(name); })) {
      continue;
    }
    const std::string expected = expected_value(*option) + ", or ./- for one called '-'";
    option->check([expected](const std::string& text) {
      return text == "-" ? "found '-', which is not standard output here; expected " + expected
                         : "";
    });
  }
}

/// Throws RequestError for a word "--option=" without a value, which CLI11 would parse as an option
/// whose value is the next word.
void refuse_empty_values(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return;  // names of files follow
    if (!word.starts_with("--") || word.find('=') + 1 != word.size()) continue;
    throw RequestError(std::string(word.substr(0, word.size() - 1)) + ": " +
                       empty_value("a value"));
  }
}

/// Returns the innermost chosen command: `train` of `elmo task train`.
const CLI::App& chosen_command(const CLI::App& app) {
  const std::vector<const CLI::App*> chosen =
      app.get_subcommands([](const CLI::App* command) { return command->parsed(); });
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

bool has_option(const CLI::App& app, std::string_view option) {
  return chosen_command(app).get_option_no_throw(std::string(option)) != nullptr;
}

/// Returns the message of `error`, with the options of the command that remedy it.
std::string message_for(const CLI::App& app, const Error& error) {
  return text_of(error.message(), [&](std::string_view option) { return has_option(app, option); });
}

std::string out_of_memory(const CLI::App& app) {
  std::vector<std::string> options;
  for (const char* option : {"--memory", "--batch-tokens", "--max-sentence-tokens", "--threads",
                             "--workers", "--batch", "--unroll", "--samples", "--max-vocab"}) {
    if (has_option(app, option)) options.emplace_back(option);
  }
  std::string message = "out of memory\n";
  if (!options.empty())
    message.append("A smaller ").append(alternatives(options)).append(" needs less.\n");
  return message + "Where a limit is set on memory (ulimit -v), a higher one may help.";
}

ExitCode parse_and_run(CLI::App& app, const Command& command, int argc, const char* const* argv) {
  try {
    refuse_empty_values(argc, argv);
    const std::vector<std::string> words = marked_words(argc, argv);
    std::vector<const char*> pointers;
    pointers.reserve(words.size());
    for (const std::string& word : words) pointers.push_back(word.c_str());
    app.parse(argc, pointers.data());
    return command();
  } catch (const CLI::CallForHelp&) {
    standard_output().write(app.help());
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    standard_output().write(std::string(version.what()) + '\n');
    return kDone;
  } catch (const CLI::ParseError& error) {
    const std::string message =
        parse_message(error, app, std::span(argv + std::min(argc, 1), argv + argc));
    if (lacks_subcommand(app)) {
      print_error(message);
      std::cerr << '\n' << app.help();
    } else {
      print_usage_error(app, message);
    }
    return kUsage;
  } catch (const RequestError& error) {
    print_usage_error(app, message_for(app, error));
    return kUsage;
  }
}

/// Runs the command. Exceptions become a message and an exit code.
ExitCode exit_code_of(CLI::App& program, const Command& command, int argc,
                      const char* const* argv) {
  try {
    return parse_and_run(program, command, argc, argv);
  } catch (const ClosedPipe&) {
    return kDone;
  } catch (const InputError& error) {
    print_error(message_for(program, error));
    return kBadInput;
  } catch (const Error& error) {
    print_error(message_for(program, error));
    return kFailure;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(error.path1().string() + ": " + error.code().message());
    return kFailure;
  } catch (const std::bad_alloc&) {
    print_error(out_of_memory(program));
    return kFailure;
  } catch (const std::exception& error) {
    print_error(error.what());
    return kFailure;
  } catch (...) {
    print_error("failed for a reason that is not known");
    return kFailure;
  }
}

void add_version(CLI::App& app) {
  app.set_version_flag("--version", "elmo " + std::string(version()), "Print the version and exit");
  for (CLI::App* command : app.get_subcommands({})) add_version(*command);
}

}  // namespace

std::shared_ptr<CLI::App> make_program(const std::string& name, const std::string& description) {
  auto program = std::make_shared<CLI::App>(description, name);
  program->formatter(std::make_shared<HelpFormatter>());
  program->set_help_flag("-h,--help",
                         "Print the options of a command with their ranges and defaults, and exit");
  return program;
}

void complete_program(CLI::App& program) {
  add_version(program);
  check_values(program);
}

ExitCode run_program(CLI::App& program, const Command& command, int argc, const char* const* argv) {
  const ExitCode code = exit_code_of(program, command, argc, argv);
  if (const auto& end = process_group().end) end(code);
  return code;
}

std::shared_ptr<CLI::App> make_application(Command& chosen) {
  std::shared_ptr<CLI::App> program = make_program(
      "elmo",
      "Contextual word vectors: the activations of a biLM (ELMo) for every token of a text.");
  const Options app(program.get());
  app.require_subcommand();
  const Options vectors = app.in_group("Embed and read");
  add_embed(vectors, chosen);
  add_tokenize(vectors, chosen);
  add_mix(vectors, chosen);
  add_export(vectors, chosen);
  add_merge(vectors, chosen);
  add_verify(vectors, chosen);
  const Options analysis = app.in_group("Analyze");
  add_perplexity(analysis, chosen);
  add_surprisal(analysis, chosen);
  add_substitutes(analysis, chosen);
  add_neighbors(analysis, chosen);
  add_senses(analysis, chosen);
  add_similarity(analysis, chosen);
  add_change(analysis, chosen);
  add_probe(analysis, chosen);
  const Options training = app.in_group("Train and apply");
  add_train(training, chosen);
  add_finetune(training, chosen);
  add_plot(training, chosen);
  add_task(training, chosen);
  const Options models = app.in_group("Models");
  add_info(models, chosen);
  add_init(models, chosen);
  add_convert(models, chosen);
  complete_program(*program);
  return program;
}

}  // namespace elmo
