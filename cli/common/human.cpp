#include "cli/common/human.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/enum_table.h"

namespace elmo {

std::string formatted(const char* pattern, ...) {
  std::va_list values;
  std::va_list same_values;
  va_start(values, pattern);
  va_copy(same_values, values);
  const int size = std::vsnprintf(nullptr, 0, pattern, values);
  va_end(values);
  std::string text(static_cast<std::size_t>(size), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, same_values);
  va_end(same_values);
  return text;
}

std::string human_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
  return digits;
}

std::string human_count(std::uint64_t count, const std::string& noun) {
  const std::string number = human_count(count) + ' ';
  if (count == 1) return number + noun;
  constexpr std::string_view kVowels = "aeiou";
  const bool ies = noun.size() > 1 && noun.ends_with('y') &&
                   kVowels.find(noun[noun.size() - 2]) == std::string_view::npos;
  return number + (ies ? noun.substr(0, noun.size() - 1) + "ies" : noun + 's');
}

std::string human_number(double number, int digits) { return formatted("%.*g", digits, number); }

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return formatted(value == std::floor(value) ? "%.0f " : "%.1f ", value) + kUnits[unit];
}

std::string human_time(std::chrono::duration<double> time) {
  constexpr double kMax = 1e9;  // 30 years
  const double seconds = time.count() > 0 ? std::min(time.count(), kMax) : 0;
  if (seconds < 10 && seconds != std::floor(seconds)) return formatted("%.2f s", seconds);
  const auto whole = static_cast<int>(std::lround(seconds));
  if (whole < 60) return formatted("%d s", whole);
  if (whole < 3600) return formatted("%d min %02d s", whole / 60, whole % 60);
  return formatted("%d h %02d min", whole / 3600, whole / 60 % 60);
}

std::string human_time(double seconds) {
  return human_time(std::chrono::duration<double>(seconds));
}

std::string human_time_left(std::chrono::duration<double> time) {
  return human_time(std::ceil(time.count()));
}

std::uint64_t nearest_whole(double number) {
  constexpr double kMax = 1e18;  // fits a whole number
  return number > 0 ? static_cast<std::uint64_t>(std::llround(std::min(number, kMax))) : 0;
}

std::string human_rate(double per_second, const std::string& units) {
  return human_count(nearest_whole(per_second)) + ' ' + units + "/s";
}

std::string human_rate(double count, std::chrono::duration<double> time, const std::string& units) {
  return human_rate(count / time.count(), units);
}

namespace {

/// The ends of messages with the options for a remedy.
constexpr auto kAdvice = enum_table<Remedy>(
    {{"", Remedy::none},
     {"; give it with --vocab FILE", Remedy::give_vocabulary},
     {"; use --precision float32", Remedy::compute_in_float32},
     {"; a lower --learning-rate or --gradient-clip may help", Remedy::train_slower},
     {"; name the two files with --options and --weights", Remedy::name_model_files},
     {"; fix the text, or read it without --strict to get U+FFFD instead", Remedy::repair_text},
     {"; fix the record, or skip such records with --skip-bad-records", Remedy::skip_bad_records},
     {"; leave such questions out with --skip-unanswerable", Remedy::skip_unanswerable},
     {"; leave it out with --forget-sentences", Remedy::forget_sentences},
     {"; choose another name, or replace it with --overwrite", Remedy::replace_file},
     {"; choose an empty folder, or write into it with --overwrite", Remedy::write_beside},
     {"; continue it with --resume, or replace it with --overwrite", Remedy::resume_or_replace},
     {", or start again with --overwrite or in another folder", Remedy::begin_anew}});
static_assert(kAdvice.end() - kAdvice.begin() == static_cast<int>(Remedy::begin_anew) + 1);

/// Returns the words of `text` that begin with "--".
std::vector<std::string> options_in(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  std::vector<std::string> options;
  for (std::size_t begin = text.find("--"); begin != std::string_view::npos;
       begin = text.find("--", begin)) {
    const std::size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
    options.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return options;
}

}  // namespace

std::string message_of(const Error& error,
                       const std::function<bool(const std::string&)>& has_option) {
  const std::string help(kAdvice.word(error.remedy()));
  const bool helps = !has_option || std::ranges::all_of(options_in(help), has_option);
  return error.what() + (helps ? help : "");
}

}  // namespace elmo
