// `elmo mix`: the layers of a run mixed, without computing the biLM again.
#include <CLI/App.hpp>
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"
#include "cli/flags/task_mix.h"
#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/report/error_message.h"
#include "cli/report/progress.h"
#include "cli/report/report.h"
#include "cli/run/run_fingerprint.h"
#include "cli/run/run_settings.h"
#include "cli/run/task_mix.h"
#include "core/error.h"
#include "core/inference/layer_mixing.h"
#include "core/inference/value_range.h"
#include "core/nn/scalar_mix.h"
#include "io/shard/format/format.h"
#include "io/shard/read/run_reader.h"
#include "io/shard/write/shard_run.h"

namespace elmo {
namespace {

struct MixFlags {
  std::string run;
  std::string output;
  std::vector<float> weights;
  TaskMixRequest task;
  float gamma = 1;
  bool layer_norm = false;
  std::optional<Dtype> dtype;  ///< nothing: the run's
  h5::Compression compression = h5::Compression::none;
  bool resume = false;
  bool overwrite = false;
  bool quiet = false;
};

class MixRun {
 public:
  MixRun(const MixFlags& flags, const std::atomic<bool>& stop);

  ExitCode run();

 private:
  EmbedOptions mixing() const;
  RunFingerprint fingerprint() const;
  std::size_t published_shards(const ShardRun& to) const;
  bool mix_shard(const ShardEntry& shard, ShardRun& to);

