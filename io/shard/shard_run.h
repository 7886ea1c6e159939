// A run's folder: publishes shards one by one, and finds where a stopped run continues.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/sentence.h"
#include "io/files/atomic_file.h"
#include "io/provenance.h"
#include "io/shard/check.h"
#include "io/shard/manifest.h"
#include "io/shard/shard_file.h"
#include "io/text/input/input_range.h"
#include "io/text/input/resume_position.h"

namespace elmo {

/// The step that is complete when PublishListener is called. The manifest goes through the last
/// three before the first shard. A shard's tables and then the shard go through the first five,
/// then the manifest through the last three; the index does the same.
enum class PublishStep {
  file_written,
  file_synced,
  file_checked,
  file_renamed,
  folder_synced,
  manifest_written,
  manifest_renamed,
  manifest_synced
};
using PublishListener = std::function<void(PublishStep)>;

/// The point where a run continues.
struct ResumePoint {
  std::uint64_t next_sentence = 0;
  InputHash input;                         ///< hash of the sentences before
  std::vector<float> carried_state;        ///< SegmentEnd::carried_state of the last shard
  bool complete = false;                   ///< the input ends here
  std::optional<ResumePosition> position;  ///< position to resume reading the input from
};

/// Writes a run into a folder, which it makes and locks. Each segment becomes a shard, whose tables
/// and then the shard itself are written under a temporary name, synced, renamed, and then listed
/// in the manifest, which is replaced atomically. The shard is renamed once both were read back and
/// compared. Before the first shard is published, nothing is left of a run that ends. Unfinished
/// files are removed by the destructor; unlisted files of a killed or failed run are removed when
/// the folder is opened again. Errors: SystemError (for example a full disk: published files stay,
/// and the run can be resumed). One thread at a time.
///
/// A separate thread publishes a shard while the next one is written. end_segment() returns once
/// the shard is written; a later call, at the latest finish(), throws errors of publishing. At most
/// one shard is being published at a time, so shards are published in order, and no two threads
/// call the listener at once.
class ShardRun final : public ActivationSink {
 public:
  /// RequestError for a folder that holds parts of a run or another program's manifest.json; unless
  /// `mode` is overwrite, also for other files without a run; if `mode` is create, also for a run.
  /// InputError if the run in the folder has another provenance (naming what changed) or
  /// its shards differ from its manifest. To resume, all shards are read, and `check_listener` is
  /// called for each file. To overwrite, the folder's run is removed when the first activations are
  /// written. SystemError if another run is writing into the folder. The layout, the
  /// dtype, the compression and whether boundaries are kept are added to `provenance`.
  ShardRun(const std::filesystem::path& folder, Provenance provenance, RunMode mode,
           const ShardFormat& format, PublishListener listener = nullptr,
           const CheckListener& check_listener = nullptr);
  ~ShardRun() override;

  /// The point where the run continued when the folder was opened.
  const ResumePoint& resume_point() const { return resume_point_; }
  /// OutputFolder::warning of the folder.
  const std::string& warning() const { return locked_->warning(); }
  /// Returns what is published; waits until a pending publication has succeeded or failed. Nothing
  /// may be written to a complete run. A complete run whose index is missing or damaged is opened
  /// as incomplete: finish() alone recreates the index.
  const Manifest& manifest() const {
    if (publication_.valid()) publication_.wait();
    return manifest_;
  }

  SinkTraits traits() const override;
  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd& end) override { end_shard(end, std::nullopt); }
  void finish() override { finish_run(std::nullopt); }

  /// As end_segment(). A resumed run reads the input from `position`, the last one at or before the
  /// end of the shard; without a position, from the beginning.
  void end_shard(const SegmentEnd& end, std::optional<ResumePosition> position);
  /// As finish(), for an input that is a part with these counts.
  void finish_run(const std::optional<PartCounts>& counts);

 private:
  /// The files of the current shard.
  struct ShardOutput {
    AtomicFile file;
    AtomicFile tables;
  };
  using FileCheck = std::function<std::vector<std::string>(const std::filesystem::path&)>;

  void open_folder(RunMode mode, const CheckListener& listener);
  void resume(Manifest published, const CheckListener& listener);
  void begin_shard();
  void sync_beside();
  void publish_shard(ShardOutput output, std::future<void> sync, ShardEntry entry);
  ListedFile publish(AtomicFile& output, const FileCheck& check);
  void store_manifest();
  void notify(PublishStep step) const {
    if (listener_) listener_(step);
  }

  std::filesystem::path folder_;
  ShardFormat format_;
  PublishListener listener_;
  Manifest manifest_;  ///< while a shard is being published, that thread owns its list of shards
  ResumePoint resume_point_;
  std::optional<OutputFolder> locked_;

  /// The folder may hold a run that is removed before the first shard is written: an input that
  /// cannot be read must not cost the run that it was to replace.
  bool replaces_ = false;

  // Totals of all shards written so far, published or not.
  std::size_t shards_written_ = 0;
  std::uint64_t next_sentence_ = 0;
  InputHash input_;
  std::optional<ShardOutput> output_;
  std::optional<ShardFile> shard_;
  std::future<void> sync_;            ///< sync of the current shard's data; holds its error
  std::uint64_t unsynced_bytes_ = 0;  ///< bytes of activations written since that sync began

  std::shared_future<void> publication_;  ///< publication of the last shard; holds its error
};

/// Removes the run in a folder, and the folder if it holds nothing else. SystemError.
void remove_shards(const std::filesystem::path& folder);

/// Reads and drops the sentences of `source` that are already published. `source` begins at
/// `point.position`, if given. It must yield the same sentences as the run's sink received, so it
/// cuts long sentences in the same way. Returns false if `stop`, which may be null, became true.
/// InputError if the input has changed: the sentences differ from the run's, or a complete run now
/// has more of them.
bool skip_sentences(SentenceSource& source, const ResumePoint& point,
                    const std::atomic<bool>* stop = nullptr);

}  // namespace elmo
