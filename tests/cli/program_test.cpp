#include "cli/program.h"

#include <doctest/doctest.h>

#include <CLI/App.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace elmo {
namespace {

using Words = std::vector<const char*>;

/// Captures standard error of this process.
class CaughtErrors {
 public:
  CaughtErrors() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~CaughtErrors() { std::cerr.rdbuf(before_); }
  CaughtErrors(const CaughtErrors&) = delete;
  CaughtErrors& operator=(const CaughtErrors&) = delete;

  std::string first_line() const { return text_.str().substr(0, text_.str().find('\n')); }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

struct Refusal {
  Words words;  ///< command line after `elmo`
  std::string message;
};

void check_refused(const Refusal& refusal) {
  Words words{"elmo"};
  words.insert(words.end(), refusal.words.begin(), refusal.words.end());
  Command command;
  const CaughtErrors errors;
  const ExitCode code = run_program(*make_application(command), command,
                                    static_cast<int>(words.size()), words.data());
  CHECK(errors.first_line() == "elmo: " + refusal.message);
  CHECK(code == kUsage);
}

TEST_CASE("options without effect, or that exclude each other, are refused") {
  const std::vector<Refusal> kRefusals{
      {{"senses", "--train", "a", "--test", "b", "--layer", "x"},
       "--layer makes sense only with --predict FILE"},
      {{"senses", "--train", "a", "--test", "b", "--features-dtype", "float32"},
       "--features-dtype makes sense only with --features DIR"},
      {{"tokenize", "--input-format", "tokens", "--model", "a"},
       "--model makes sense only with --input-format text or jsonl"},
      {{"perplexity", "--lanes", "2"}, "--lanes makes sense only with --initial-state carry"},
      {{"perplexity", "--input-format", "tokens", "--lines"},
       "--lines makes sense only with --input-format text or jsonl"},
      {{"neighbors", "--corpus", "a", "--seed", "2"}, "--seed makes sense only with --map"},
      {{"neighbors", "word", "--corpus", "a", "--map", "m", "--count", "2"},
       "--map with --count: a map shows all occurrences of a word"},
      {{"neighbors", "--corpus", "a", "missing"},
       "'missing' is neither a file nor a query: found no brackets; expected a sentence with one "
       "word in [brackets]"},
      {{"neighbors", "--corpus", "a", "[b]", "[c]"},
       "found the queries '[b]' and '[c]'; expected one query, or none to read them from standard "
       "input"},
      {{"neighbors", "--corpus", "[b]"},
       "--corpus: found no run and no file; expected something to search"},
      {{"neighbors", "--corpus", "a", "--map", "m"},
       "--map: found no WORD; expected the word to show"},
      {{"train", "--preset", "tiny", "--valid", "v"}, "--output is required"},
      {{"train", "--preset", "tiny", "-o", "o"}, "--valid is required"},
      {{"train", "--preset", "tiny", "-o", "o", "--valid", "v", "--json"},
       "--json makes sense only with --dry-run"},
      {{"train", "--preset", "tiny", "-o", "o", "--valid", "v", "--text-field", "t"},
       "--text-field makes sense only with --input-format jsonl"},
      {{"train", "--preset", "tiny", "-o", "o", "--valid", "v", "--resume", "--overwrite"},
       "use --resume or --overwrite, not both"},
      {{"train", "--preset", "tiny", "-o", "o", "--dry-run", "--resume"},
       "use --dry-run or --resume, not both: a dry run plans a whole run"},
      {{"train", "--dry-run", "a"},
       "no architecture given: use --preset tiny|small|medium|original or --options FILE"},
      {{"info", "--check"}, "--check: found no path; expected a model"}};
  for (const Refusal& refusal : kRefusals) {
    CAPTURE(refusal.words.front());
    check_refused(refusal);
  }
}

TEST_CASE("a process of a group reports its errors and ends the others") {
  int code = -1;
  process_group() = {[](const std::string& message) { return "rank 3: " + message; },
                     [&](int exit_code) { code = exit_code; }};
  check_refused({{"info", "--check"}, "rank 3: --check: found no path; expected a model"});
  CHECK(code == kUsage);
  process_group() = {};
}

}  // namespace
}  // namespace elmo
