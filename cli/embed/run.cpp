#include "cli/embed/run.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/common/human.h"
#include "cli/common/input_notes.h"
#include "cli/common/run_fingerprint.h"
#include "cli/common/run_rows.h"
#include "cli/common/run_settings.h"
#include "cli/embed/fingerprint.h"
#include "core/error.h"
#include "core/inference/token_selection.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/shard/manifest.h"
#include "io/shard/resume.h"
#include "io/sinks/allennlp.h"
#include "io/sinks/stream_sinks.h"
#include "io/text/input/input_files.h"
#include "io/text/input/text_source.h"
#include "io/text/segment/characters.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;
using End = EmbedOutcome::End;

/// Returns the folder of the shards. RequestError if the folder of a part's run holds a run that is
/// not in parts.
std::string folder_of(const ShardOutput& output) {
  const std::optional<InputPart> part = row_choice(output).part;
  if (!part) return output.folder;
  if (const auto run = read_manifest(output.folder); run && run->parts.empty()) {
    // Not replaced even with --overwrite, because the machines of the other parts would not know.
    throw RequestError(output.folder + " holds a run that is not in parts; choose another folder");
  }
  return (std::filesystem::path(output.folder) / part_folder_name(*part)).string();
}

/// "ud, locale en"; empty for text in tokens.
std::string tokenizer_words(const InputOptions& input) {
  if (!is_segmented(input.format)) return "";
  const std::string& locale = input.tokenizer.locale;
  return std::string(kTokenizerKinds.word(input.tokenizer.kind)) + ", locale " +
         (locale.empty() ? "root" : locale);
}

InputOptions input_options(const EmbedRequest& request, const RowChoice& rows,
                           const std::atomic<bool>& stop) {
  InputOptions input = reading(request);
  input.max_sentence_tokens = request.max_sentence_tokens;
  if (rows.query) input.query = *rows.query;
  input.keep_positions = std::holds_alternative<ShardOutput>(request.output);
  input.stop = &stop;
  return input;
}

/// Input and model of a run, connected with its output.
class EmbedRun {
 public:
  EmbedRun(const EmbedRequest& request, const std::atomic<bool>& stop, RunListener& listener)
      : request_(request),
        rows_(row_choice(request_.output)),
        stop_(stop),
        listener_(listener),
        input_(open_source(input_options(request, rows_, stop))),
        options_(computing(request)) {
    options_.awaited = std::holds_alternative<StreamOutput>(request.output);
    model_ = load_embed_model(request, *input_, listener);
    request_.input.tokenizer = model_.tokenizer;
    if (rows_.sample) sample_.emplace(*input_, rows_.sample->size, rows_.sample->seed, stop);
  }

  EmbedOutcome into(const ShardOutput& output);
  EmbedOutcome into(const WordAverageOutput& output);
  template <typename Output>
  EmbedOutcome into(const Output& output) {
    return embed_into(*open_sink(output, layout(), listener_));
  }

 private:
  ActivationLayout layout() const { return activation_layout(model_.bilm->options(), options_); }
  SentenceSource& source() { return sample_ ? static_cast<SentenceSource&>(*sample_) : *input_; }
  /// Reads the published shards again and embeds the rest.
  EmbedOutcome into_rest_of(ShardRun& run, const ShardOutput& output);
  /// Embeds the rest of the input into `sink`; the outcome's end is complete or stopped.
  /// `shards_before` have been published before; nothing if there are no shards.
  EmbedOutcome embed_into(ActivationSink& sink,
                          std::optional<std::size_t> shards_before = std::nullopt);

  EmbedRequest request_;  // with the tokenizer that was chosen
  RowChoice rows_;
  const std::atomic<bool>& stop_;
  RunListener& listener_;
  std::unique_ptr<TextSource> input_;
  std::optional<TokenSample> sample_;
  EmbedOptions options_;
  EmbedModel model_;
};

EmbedOutcome EmbedRun::embed_into(ActivationSink& sink, std::optional<std::size_t> shards_before) {
  const std::uint64_t earlier = input_->tokens();
  const auto before = static_cast<double>(earlier);
  const double first_fraction = input_->fraction(before).value_or(0);
  const auto report = [&](const EmbedProgress& done) {
    const std::string output =
        shards_before ? "shard " + human_count(*shards_before + done.segments + 1) : "";
    listener_.progressed({static_cast<std::uint64_t>(done.computed_tokens),
                          input_->fraction(before + done.computed_tokens), output},
                         first_fraction);
  };
  report({});
  const ProgressScope scope(listener_);
  const steady_clock::time_point start = steady_clock::now();
  EmbedResult result;
  try {
    result = embed(*model_.bilm, source(), sink, options_, stop_, report);
  } catch (const ReadingStopped&) {
  }
  EmbedOutcome outcome;
  outcome.end = result.completed ? End::complete : End::stopped;
  if (result.completed) {
    outcome.summary = EmbedSummary{model_.choice,
                                   input_->counters().documents,
                                   input_->sentences(),
                                   input_->tokens(),
                                   earlier,
                                   input_->cut_sentences(),
                                   result.progress,
                                   tokenizer_words(request_.input),
                                   input_->counters(),
                                   steady_clock::now() - start};
  }
  return outcome;
}

