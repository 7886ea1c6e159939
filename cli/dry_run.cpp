// `elmo embed --dry-run`: counts the whole input and times a sample of it.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/dry_run_plan.h"
#include "cli/embed.h"
#include "cli/embed_input.h"
#include "cli/flags/input.h"
#include "cli/flags/model.h"
#include "cli/report/human.h"
#include "cli/report/progress.h"
#include "cli/report/tokenizer_warning.h"
#include "cli/standard_output.h"
#include "io/model/model.h"

namespace elmo {
namespace {

// The sample is the beginning of the input: so much of it, or what is computed in this time.
constexpr std::uint64_t kSampleTokens = 65536;
constexpr std::uint64_t kSampleBytes = std::uint64_t{16} << 20;  // of their text
constexpr double kSampleSeconds = 10;

struct Count {
  std::uint64_t sentences = 0;
  std::uint64_t tokens = 0;
  std::uint64_t token_bytes = 0;
};

Count count_input(EmbedInput& input, bool quiet, std::vector<Sentence>& sample) {
  Progress progress(quiet);
  Count count;
  Sentence sentence;
  while (input.next(sentence)) {
    ++count.sentences;
    count.tokens += sentence.size();
    count.token_bytes += sentence.token_bytes();
    // However long the first sentence is, there is something to time.
    const bool fits = count.tokens <= kSampleTokens && count.token_bytes <= kSampleBytes;
    if (sentence.size() > 0 && (fits || sample.empty())) sample.push_back(sentence);
    progress.show({count.tokens, input.fraction(static_cast<double>(count.tokens)), "counting"});
  }
  return count;
}

/// About how many bytes the output takes, before compression. `count` includes what boundaries are
/// kept.
std::uint64_t output_bytes(const EmbedFlags& flags, const Count& count,
                           const ActivationLayout& layout) {
  const auto values = static_cast<std::uint64_t>(layout.values_per_token());
  if (flags.format == StreamFormat::npy) {
    constexpr std::uint64_t kHeaderBytes = 128;
    return count.tokens * values * dtype_bytes(flags.dtype) + count.sentences * kHeaderBytes;
  }
  if (flags.format == StreamFormat::jsonl) {
    constexpr std::uint64_t kNumberBytes = 13;  // "-0.012345678, "
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

ExitCode run_dry(const EmbedFlags& flags) {
  const std::atomic<bool> never_stop{false};
  EmbedInput input(flags.input, flags.max_sentence_tokens, never_stop);
  LoadedModel loaded = load_model(locate_model(flags.model));
  const Report report(flags.quiet);
  warn_of_tokenizer(report, loaded, flags.input);
  const Bilm model(loaded.options, std::move(loaded.parameters), flags.precision,
                   std::move(loaded.vocabulary));
  const ActivationLayout layout = activation_layout(model.options(), flags.embed);

  std::vector<Sentence> sample;
  Count count = count_input(input, flags.quiet, sample);
  RunPlan plan;
  plan.documents = input.counters().documents;
  plan.sentences = input.sentences();
  plan.tokens = input.tokens();
  std::string text = human_count(plan.documents, "document") + ", " +
                     human_count(plan.sentences, "sentence") + ", " +
                     human_count(plan.tokens, "token") + '\n';
  const std::uint64_t tokens = count.tokens;
  if (flags.embed.boundaries) count.tokens += 2 * count.sentences;
  plan.rows = count.tokens;
  plan.bytes = output_bytes(flags, count, layout);
  text += "about " + human_bytes(plan.bytes) +
          (flags.compression == h5::Compression::none ? "" : " before compression") + '\n';
  if (tokens > 0) {
    const double rate = sample_rate(model, sample, flags.embed, kSampleSeconds);
    text += "about " +
            human_time(std::chrono::duration<double>(static_cast<double>(tokens) / rate)) + " at " +
            human_count(static_cast<std::uint64_t>(rate)) + " tokens/s, from a sample\n";
    measure_plan(flags, model, rate, sample, tokens, count.token_bytes, plan);
    text += plan_tables(plan);
  }
  standard_output().write(flags.json ? plan_json(plan) : text);
  report_input(report, input.counters());
  return kDone;
}

}  // namespace elmo
