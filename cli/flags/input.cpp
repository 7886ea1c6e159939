#include "cli/flags/input.h"

#include "cli/flags/options.h"

namespace elmo {

void add_input_flags(Options app, InputOptions& input) {
  app->add_option("FILE", input.files,
                  "Files and folders (recursive, sorted), or `-` for standard input (default). "
                  "gzip, zstd, xz and bzip2 are decompressed");
  add_reading_flags(app, input);
}

void add_reading_flags(Options app, InputOptions& input) {
  const std::string group = "Input";
  add_choice(
      app, "--input-format", input.format, kInputFormats,
      "Input format: `text`, raw UTF-8; `tokens`, one tokenized sentence per line; `jsonl`, one "
      "JSON record per line; `conllu`, CoNLL-U")
      ->group(group);
  app->add_flag("--lines", input.lines, "Read each line as one sentence (text, jsonl)")
      ->group(group);
  add_tokenizer_flags(app, input.request, group);
  app->add_flag("--strict", input.strict, "Reject invalid UTF-8 instead of reading it as U+FFFD")
      ->group(group);
  app->add_option("--text-field", input.text_field, "JSON field of the text (jsonl)")
      ->type_name("NAME")
      ->default_str(input.text_field)
      ->group(group);
  app->add_option("--id-field", input.id_field, "JSON field of the id (jsonl)")
      ->type_name("NAME")
      ->default_str(input.id_field)
      ->group(group);
  app->add_flag("--skip-bad-records", input.skip_bad_records,
                "Skip and count malformed records (jsonl)")
      ->group(group);
}

void add_tokenizer_flags(Options app, TokenizerRequest& request, const std::string& group) {
  app->add_option(
         "--tokenizer", request.tokenizer,
         "Tokenizer of raw text: `ud`, words of Universal Dependencies; `moses`, tokens of "
         "the Moses toolkit; `icu`, UAX #29; or a rule file")
      ->type_name("NAME|FILE")
      ->default_str("the model's")
      ->group(group);
  app->add_option("--locale", request.locale,
                  "Language of raw text, for the tokenizer, e.g. `de` or `pt-BR`")
      ->type_name("LOCALE")
      ->default_str("the model's, otherwise root")
      ->group(group);
}

void check_input_flags(const Options& app, const InputOptions& input) {
  const bool records = input.format == InputFormat::jsonl;
  const bool segmented = records || input.format == InputFormat::text;
  only_with(app, "--lines", segmented, "--input-format text or jsonl");
  only_with(app, "--tokenizer", segmented, "--input-format text or jsonl");
  only_with(app, "--locale", segmented, "--input-format text or jsonl");
  only_with(app, "--text-field", records, "--input-format jsonl");
  only_with(app, "--id-field", records, "--input-format jsonl");
  only_with(app, "--skip-bad-records", records, "--input-format jsonl");
}

}  // namespace elmo