EmbedOutcome EmbedRun::into(const ShardOutput& output) {
  const std::string folder = folder_of(output);
  const auto check = [&](const ListedFile&) {
    if (stop_) throw ReadingStopped("stopped before all shards were read");
  };
  ShardFormat format = shard_format_of(output, request_.input.format, layout());
  format.options = settings_text({options_, request_.precision, request_.input, model_.installed});
  EmbedOutcome outcome;
  std::optional<ShardRun> run;
  try {
    run.emplace(folder,
                run_fingerprint(request_, output, model_.bilm->options(), model_.fingerprint),
                run_mode(output), format, nullptr, check);
  } catch (const ReadingStopped&) {
    outcome.end = End::not_changed;
    outcome.folder = folder;
    return outcome;
  }
  listener_.note(run->warning());
  // The tokens of a sample are known only after the whole input is read, so it has no resume
  // position.
  if (!rows_.sample) {
    run->set_account({[this](std::uint64_t next) { return input_->position_before(next); },
                      [this] { return input_->part_counts(); }});
  }
  try {
    outcome = into_rest_of(*run, output);
  } catch (const ReadingStopped&) {
    outcome.end = End::stopped;
  } catch (const SystemError& error) {
    throw SystemError(std::string(error.what()) + "\n" +
                      published_text(run->manifest().shards.size(), request_));
  }
  outcome.folder = folder;
  outcome.shards = run->manifest().shards.size();
  return outcome;
}

EmbedOutcome EmbedRun::into_rest_of(ShardRun& run, const ShardOutput& output) {
  EmbedOutcome outcome;
  const ResumePoint& point = run.resume_point();
  if (point.position) input_->begin_at(*point.position);
  if (!skip_sentences(*input_, point, &stop_)) {
    outcome.end = End::stopped;
    return outcome;
  }
  if (point.complete) {
    outcome.end = run.manifest().complete() ? End::was_complete : End::index_remade;
    if (outcome.end == End::index_remade) run.finish();
    return outcome;
  }
  options_.segment_bytes = output.shard_bytes;
  options_.first_sentence = point.next_sentence;
  options_.carried_state = point.carried_state;
  return embed_into(run, run.manifest().shards.size());
}

EmbedOutcome EmbedRun::into(const WordAverageOutput& output) {
  const auto sink = open_sink(output, layout(), listener_);
  EmbedOutcome outcome = embed_into(*sink);
  outcome.words = sink->averages().size();
  outcome.written_words = sink->written();
  outcome.dimensions = sink->averages().dimensions();
  return outcome;
}

}  // namespace

std::string published_text(std::uint64_t shards, const EmbedRequest& request) {
  if (row_choice(request.output).sample == nullptr) return published_text(shards);
  return human_count(shards, "shard") + " published; draw a new sample with --overwrite";
}

EmbedModel load_embed_model(const EmbedRequest& request, TextSource& input, RunListener& listener) {
  EmbedModel model;
  ModelRequest chosen = request.model;
  if (chosen.model == kAutoModel) {
    ModelChoice choice = choose_model(request, input);
    chosen = std::move(choice.model);
    model.installed = std::move(choice.name);
    model.choice = std::move(choice.why);
  } else {
    model.installed = installed_name(chosen);
  }
  model.tokenizer = choose_tokenizer(request.input.request, locate_model(chosen));
  input.set_tokenizer(model.tokenizer);
  LoadedModel loaded = load_model(chosen);
  InputOptions read_as = request.input;
  read_as.tokenizer = model.tokenizer;
  note_tokenizer(listener, loaded, read_as);
  if (request.task) check_bilm(*request.task, "--model", loaded.fingerprint);
  model.request = std::move(chosen);
  model.fingerprint = loaded.fingerprint;
  model.bilm.emplace(loaded.options, std::move(loaded.parameters), request.precision,
                     std::move(loaded.lexicon));
  return model;
}

EmbedOutcome run_embed(const EmbedRequest& request, const std::atomic<bool>& stop,
                       RunListener& listener) {
  std::optional<EmbedRun> run;
  try {
    run.emplace(request, stop, listener);
  } catch (const ReadingStopped&) {
    EmbedOutcome outcome;
    outcome.end = End::never_started;
    return outcome;
  }
  return std::visit([&](const auto& output) { return run->into(output); }, request.output);
}

