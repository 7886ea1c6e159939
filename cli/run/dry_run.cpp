// `elmo embed --dry-run`: counts the whole input and times a sample of it.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cli/commands/embed.h"
#include "cli/flags/input.h"
#include "cli/flags/model.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/progress.h"
#include "cli/report/tokenizer_warning.h"
#include "cli/run/dry_run_plan.h"
#include "cli/run/embed_input.h"
#include "cli/run/model_choice.h"
#include "core/inference/token_sample.h"
#include "io/model/model.h"

namespace elmo {
namespace {

// The sample is the beginning of the input: so much of it, or what is computed in this time.
constexpr std::uint64_t kSampleTokens = 65536;
constexpr std::uint64_t kSampleBytes = std::uint64_t{16} << 20;  // of their text
constexpr double kSampleSeconds = 10;

/// What has a row of its own in the output, and what has to be computed for it.
struct Count {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t token_bytes = 0;
  std::uint64_t computed_tokens = 0;  ///< of all sentences that are read whole
};

Count count_input(const EmbedFlags& flags, EmbedInput& input, SentenceSource& kept,
                  std::vector<Sentence>& sample) {
  Progress progress(flags.quiet);
  Count count;
  Sentence sentence;
  std::unordered_set<std::string> words;
  std::optional<std::uint32_t> document;
  while (kept.next(sentence)) {
    const auto tokens = static_cast<double>(input.tokens());
    progress.show({input.tokens(), input.fraction(tokens), "counting"});
    const bool carries = flags.embed.initial_state == InitialState::carry;
    if (carries || !sentence.is_left_out()) count.computed_tokens += sentence.size();
    if (sentence.is_left_out()) continue;
    ++count.sentences;
    count.tokens += sentence.kept_count();
    count.token_bytes += sentence.token_bytes();
    if (flags.embed.pool && flags.embed.pool->unit == PoolUnit::document) {
      count.sentences -= document == sentence.document->number ? 1 : 0;
      document = sentence.document->number;
    }
    for (std::size_t token = 0; flags.averages.wanted && token < sentence.kept_count(); ++token) {
      words.emplace(sentence.token(sentence.kept_token(token)));
    }
    // However long the first sentence is, there is something to time.
    const bool fits = count.computed_tokens <= kSampleTokens && count.token_bytes <= kSampleBytes;
    if (sentence.size() > 0 && (fits || sample.empty())) sample.push_back(sentence);
  }
  if (flags.embed.pool) count.tokens = count.sentences;
  if (flags.averages.wanted) count.tokens = words.size();
  return count;
}

/// About how many bytes the output takes, before compression. `count` includes what boundaries are
/// kept.
std::uint64_t output_bytes(const EmbedFlags& flags, const Count& count,
                           const ActivationLayout& layout) {
  const auto values = static_cast<std::uint64_t>(layout.values_per_token());
  constexpr std::uint64_t kNumberBytes = 13;  // "-0.012345678, "
  if (flags.averages.wanted) {
    const bool binary =
        flags.format == StreamFormat::word2vec_binary || flags.output.ends_with(".bin");
    constexpr std::uint64_t kWordBytes = 8;
    return count.tokens * (values * (binary ? sizeof(float) : kNumberBytes) + kWordBytes);
  }
  if (flags.format == StreamFormat::npy) {
    constexpr std::uint64_t kHeaderBytes = 128;
    return count.tokens * values * dtype_bytes(flags.dtype) + count.sentences * kHeaderBytes;
  }
  if (flags.format == StreamFormat::jsonl) {
    constexpr std::uint64_t kSpanBytes = 24;
    constexpr std::uint64_t kFieldBytes = 100;
    return count.tokens * (values * kNumberBytes + kSpanBytes) + count.token_bytes +
           count.sentences * kFieldBytes;
  }
  if (flags.layout == OutputLayout::allennlp) {
    constexpr std::uint64_t kDatasetBytes = 400;                     // of HDF5's own
    const bool doubled = flags.embed.layers == LayerSelection::all;  // layer 0 is [x; x]
    const std::uint64_t row = values + (doubled ? static_cast<std::uint64_t>(layout.width) : 0);
    return count.tokens * row * sizeof(float) + count.sentences * kDatasetBytes +
           (flags.forget_sentences ? 0 : count.token_bytes + count.tokens);
  }
  // /spans and /sentence; a string of /tokens is a reference of 16 bytes and, in the heap, a header
  // of 16 and the text in steps of 8.
  constexpr std::uint64_t kTokenBytes = 16 + 8 + 16 + 16 + 4;
  constexpr std::uint64_t kSentenceBytes = 8 + 4 + 8;  // /sentences/offsets, document, line
  const std::uint64_t scales = flags.dtype == Dtype::int8 ? layout.rows.size() * sizeof(float) : 0;
  return count.tokens * (values * dtype_bytes(flags.dtype) + scales + kTokenBytes) +
         count.token_bytes + count.sentences * kSentenceBytes;
}

}  // namespace

ExitCode run_dry(const EmbedFlags& asked) {
  EmbedFlags flags = asked;
  EmbedInput input(flags.input, flags.max_sentence_tokens, kNeverStop, flags.selection.query);
  const Report report(flags.quiet);
  if (flags.model.model == kAutoModel) {
    ModelChoice choice = choose_model(flags, input);
    flags.model = std::move(choice.model);
    report.line("model " + choice.why);
  }
  std::optional<TokenSample> drawn;
  if (flags.selection.sample > 0) {
    drawn.emplace(input, flags.selection.sample, flags.selection.seed, kNeverStop);
  }
  LoadedModel loaded = load_model(flags.model);
  warn_of_tokenizer(report, loaded, flags.input);
  const Bilm model(loaded.options, std::move(loaded.parameters), flags.precision,
                   std::move(loaded.lexicon));
  const ActivationLayout layout = activation_layout(model.options(), flags.embed);

  std::vector<Sentence> sample;
  const auto start = std::chrono::steady_clock::now();
  Count count =
      count_input(flags, input, drawn ? static_cast<SentenceSource&>(*drawn) : input, sample);
  // Beside the computing reading takes no time, unless most of it is passed over.
  std::chrono::duration<double> reading{};
  if (flags.selection.any()) reading = std::chrono::steady_clock::now() - start;
  RunPlan plan;
  plan.documents = input.counters().documents;
  plan.sentences = input.sentences();
  plan.tokens = input.tokens();
  std::string text = human_count(plan.documents, "document") + ", " +
                     human_count(plan.sentences, "sentence") + ", " +
                     human_count(plan.tokens, "token") + '\n';
  if (flags.selection.any() || flags.embed.pool || flags.averages.wanted) {
    text += human_count(count.tokens, "row") + ", of " +
            human_count(count.computed_tokens, "token") + " that are computed\n";
  }
  const std::uint64_t tokens = count.computed_tokens;
  if (flags.embed.boundaries) count.tokens += 2 * count.sentences;
  plan.rows = count.tokens;
  plan.bytes = output_bytes(flags, count, layout);
  text += "about " + human_bytes(plan.bytes) +
          (flags.compression == h5::Compression::none ? "" : " before compression") + '\n';
  if (tokens > 0) {
    const double rate = sample_rate(model, sample, flags.embed, kSampleSeconds);
    const std::chrono::duration<double> computing(static_cast<double>(tokens) / rate);
    text += "about " + human_time(reading + computing) + " at " +
            human_count(static_cast<std::uint64_t>(rate)) + " tokens/s, from a sample\n";
    measure_plan(flags, model, rate, sample, tokens, count.token_bytes, plan);
    text += plan_tables(plan);
  }
  standard_output().write(flags.json ? plan_json(plan) : text);
  report_input(report, input.counters());
  return kDone;
}

}  // namespace elmo
