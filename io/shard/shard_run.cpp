#include "io/shard/shard_run.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>

#include "core/error.h"
#include "core/workers.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/index.h"

namespace elmo {
namespace {

/// Minimum size of the pieces in which data is synced to the disk.
constexpr std::uint64_t kSyncBytes = std::uint64_t{64} << 20;

Provenance complete_provenance(Provenance provenance, const ShardFormat& format) {
  using namespace shard_format;
  provenance.emplace_back(kLayout, layout_text(format.layout));
  provenance.emplace_back(kDtype, kDtypes.word(format.dtype));
  provenance.emplace_back(kCompression, h5::kCompressions.word(format.compression));
  provenance.emplace_back(kBoundaries, format.boundaries ? "kept" : "none");
  if (format.part) provenance.emplace_back(kPart, part_text(*format.part));
  std::set<std::string> names{kFormat,       kFormatVersion, kLayers,          kFirstSentence,
                              kNextSentence, kInputHash,     kTruncatedTokens, kUnknownTokens};
  for (const auto& [name, value] : provenance) {
    if (!names.insert(name).second) throw std::logic_error("component " + name + " is taken");
  }
  return provenance;
}

/// RequestError if a folder holds parts of a run: it is the folder of their merged run.
void require_no_parts(const std::filesystem::path& folder) {
  if (const std::optional<std::string> part = part_in(folder)) {
    throw RequestError(folder.string() + " holds " + *part +
                       ", a part of a run; choose another folder, or remove the parts");
  }
}

/// RequestError if a folder without a manifest holds other files than a run leaves when it is
/// killed before writing its manifest.
void require_empty(const std::filesystem::path& folder) {
  for (const std::string& name : names_in(folder)) {
    const bool ours = name == shard_format::kLock ||
                      (finished_name(name) && shard_format::is_run_file_name(name));
    if (!ours) {
      throw RequestError(folder.string() + " holds " + name + " and no run",
                         Remedy{"write_beside"});
    }
  }
}

/// Removes the files of runs from a folder, except `kept` and the lock.
void remove_run_files(const std::filesystem::path& folder, std::set<std::string> kept) {
  kept.insert(shard_format::kLock);
  for (const std::string& name : names_in(folder)) {
    if (shard_format::is_run_file_name(name) && !kept.contains(name)) {
      remove_path(folder / name);
    }
  }
}

void remove_run(const std::filesystem::path& folder) {
  // The manifest is removed first: it must never list missing files.
  remove_path(folder / shard_format::kManifest);
  sync_folder(folder);
  remove_run_files(folder, {});
}

/// SystemError if a file just written has problems.
void require_whole(const std::vector<std::string>& problems) {
  if (problems.empty()) return;
  std::string text = "a file does not hold what was written to it";
  for (const std::string& problem : problems) text += "; " + problem;
  throw SystemError(text);
}

/// Returns the SegmentEnd::carried_state that a shard stores; empty if it has none.
std::vector<float> read_carried_state(const std::filesystem::path& folder,
                                      const ShardEntry& shard) {
  if (!shard.checksums.contains(path_of(ColumnId::carried_state))) return {};
  const h5::Dataset dataset =
      h5::Reader(folder / shard.tables.file).dataset(path_of(ColumnId::carried_state));
  std::vector<float> state(dataset.info().count());
  dataset.read(state);
  return state;
}

}  // namespace

ShardRun::ShardRun(const std::filesystem::path& folder, Provenance provenance, RunMode mode,
                   const ShardFormat& format, PublishListener listener,
                   const CheckListener& check_listener)
    : folder_(folder), format_(format), listener_(std::move(listener)) {
  h5::require_compression(format.compression);
  manifest_.provenance = complete_provenance(std::move(provenance), format);
  manifest_.options = format.options;
  manifest_.layout = format.layout;
  manifest_.dtype = format.dtype;
  if (format.part) manifest_.part = {*format.part, std::nullopt};
  // Invalid UTF-8, for example in a file name, is compared as the manifest stores it.
  manifest_ = parse_manifest(manifest_text(manifest_), shard_format::kManifest);
  try {
    open_folder(mode, check_listener);
  } catch (const std::filesystem::filesystem_error& error) {
    throw SystemError("cannot use " + folder.string() + ": " + error.code().message());
  }
}

ShardRun::~ShardRun() {
  shard_.reset();
  if (publication_.valid()) publication_.wait();
}

void ShardRun::open_folder(RunMode mode, const CheckListener& listener) {
  locked_.emplace(folder_);
  require_no_parts(folder_);
  if (mode == RunMode::overwrite) {
    if (holds_other_manifest(folder_)) {
      throw RequestError(folder_.string() + " holds a " + shard_format::kManifest +
                         " of another program; choose another folder");
    }
    const AtomicFile writable(folder_ / shard_format::kManifest);  // an error now, not after work
    replaces_ = true;
    return;
  }
  if (std::optional<Manifest> published = read_manifest(folder_)) {
    if (mode == RunMode::create) {
      throw RequestError(
          folder_.string() + " holds a run" + (published->complete() ? "" : " that has not ended"),
          Remedy{"resume_or_replace"});
    }
    resume(*std::move(published), listener);
    return;
  }
  require_empty(folder_);
  remove_run_files(folder_, {});
}

void ShardRun::resume(Manifest published, const CheckListener& listener) {
  const Message difference = provenance_difference(published.provenance, manifest_.provenance);
  if (!difference.empty()) {
    throw InputError(folder_.string() + " was begun with other settings: " + difference +
                         "; continue with the same ones",
                     Remedy{"begin_anew"});
  }
  std::set<std::string> kept{shard_format::kManifest};
  const auto problems = [&](const ListedFile& file) {
    if (listener) listener(file);
    return check_file(folder_ / file.file, file);
  };
  for (const ShardEntry& shard : published.shards) {
    for (const ListedFile& file : shard.files()) {
      if (const std::vector<std::string> found = problems(file); !found.empty()) {
        throw InputError(found.front() + "; restore the file", Remedy{"begin_anew"});
      }
      kept.insert(file.file);
    }
  }
  resume_point_.complete = published.complete();
  if (published.index && !problems(*published.index).empty()) published.index.reset();
  if (published.complete()) kept.insert(shard_format::kIndex);
  remove_run_files(folder_, std::move(kept));
  manifest_ = std::move(published);
  if (manifest_.shards.empty()) return;

  const ShardEntry& last = manifest_.shards.back();
  resume_point_.next_sentence = last.next_sentence();
  resume_point_.input = InputHash(last.input_hash);
  resume_point_.carried_state = read_carried_state(folder_, last);
  resume_point_.position = last.position;
  shards_written_ = manifest_.shards.size();
  next_sentence_ = resume_point_.next_sentence;
  input_ = resume_point_.input;
}

void ShardRun::begin_shard() {
  if (manifest_.complete()) throw std::logic_error("the run is complete");
  if (std::exchange(replaces_, false)) remove_run(folder_);
  const std::string name = shard_format::shard_file_name(shards_written_);
  output_.emplace(
      ShardOutput{AtomicFile(folder_ / name, Links::replaced),
                  AtomicFile(folder_ / shard_format::tables_file_of(name), Links::replaced)});
  shard_.emplace(output_->file.temporary_path(), output_->tables.temporary_path(), format_,
                 manifest_.provenance, next_sentence_, input_);
}

SinkTraits ShardRun::traits() const {
  SinkTraits traits = sink_traits(format_.dtype);
  traits.segment_bytes = format_.shard_bytes;
  return traits;
}

void ShardRun::write(const ActivationBatch& batch) {
  using namespace std::chrono_literals;
  // Throws errors at once, not only at the end of this shard.
  if (publication_.valid() && publication_.wait_for(0s) == std::future_status::ready) {
    publication_.get();
  }
  if (!shard_) begin_shard();
  shard_->write(batch);
  unsynced_bytes_ += batch.activations.size_bytes();
  sync_beside();
}

/// Keeps the disk busy while the next batch is computed, so that the end of the run does not wait
/// for all the data.
void ShardRun::sync_beside() {
  using namespace std::chrono_literals;
  if (unsynced_bytes_ < kSyncBytes) return;
  if (sync_.valid()) {
    if (sync_.wait_for(0s) != std::future_status::ready) return;
    sync_.get();
  }
  sync_ = output_->file.sync_beside();
  unsynced_bytes_ = 0;
}

void ShardRun::end_shard(const SegmentEnd& end, std::optional<ResumePosition> position) {
  if (!shard_) {
    // Without a sentence there is nothing to publish, but every run has at least one shard.
    if (shards_written_ > 0) return;
    begin_shard();
  }
  ShardEntry entry = shard_->close(end);
  entry.file = shard_format::shard_file_name(shards_written_);
  entry.position = std::move(position);
  next_sentence_ = end.next_sentence;
  input_ = shard_->input();
  shard_.reset();
  ++shards_written_;
  if (publication_.valid()) publication_.get();
  publication_ = run_beside([this, output = *std::exchange(output_, std::nullopt),
                             sync = std::move(sync_), entry = std::move(entry)]() mutable {
    publish_shard(std::move(output), std::move(sync), std::move(entry));
  });
  unsynced_bytes_ = 0;
}

void ShardRun::publish_shard(ShardOutput output, std::future<void> sync, ShardEntry entry) {
  // A shard without a manifest would be taken for a foreign file.
  if (manifest_.shards.empty()) store_manifest();
  // The tables are checked with the shard, in its folder.
  entry.tables = publish(output.tables,
                         [](const std::filesystem::path&) { return std::vector<std::string>(); });
  static_cast<ListedFile&>(entry) = publish(output.file, [&](const std::filesystem::path& path) {
    ShardCheck found = check_shard(path, entry, manifest_);
    if (sync.valid()) sync.get();
    return std::move(found.problems);
  });
  manifest_.shards.push_back(std::move(entry));
  store_manifest();
}

void ShardRun::finish_run(const std::optional<PartCounts>& counts) {
  if (publication_.valid()) publication_.get();
  if (manifest_.part && !manifest_.part->counts) manifest_.part->counts = counts;
  AtomicFile index(folder_ / shard_format::kIndex, Links::replaced);
  write_index(folder_, index.temporary_path(), manifest_);
  manifest_.index = publish(index, [&](const std::filesystem::path& path) {
    return check_index(folder_, path, manifest_, IndexCheck::all_values);
  });
  store_manifest();
}

/// Syncs, checks and renames a written file.
ListedFile ShardRun::publish(AtomicFile& output, const FileCheck& check) {
  const std::filesystem::path& path = output.temporary_path();
  notify(PublishStep::file_written);
  // Waiting for the disk, hashing the bytes and reading the values back through HDF5 take most of
  // the time of publishing. They are also the last steps of a run, so they run concurrently. Only
  // the check calls HDF5.
  std::future<void> sync = run_beside([&] { output.sync(); });
  std::future<std::string> checksum = run_beside([&] { return file_checksum(path); });
  const std::vector<std::string> problems = check(path);
  sync.get();
  notify(PublishStep::file_synced);
  require_whole(problems);
  ListedFile file{output.path().filename().string(), std::filesystem::file_size(path),
                  checksum.get()};
  notify(PublishStep::file_checked);
  output.publish([this](FileStep step) {
    if (step == FileStep::renamed) notify(PublishStep::file_renamed);
    if (step == FileStep::folder_synced) notify(PublishStep::folder_synced);
  });
  return file;
}

void ShardRun::store_manifest() {
  AtomicFile file(folder_ / shard_format::kManifest);
  file.append(manifest_text(manifest_));
  file.publish([this](FileStep step) {
    switch (step) {
      case FileStep::synced:
        return notify(PublishStep::manifest_written);
      case FileStep::renamed:
        return notify(PublishStep::manifest_renamed);
      case FileStep::folder_synced:
        return notify(PublishStep::manifest_synced);
    }
  });
}

void remove_shards(const std::filesystem::path& folder) {
  if (!is_folder(folder)) return;
  remove_run(folder);
  remove_path(folder / shard_format::kLock);  // a killed run left it
  remove_if_empty(folder);
}

bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop) {
  InputHash input = point.position ? InputHash(point.position->input_hash) : InputHash();
  Sentence sentence;
  for (std::uint64_t number = point.position ? point.position->sentence : 0;
       number < point.next_sentence; ++number) {
    if (stop != nullptr && *stop) return false;
    if (!source.next(sentence)) {
      throw InputError("the input has " + std::to_string(number) + " sentences, but " +
                       std::to_string(point.next_sentence) +
                       " are published already; give the same input to resume the run");
    }
    input.add(sentence, number, false);
  }
  if (!(input == point.input)) {
    throw InputError("the first " + std::to_string(point.next_sentence) +
                     " sentences of the input are not those that are published already; give the "
                     "same input to resume the run");
  }
  if (point.complete && source.next(sentence)) {
    throw InputError("the input continues after the " + std::to_string(point.next_sentence) +
                     " sentences of the run, which is complete; give the same input, or embed this "
                     "one in a run of its own");
  }
  return true;
}

}  // namespace elmo