std::unique_ptr<WordVectorSink> open_sink(const WordAverageOutput& output,
                                          const ActivationLayout& layout, RunListener& listener) {
  auto sink = std::make_unique<WordVectorSink>(output, layout);
  listener.note(sink->warning());
  return sink;
}

std::unique_ptr<ActivationSink> open_sink(const AllenNlpOutput& output,
                                          const ActivationLayout& layout, RunListener& listener) {
  const AllenNlpOptions options{output.forget_sentences, output.text.rows.boundaries,
                                output.overwrite};
  auto sink = std::make_unique<AllenNlpSink>(output.path, layout, options);
  listener.note(sink->warning());
  return sink;
}

std::unique_ptr<ActivationSink> open_sink(const StreamOutput& output,
                                          const ActivationLayout& layout, RunListener&) {
  const bool pooled = row_choice(output).pool.has_value();
  if (output.to.format == StreamFormat::npy) {
    return std::make_unique<NpySink>(*output.to.stream, layout, output.dtype, pooled);
  }
  return std::make_unique<JsonlSink>(*output.to.stream, layout, output.dtype, pooled);
}

ShardFormat shard_format_of(const ShardOutput& output, InputFormat text,
                            const ActivationLayout& layout) {
  const RowChoice rows = row_choice(output);
  return {layout,
          output.dtype,
          output.compression,
          rows.boundaries,
          rows.selected(),
          rows.pool.has_value(),
          rows.part,
          rows.part && text == InputFormat::jsonl,
          {}};
}

namespace {

// The sample of an input that can be read only once.
constexpr std::size_t kPeekedBytes = std::size_t{1} << 20;
constexpr std::size_t kPeekedWords = 4096;
constexpr std::size_t kSampledWords = 65536;  // of files, all together
constexpr std::size_t kSampledFiles = 64;     // at most, spread evenly

/// The number of letters of each script.
struct Scripts {
  std::map<std::string, std::uint64_t> letters;
  std::uint64_t all = 0;

