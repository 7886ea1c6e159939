#include "cli/common/message.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace elmo {
namespace {

/// Returns the end of a message with this remedy.
const Message& advice(Remedy remedy) {
  using S = Setting;
  static const std::array<std::pair<Remedy, Message>, 12> kAdvice{
      {{Remedy::give_vocabulary, "; give it with " + S::vocab + " FILE"},
       {Remedy::compute_in_float32, "; use " + S::precision + " float32"},
       {Remedy::train_slower,
        "; a lower " + S::learning_rate + " or " + S::gradient_clip + " may help"},
       {Remedy::name_model_files, "; name the two files with " + S::options + " and " + S::weights},
       {Remedy::repair_text,
        "; fix the text, or read it without " + S::strict + " to get U+FFFD instead"},
       {Remedy::skip_bad_records,
        "; fix the record, or skip such records with " + S::skip_bad_records},
       {Remedy::skip_unanswerable, "; leave such questions out with " + S::skip_unanswerable},
       {Remedy::forget_sentences, "; leave it out with " + S::forget_sentences},
       {Remedy::replace_file, "; choose another name, or replace it with " + S::overwrite},
       {Remedy::write_beside, "; choose an empty folder, or write into it with " + S::overwrite},
       {Remedy::resume_or_replace,
        "; continue it with " + S::resume + ", or replace it with " + S::overwrite},
       {Remedy::begin_anew, ", or start again with " + S::overwrite + " or in another folder"}}};
  return std::ranges::find(kAdvice, remedy, &std::pair<Remedy, Message>::first)->second;
}

}  // namespace

std::string option_of(Setting setting) {
  if (setting == Setting::output) return "-o";
  if (setting == Setting::job_array) return "--array";
  std::string option = "--";
  option += kSettings.word(setting);
  std::ranges::replace(option, '_', '-');
  return option;
}

std::string text_of(const Message& message,
                    const std::function<bool(std::string_view)>& has_option) {
  std::string text;
  const auto lacks = [&](const Message::Part& part) {
    const auto* const setting = std::get_if<Setting>(&part);
    return setting != nullptr && has_option && !has_option(option_of(*setting));
  };
  for (const Message::Part& part : message.parts()) {
    if (const auto* const words = std::get_if<std::string>(&part)) {
      text += *words;
    } else if (const auto* const setting = std::get_if<Setting>(&part)) {
      text += option_of(*setting);
    } else {
      const Message& help = advice(std::get<Remedy>(part));
      if (std::ranges::none_of(help.parts(), lacks)) text += text_of(help);
    }
  }
  return text;
}

}  // namespace elmo
