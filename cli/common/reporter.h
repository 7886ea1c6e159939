// Messages in the words of a command, whose options are the settings; the progress of a run on
// standard error; and the layout of JSON on standard output.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "core/message.h"
#include "io/engine/listener.h"
#include "io/json/json.h"

namespace elmo {

/// Returns the option of a setting: "--learning-rate".
std::string option_of(Setting setting);

/// Returns the text of `message`, with options for settings and advice for remedies. Leaves out
/// advice with options that the command lacks: has_option("--resume") returns whether it has one.
/// Without `has_option`, the command has all options. Components get the options that choose them,
/// if `has_option` is given.
std::string text_of(const Message& message,
                    const std::function<bool(std::string_view)>& has_option = nullptr);

/// Returns indented JSON that ends with a line feed. Invalid UTF-8 becomes U+FFFD.
inline std::string json_document(const Json& json) { return json.dump(2) + '\n'; }

/// Formats of rows, by whether they are JSON Lines.
inline constexpr auto kTableFormats = enum_table<bool>({{"tsv", false}, {"jsonl", true}});

/// Returns rows, objects with the same keys in the same order, as JSON Lines or as a tab-separated
/// table with a header, in which null is an empty cell.
std::string rows_text(const std::vector<Json>& rows, bool jsonl);

/// Prints `text` on standard output, and then each problem as a line on standard error, even if the
/// reader of `text` has closed the pipe. SystemError for any other failed write.
void print_with_problems(const std::string& text, std::span<const std::string> problems);

/// Prints notes as lines and shows progress, both on standard error; silent on request. On a
/// terminal, progress is one line that is redrawn a few times a second, unless TERM is "dumb" or
/// unset, or NO_COLOR is set; otherwise, a line printed periodically. Reports of commands derive
/// from it to show other progress. One thread.
class RunReport : public RunListener {
 public:
  explicit RunReport(bool quiet);
  ~RunReport() override { clear(); }
  RunReport(const RunReport&) = delete;
  RunReport& operator=(const RunReport&) = delete;

  void note(const Message& line) override;
  /// Shows tokens done, speed and time left, if it is due.
  void progressed(const RunProgress& progress, double first_fraction) override;
  void progress_ended() override;

 protected:
  /// Returns whether an update of the progress is due.
  bool due() const;

  /// Shows `text` as the current progress, unless quiet.
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Style { silent, redrawn, lines };

  /// Start of the work, and the fraction of the input that an earlier run completed.
  struct Beginning {
    Clock::time_point time;
    double fraction;
  };

  Clock::time_point next_update() const;
  /// Erases the redrawn line, so that other lines can be printed.
  void clear();

  Style style_;
  Clock::time_point next_;
  bool drawn_ = false;
  std::optional<Beginning> beginning_;  // start of the work that progressed() reports
};

}  // namespace elmo
