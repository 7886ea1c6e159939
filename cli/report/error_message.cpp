#include "cli/report/error_message.h"

namespace elmo {
namespace {

/// Which option stands for which remedy, as the end of a message.
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

}  // namespace

std::string message_of(const Error& error) {
  return std::string(error.what()) + advice(error.remedy());
}

}  // namespace elmo