  void add(std::string_view word) {
    const std::string script = script_of(word);
    if (script.empty()) return;
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(
        word, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
    letters[script] += count;
    all += count;
  }

  std::string most() const {
    return std::ranges::max_element(letters, {}, [](const auto& one) { return one.second; })->first;
  }

  std::uint64_t in(const std::vector<std::string>& scripts) const {
    std::uint64_t sum = 0;
    for (const auto& [script, count] : letters) {
      if (std::ranges::find(scripts, script) != scripts.end()) sum += count;
    }
    return sum;
  }

  std::string share(std::uint64_t count) const {
    return formatted("%.0f %%", 100.0 * static_cast<double>(count) / static_cast<double>(all));
  }
};

/// Adds the scripts of the first `count` words of `source`, rounded up to whole sentences.
void add_scripts(TextSource& source, std::size_t count, Scripts& scripts) {
  Sentence sentence;
  for (std::size_t words = 0; words < count && source.next(sentence);) {
    words += sentence.size();
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      scripts.add(sentence.token(token));
    }
  }
}

/// Returns the scripts at the beginning of an input that can be read only once. Waits until there
/// is one.
Scripts scripts_of_beginning(const InputOptions& reading, TextSource& input) {
  Scripts scripts;
  for (std::size_t before = 0; scripts.all == 0;) {
    const std::string text(input.peek(before + 1, kPeekedBytes));
    if (text.size() <= before) break;
    before = text.size();
    const std::unique_ptr<TextSource> source =
        open_source(reading, "the input", std::make_unique<MemoryBytes>(text));
    try {
      add_scripts(*source, kPeekedWords, scripts);
    } catch (const InputError&) {
      // A record that is cut or damaged. A damaged one is reported when the input is read.
    }
    if (before >= kPeekedBytes) break;
  }
  return scripts;
}

/// Returns the scripts of a sample of all files. If one of them can be read only once, those of the
/// first words.
Scripts scripts_of(const InputOptions& reading, TextSource& input) {
  Scripts scripts;
  const FileList files = list_input_files(reading.files, nullptr, reading.written);
  for (const InputFile& file : files) {
    if (file.size) continue;
    return scripts_of_beginning(reading, input);
  }
  const std::size_t count = std::min(files.size(), kSampledFiles);
  for (std::size_t number = 0; number < count; ++number) {
    InputOptions one = reading;
    one.files = {files.path(number * files.size() / count)};
    const std::unique_ptr<TextSource> source = open_source(one);
    add_scripts(*source, kSampledWords / count, scripts);
  }
  return scripts;
}

std::string list_of(const std::vector<InstalledModel>& models) {
  std::string text;
  for (const InstalledModel& model : models) {
    text += (text.empty() ? "" : ", ") + model.name +
            (model.language ? ", " + to_string(*model.language) : ", of unknown language");
  }
  return text.empty() ? "none" : text;
}

ModelChoice choice_of(const EmbedRequest& request, const InstalledModel& model, std::string why) {
  ModelChoice choice{request.model, model.name, std::move(why)};
  choice.model.model = model.folder.string();
  return choice;
}

/// Returns the installed model that the run in `folder` was begun with.
ModelChoice model_of_run(const EmbedRequest& request, const std::string& folder,
                         const Manifest& run) {
  const std::string name = run_settings(run, folder).model;
  const std::vector<InstalledModel> models = installed_models();
  const auto found = std::ranges::find(models, name, &InstalledModel::name);
  if (found != models.end()) {
    return choice_of(request, *found, found->name + ", which the run was begun with");
  }
  throw RequestError(
      "--model auto: the run in " + folder + " was begun with a model that is not installed (" +
      (name.empty() ? "" : name + "; ") + "fingerprint " + component(run.provenance, "model") +
      "; installed: " + list_of(models) + "); name it with --model PATH");
}

ModelChoice model_of_text(const EmbedRequest& request, const Scripts& scripts) {
  const std::vector<InstalledModel> models = installed_models();
  const auto is_default = [](const InstalledModel& model) { return model.name == kDefaultModel; };
  if (scripts.all == 0) {
    const auto found = std::find_if(models.begin(), models.end(), is_default);
    if (found != models.end()) {
      return choice_of(request, *found, found->name + ": no word shows a script");
    }
    throw RequestError(
        "--model auto: found a text without a word that shows a script; name a "
        "model with --model PATH (installed: " +
        list_of(models) + ")");
  }
  const std::string most = scripts.most();
  const InstalledModel* best = nullptr;
  // Prefer the fewest scripts that have nearly all letters, since every text has a few words in
  // Latin. Otherwise, prefer the scripts that have the most letters. Ties go to the default model,
  // then to the first name.
  const auto is_nearly_all = [&](std::uint64_t letters) { return 4 * letters >= 3 * scripts.all; };
  const auto rank = [&](const InstalledModel& model) {
    const std::uint64_t letters = scripts.in(model.language->scripts);
    const bool nearly_all = is_nearly_all(letters);
    return std::tuple(nearly_all, nearly_all ? -std::ssize(model.language->scripts) : 0, letters,
                      is_default(model));
  };
  for (const InstalledModel& model : models) {
    if (!model.language) continue;
    if (std::ranges::find(model.language->scripts, most) == model.language->scripts.end()) continue;
    if (best == nullptr || rank(model) > rank(*best)) best = &model;
  }
  if (best == nullptr) {
    throw RequestError("--model auto: found a text of which " +
                       scripts.share(scripts.letters.at(most)) + " of the letters are in " + most +
                       "; expected a script that an installed model reads (" + list_of(models) +
                       "). Name a model with --model PATH");
  }
  const std::uint64_t letters = scripts.in(best->language->scripts);
  return choice_of(request, *best,
                   best->name + ", " + to_string(*best->language) + ": the script of " +
                       scripts.share(letters) + " of the letters" +
                       (is_nearly_all(letters)
                            ? ""
                            : ", a close call; name another with --model, or the text's language "
                              "with --locale"));
}

/// Returns the installed model for the language of `locale`, preferably with the same tag.
ModelChoice model_of_locale(const EmbedRequest& request, const std::string& locale) {
  const auto language = [](const std::string& tag) {
    return tag.substr(0, tag.find_first_of("-_"));
  };
  const std::vector<InstalledModel> models = installed_models();
  const InstalledModel* best = nullptr;
  for (const InstalledModel& model : models) {
    if (!model.language || language(model.language->language) != language(locale)) continue;
    const auto rank = [&](const InstalledModel& one) {
      return std::pair(one.language->language == locale, one.name == kDefaultModel);
    };
    if (best == nullptr || rank(model) > rank(*best)) best = &model;
  }
  if (best == nullptr) {
    throw RequestError("--model auto: found --locale " + locale +
                       "; expected the language of an installed model (" + list_of(models) +
                       "). Name a model with --model PATH");
  }
  return choice_of(request, *best, best->name + ", the language of --locale " + locale);
}

}  // namespace

ModelChoice choose_model(const EmbedRequest& request, TextSource& input) {
  const auto* shards = std::get_if<ShardOutput>(&request.output);
  if (shards != nullptr && run_mode(*shards) == RunMode::resume) {
    if (const std::optional<Manifest> run = read_manifest(shards->folder)) {
      return model_of_run(request, shards->folder, *run);
    }
  }
  if (!request.input.request.locale.empty()) {
    return model_of_locale(request, request.input.request.locale);
  }
  return model_of_text(request, scripts_of(reading(request), input));
}

}  // namespace elmo
