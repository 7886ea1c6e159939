// The pages that are made of the tool's definition, so that nothing in them is written down twice:
// the manual page, OPTIONS.md and the shells' completions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/flags/help.h"

namespace elmo {

/// A heading and the options below it.
struct OptionGroup {
  std::string name;
  std::vector<OptionText> options;
  /// The earlier command that has the same options under the same heading; empty: none.
  std::string same_as;
};

struct CommandText {
  std::string name;     ///< with a space in it: of a group
  std::string summary;  ///< one line, without a full stop
  std::string notes;    ///< paragraphs; lines that begin with two spaces are set as they are
  std::vector<OptionText> arguments;
  std::vector<OptionGroup> groups;  ///< those of the command itself first, under no name
};

/// Commands that have their first word in common.
struct CommandGroup {
  std::string name;
  std::string summary;
  std::vector<std::string> commands;  ///< their second words
};

struct ToolText {
  std::string summary;
  std::vector<OptionText> options;  ///< that every command has, and of the tool alone
  std::vector<CommandText> commands;
  std::vector<CommandGroup> groups;
};

/// The first words of all commands, each once, in their order, with what the shell shows beside
/// them.
std::vector<std::pair<std::string, std::string>> first_words(const ToolText& tool);

ToolText describe(const CLI::App& app);

/// "embed [FILE...]"
std::string usage(const CommandText& command);

/// What completes an argument of that unit.
enum class Completion { nothing, files, folders };
Completion completion_of(const std::string& unit);

/// The first sentence of a description, without marks: what a shell shows beside a word.
std::string short_text(const std::string& description);

/// The page `source` with the commands where it says so; see manual.md. InputError where the source
/// has something that the manual page cannot show.
std::string manual_page(const ToolText& tool, const std::string& source);
std::string option_page(const ToolText& tool, const std::string& source);

std::string bash_completion(const ToolText& tool);
std::string zsh_completion(const ToolText& tool);
std::string fish_completion(const ToolText& tool);

/// Replaces every `from` in `text`.
std::string replaced(std::string text, const std::string& from, const std::string& to);

/// `text` with `mark(word)` for every option named in it (--threads) and `code(words)` for what
/// stands in `backquotes`; the rest goes through `plain`.
template <typename Code, typename Plain>
std::string marked(const std::string& text, const Code& code, const Plain& plain) {
  const auto is_name = [](char letter) {
    return letter == '-' || (letter >= 'a' && letter <= 'z');
  };
  std::string result;
  std::string run;  // of plain text
  const auto end_run = [&] {
    result += plain(run);
    run.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (text[at] == '`') {
      end = text.find('`', at + 1);
    } else if (text.compare(at, 2, "--") == 0) {
      while (end < text.size() && is_name(text[end])) ++end;
    }
    if (end == at || end == std::string::npos) {
      run += text[at++];
      continue;
    }
    end_run();
    const bool quoted = text[at] == '`';
    result += code(quoted ? text.substr(at + 1, end - at - 1) : text.substr(at, end - at));
    at = quoted ? end + 1 : end;
  }
  end_run();
  return result;
}

}  // namespace elmo