  const MixFlags& flags_;
  const std::atomic<bool>& stop_;
  Report report_;
  Progress progress_;
  RunReader from_;
  EmbedOptions mixing_;
  LayerWeights factors_;
  ShardFormat format_;
  ActivationBlock block_;
  std::vector<float> mixed_;
  std::uint64_t tokens_ = 0;
};

MixRun::MixRun(const MixFlags& flags, const std::atomic<bool>& stop)
    : flags_(flags),
      stop_(stop),
      report_(flags.quiet),
      progress_(flags.quiet),
      from_(flags.run),
      mixing_(mixing()) {
  require_all_tokens(from_.manifest(), flags.run);
  const ActivationLayout& layout = from_.layout();
  if (layout.row_count() < 3) {
    throw InputError(flags.run + ": has " + layout_text(layout) +
                     "; expected all layers, as embed writes without --layers");
  }
  if (!from_.manifest().complete()) {
    throw InputError(flags.run + ": the run has not ended; continue it with " +
                     command_of(from_.manifest()) + " --resume");
  }
  const auto layers = static_cast<std::size_t>(layout.row_count() / 2 + 1);
  if (mixing_.mix_weights.size() != layers) {
    throw RequestError("found " + std::to_string(mixing_.mix_weights.size()) +
                       " weights; expected " + std::to_string(layers) + ", one for each layer of " +
                       flags.run + ", the token layer included");
  }
  factors_ = layer_weights(layers, mixing_);
  format_.layout = {{"mix"}, 2 * layout.width};
  format_.dtype = flags.dtype.value_or(from_.manifest().dtype);
  format_.compression = flags.compression;
  format_.boundaries = mixing_.boundaries;
  if (!from_.manifest().options.empty()) {
    RunSettings settings = run_settings(from_.manifest(), flags.run);
    settings.embed.layers = LayerSelection::mix;
    settings.embed.mix_weights = mixing_.mix_weights;
    settings.embed.gamma = mixing_.gamma;
    settings.embed.layer_norm = mixing_.layer_norm;
    format_.options = settings_text(settings);
  }
}

/// How the layers of the run are mixed.
EmbedOptions MixRun::mixing() const {
  EmbedOptions options;
  options.layers = LayerSelection::mix;
  options.mix_weights = flags_.weights;
  options.gamma = flags_.gamma;
  options.layer_norm = flags_.layer_norm;
  return mixing_of_run(from_.manifest(), flags_.run, options, flags_.task);
}

/// That of the run, except what is another now. What ShardRun adds itself is left out.
RunFingerprint MixRun::fingerprint() const {
  using namespace shard_format;
  RunFingerprint fingerprint;
  for (const auto& [name, value] : from_.manifest().fingerprint) {
    if (name == kLayout || name == kDtype || name == kCompression || name == kBoundaries) continue;
    if (name == "shard_size") continue;
    fingerprint.emplace_back(name, name == "selected_layers" ? selected_layers(mixing_) : value);
  }
  fingerprint.emplace_back(
      kMixedFrom, std::string(kDtypes.word(from_.manifest().dtype)) + " shards of all layers");
  return fingerprint;
}

/// How many shards of the run are mixed already.
std::size_t MixRun::published_shards(const ShardRun& to) const {
  const std::vector<ShardEntry>& shards = from_.manifest().shards;
  const std::size_t number = to.manifest().shards.size();
  const ResumePoint& point = to.resume_point();
  const bool same = number <= shards.size() &&
                    (number == 0 || (InputHash(shards[number - 1].input_hash) == point.input &&
                                     shards[number - 1].next_sentence() == point.next_sentence)) &&
                    (!point.complete || number == shards.size());
  if (!same) {
    throw InputError(
        flags_.run + ": is not the run that " + flags_.output + " was begun with; give that one",
        Remedy::begin_anew);
  }
  return number;
}

/// False where it was stopped.
bool MixRun::mix_shard(const ShardEntry& shard, ShardRun& to) {
  const float limit = dtype_limit(format_.dtype);
  for (std::uint64_t next = shard.first_sentence; next < shard.next_sentence();) {
    if (stop_) return false;
    from_.read(next, BlockLimit{}, block_);
    mix_sentences(block_.view(), from_.layout(), factors_, mixed_);
    const ActivationBatch batch{next, block_.sentences, mixed_};
    const std::size_t in_range = first_out_of_range(mixed_, limit);
    if (in_range < mixed_.size()) refuse_value(batch, format_.layout, in_range, limit);
    to.write(batch);
    next += block_.sentences.size();
    tokens_ += batch.token_count();
    progress_.show({tokens_, static_cast<double>(next) / static_cast<double>(from_.sentence_end()),
                    shard.file});
  }
  to.end_segment({shard.next_sentence(), {}, shard.truncated_tokens, shard.unknown_tokens});
  return true;
}

ExitCode MixRun::run() {
  require_other_folder(flags_.output, flags_.run);
  const RunMode mode = flags_.resume      ? RunMode::resume
                       : flags_.overwrite ? RunMode::overwrite
                                          : RunMode::create;
  ShardRun to(flags_.output, fingerprint(), mode, format_);
  if (!to.warning().empty()) report_.line(to.warning());
  const auto published = [&] {
    return human_count(to.manifest().shards.size(), "shard") +
           " published; repeat the command with --resume to continue";
  };
  const std::vector<ShardEntry>& shards = from_.manifest().shards;
  std::size_t number = published_shards(to);
  try {
    for (; number < shards.size(); ++number) {
      if (mix_shard(shards[number], to)) continue;
      progress_.clear();
      report_.line("stopped; " + published());
      return kStopped;
    }
    if (!to.manifest().complete()) to.finish();
  } catch (const SystemError& error) {
    throw SystemError(message_of(error) + "\n" + published());
  }
  progress_.clear();
  report_.line(human_count(tokens_, "token") + " of " + flags_.run + " mixed");
  return kDone;
}

}  // namespace

void add_mix(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<MixFlags>();
  CLI::App* command =
      app.add_subcommand("mix", "Mix the layers of a run into one vector per token");
  command->add_option("RUN", flags->run, "Run written by embed with all layers")->required();
  command->add_option("-o,--output", flags->output, "Output folder for shards, created if missing")
      ->type_name("DIR")
      ->required();
  CLI::Option* weights = add_numbers(command, "--weights", flags->weights, "W0,...,WL",
                                     "Layer weights before the softmax, token layer first");
  add_task_mix_flags(command, "--task", flags->task, "Options")->excludes(weights);
  add_number(command, "--gamma", flags->gamma, "G", NumberRange{}, "Factor gamma of the mix")
      ->needs(weights);
  command
      ->add_flag("--layer-norm", flags->layer_norm,
                 "Normalize each layer over the sentence, without boundaries, before mixing")
      ->needs(weights);
  add_dtype(command, "--dtype", flags->dtype, "Output type; int8 has a scale per row")
      ->default_str("as in the run");
  add_compression(command, flags->compression, "Compression of the shards");
  CLI::Option* resume =
      command->add_flag("--resume", flags->resume, "Resume the run in DIR, if any");
  command->add_flag("--overwrite", flags->overwrite, "Replace the run in DIR")->excludes(resume);
  command->add_flag("--quiet", flags->quiet, "Print only errors");
  command->footer(
      "A token's vector is gamma times the weighted sum of its layers, with softmax(weights) as "
      "weights (Peters et al. 2018, equation 1). From float32 shards, vectors equal those of `elmo "
      "embed --layers mix` bit for bit. Other types were rounded before mixing: float16 by at most "
      "2^-11 of each number, bfloat16 by 2^-8, int8 by 1/254 of the row's largest number.");
  command->callback([command, flags, &chosen] {
    if (command->count("--weights") + command->count("--task") == 0) {
      throw RequestError("no weights given: use --weights W0,...,WL, or --task DIR");
    }
    chosen = [flags] { return MixRun(*flags, stop_on_signals()).run(); };
  });
}

}  // namespace elmo
