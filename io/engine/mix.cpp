#include "io/engine/mix.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/engine/run_settings.h"
#include "io/files/paths.h"
#include "io/shard/format.h"
#include "io/shard/shard_run.h"

namespace elmo {
namespace {

ShardFormat format_of(const MixRequest& request, const RunRows& rows) {
  ShardFormat format;
  format.layout = rows.layout();
  format.dtype = request.dtype.value_or(rows.manifest().dtype);
  format.compression = request.compression;
  format.boundaries = rows.mixing().boundaries;
  if (!rows.manifest().options.empty()) {
    RunSettings settings = run_settings(rows.manifest(), request.run);
    settings.embed.layers = LayerSelection::mix;
    settings.embed.mix_weights = rows.mixing().mix_weights;
    settings.embed.gamma = rows.mixing().gamma;
    settings.embed.layer_norm = rows.mixing().layer_norm;
    format.options = settings_text(settings);
  }
  return format;
}

/// Returns the provenance of the run with the components that mixing changes. Leaves out those
/// that ShardRun adds.
Provenance mixed_provenance(const RunRows& rows) {
  using namespace shard_format;
  Provenance provenance;
  for (const auto& [name, value] : rows.manifest().provenance) {
    if (name == kLayout || name == kDtype || name == kCompression || name == kBoundaries) continue;
    if (name == "shard_size") continue;
    provenance.emplace_back(name,
                            name == "selected_layers" ? selected_layers(rows.mixing()) : value);
  }
  provenance.emplace_back(
      kMixedFrom, std::string(kDtypes.word(rows.manifest().dtype)) + " shards of all layers");
  return provenance;
}

/// Returns the shards of the run, without the empty ones of parts that had no sentence.
std::vector<ShardEntry> shards_to_mix(const Manifest& run) {
  std::vector<ShardEntry> shards = run.shards;
  std::erase_if(shards, [](const ShardEntry& shard) { return shard.sentences == 0; });
  // Every run has at least one shard.
  if (shards.empty() && !run.shards.empty()) shards.push_back(run.shards.front());
  return shards;
}

/// True if `mixed` has the sentences of `shard`. InputHash cannot decide this: in a merged run, it
/// restarts with each part.
bool has_sentences_of(const ShardEntry& mixed, const ShardEntry& shard) {
  const auto same = [&](ColumnId column) {
    const auto values = [&](const ShardEntry& entry) {
      const auto found = entry.checksums.find(path_of(column));
      return found == entry.checksums.end() ? std::string() : found->second;
    };
    return values(mixed) == values(shard);
  };
  return mixed.first_sentence == shard.first_sentence && mixed.sentences == shard.sentences &&
         same(ColumnId::offsets) && same(ColumnId::tokens) && same(ColumnId::spans);
}

/// Returns how many of the shards are already mixed.
std::size_t mixed_shards(const MixRequest& request, const std::vector<ShardEntry>& shards,
                         const ShardRun& to) {
  const std::vector<ShardEntry>& mixed = to.manifest().shards;
  const bool same = mixed.size() <= shards.size() &&
                    std::equal(mixed.begin(), mixed.end(), shards.begin(), has_sentences_of) &&
                    (!to.resume_point().complete || mixed.size() == shards.size());
  if (!same) {
    throw InputError(
        request.run + ": is not the run that " + request.output + " was begun with; give that one",
        Remedy::begin_anew);
  }
  return mixed.size();
}

}  // namespace

MixOutcome run_mix(const MixRequest& request, RunListener& listener,
                   const std::atomic<bool>& stop) {
  require_other_folder(request.output, request.run);
  LayerMixing mixing = layer_mixing(request.mixing, request.task);
  mixing.options.layers = LayerSelection::mix;
  RunRows rows(request.run, mixing);
  const ShardFormat format = format_of(request, rows);
  ShardRun to(request.output, mixed_provenance(rows), request.mode, format);
  listener.note(to.warning());
  const std::vector<ShardEntry> shards = shards_to_mix(rows.manifest());
  const std::size_t mixed = mixed_shards(request, shards, to);
  std::uint64_t earlier_tokens = 0;
  for (std::size_t number = 0; number < mixed; ++number) earlier_tokens += shards[number].tokens;
  bool stopped = false;
  try {
    for (std::size_t number = mixed; number < shards.size(); ++number) {
      const ShardEntry& shard = shards[number];
      stopped = !rows.hand_over(shard.first_sentence, shard.next_sentence(), to, format.dtype,
                                shard.file, listener, stop);
      if (stopped) break;
      to.end_segment({shard.next_sentence(), {}, shard.truncated_tokens, shard.unknown_tokens});
    }
    if (!stopped && !to.manifest().complete()) to.finish();
  } catch (const SystemError& error) {
    throw SystemError(error.message() + "\n" + published_text(to.manifest().shards.size()));
  }
  listener.progress_ended();
  return {stopped, to.manifest().shards.size(), earlier_tokens + rows.handed_over(),
          earlier_tokens};
}

}  // namespace elmo
