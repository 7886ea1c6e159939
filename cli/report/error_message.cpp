#include "cli/report/error_message.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace elmo {
namespace {

/// Returns the end of a message with the options for a remedy.
const char* advice(Remedy remedy) {
  switch (remedy) {
    case Remedy::none:
      return "";
    case Remedy::give_vocabulary:
      return "; give it with --vocab FILE";
    case Remedy::compute_in_float32:
      return "; use --precision float32";
    case Remedy::train_slower:
      return "; a lower --learning-rate or --gradient-clip may help";
    case Remedy::name_model_files:
      return "; name the two files with --options and --weights";
    case Remedy::repair_text:
      return "; fix the text, or read it without --strict to get U+FFFD instead";
    case Remedy::skip_bad_records:
      return "; fix the record, or skip such records with --skip-bad-records";
    case Remedy::skip_unanswerable:
      return "; leave such questions out with --skip-unanswerable";
    case Remedy::forget_sentences:
      return "; leave it out with --forget-sentences";
    case Remedy::replace_file:
      return "; choose another name, or replace it with --overwrite";
    case Remedy::write_beside:
      return "; choose an empty folder, or write into it with --overwrite";
    case Remedy::resume_or_replace:
      return "; continue it with --resume, or replace it with --overwrite";
    case Remedy::begin_anew:
      return ", or start again with --overwrite or in another folder";
  }
  return "";
}

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
  const std::string help = advice(error.remedy());
  const bool helps = !has_option || std::ranges::all_of(options_in(help), has_option);
  return error.what() + (helps ? help : "");
}

}  // namespace elmo
