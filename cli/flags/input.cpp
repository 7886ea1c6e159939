#include "cli/flags/input.h"

#include <CLI/App.hpp>

#include "cli/flags/options.h"

namespace elmo {

void add_input_flags(CLI::App* app, InputOptions& input) {
  app->add_option("FILE", input.files,
                  "Files and folders (taken recursively, in sorted order); `-` or none is standard "
                  "input. gzip, zstd, xz and bzip2 are decompressed");
  add_reading_flags(app, input);
}

void add_reading_flags(CLI::App* app, InputOptions& input) {
  const std::string group = "Input";
  add_choice(
      app, "--input-format", input.format, kInputFormats,
      "Form of the input. `text`: UTF-8, split into sentences and words; `tokens`: a sentence a "
      "line, split at ASCII "
      "white space and nowhere else; `jsonl`: a JSON record with a text a line; `conllu`: CoNLL-U, "
      "syntactic words")
      ->group(group);
  app->add_flag(
         "--lines", input.lines,
         "Each line is one sentence (text, jsonl). Otherwise blank lines end paragraphs, and "
         "sentences are found")
      ->group(group);
  app->add_option("--locale", input.locale,
                  "Language whose rules segment the text, such as `de` or `pt-BR` (text, jsonl)")
      ->type_name("LOCALE")
      ->default_str("root")
      ->group(group);
  app->add_flag("--strict", input.strict,
                "Invalid UTF-8 is an error that names the byte. Otherwise it is read as U+FFFD, "
                "counted and reported")
      ->group(group);
  app->add_option("--text-field", input.text_field, "Field that holds the text of a record (jsonl)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  app->add_option("--id-field", input.id_field, "Field that holds the id of a record (jsonl)")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  app->add_flag("--skip-bad-records", input.skip_bad_records,
                "Leave malformed records out and count them (jsonl). Otherwise they are an error "
                "that names the line")
      ->group(group);
}

void check_input_flags(const CLI::App& app, const InputOptions& input) {
  const bool records = input.format == InputFormat::jsonl;
  const bool segmented = records || input.format == InputFormat::text;
  only_with(app, "--lines", segmented, "--input-format text or jsonl");
  only_with(app, "--locale", segmented, "--input-format text or jsonl");
  only_with(app, "--text-field", records, "--input-format jsonl");
  only_with(app, "--id-field", records, "--input-format jsonl");
  only_with(app, "--skip-bad-records", records, "--input-format jsonl");
}

}  // namespace elmo
