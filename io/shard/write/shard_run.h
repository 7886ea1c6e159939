// A run's folder: shards published one by one, and the position where a stopped run continues.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/sink.h"
#include "io/files/atomic_file.h"
#include "io/files/lock.h"
#include "io/fingerprint.h"
#include "io/shard/check/check.h"
#include "io/shard/manifest/input_account.h"
#include "io/shard/manifest/input_hash.h"
#include "io/shard/manifest/manifest.h"
#include "io/shard/write/shard_file.h"

namespace elmo {

enum class RunMode {
  create,    ///< begin in a missing or empty folder
  resume,    ///< continue with the run that the folder holds; begin where it holds none
  overwrite  ///< remove the run that the folder holds, and begin
};

/// What is durable when PublishListener is notified. A shard goes through the first
/// five, then the manifest through the next three; the index goes the same way.
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

/// Where a run continues.
struct ResumePoint {
  std::uint64_t next_sentence = 0;
  InputHash input;                         ///< of the sentences before
  std::vector<float> carried_state;        ///< SegmentEnd::carried_state of the last shard
  bool complete = false;                   ///< the input ends here
  std::optional<ResumePosition> position;  ///< from which the input need be read
};

/// Writes a run into a folder that it has locked. Each segment becomes a shard: written beside
/// under another name, synced, read back and compared, renamed, and then listed in the manifest,
/// which is replaced whole. What is not published is removed at the end of scope, and what a killed
/// run left is removed when the folder is opened again. Errors: SystemError (a full disk: what is
/// published stays and the run can be resumed). One thread at a time.
///
/// A shard is published on a thread of the run's own while the next one is written: end_segment()
/// returns once the shard is written, and what fails in publishing it is thrown by a later call,
/// finish() at the latest. At most one shard is being published, so they are in order, and the
/// listener is never called by two threads at once.
class ShardRun final : public ActivationSink {
 public:
  /// RequestError for a folder that holds something else, parts of a run, or a run where `mode` is
  /// create.
  /// InputError where a run was begun with another fingerprint, naming what changed, or its shards
  /// are not those of its manifest: to resume, all of them are read, and `check_listener` hears of
  /// each. SystemError where another run writes into the folder. To `fingerprint` the layout, the
  /// dtype, the compression and whether boundaries are kept are added.
  ShardRun(const std::filesystem::path& folder, RunFingerprint fingerprint, RunMode mode,
           const ShardFormat& format, PublishListener listener = nullptr,
           const CheckListener& check_listener = nullptr);
  ~ShardRun() override;

  /// Asks for positions and for what a part holds from now on; `account` outlives what is written.
  void set_account(InputAccount& account) { account_ = &account; }

  /// Where the run went on when the folder was opened.
  const ResumePoint& resume_point() const { return resume_point_; }
  /// FolderLock::warning of the folder.
  const std::string& warning() const { return lock_->warning(); }
  /// What is published, once what is being published is or has failed. Once it is complete nothing
  /// may be written. Where a complete run was opened whose index is missing or damaged, it is not
  /// complete: finish() alone makes the index again.
  const Manifest& manifest() const {
    if (publication_.valid()) publication_.wait();
    return manifest_;
  }

  void write(const ActivationBatch& batch) override;
  void end_segment(const SegmentEnd& end) override;
  void finish() override;

 private:
  using FileCheck = std::function<std::vector<std::string>(const std::filesystem::path&)>;

  void open_folder(RunMode mode, const CheckListener& listener);
  void resume(Manifest published, const CheckListener& listener);
  void begin_shard();
  void sync_beside();
  void publish_shard(AtomicFile file, std::future<void> sync, ShardEntry entry);
  PublishedFile publish(AtomicFile& output, const FileCheck& check);
  void store_manifest();
  void notify(PublishStep step) const {
    if (listener_) listener_(step);
  }

  std::filesystem::path folder_;
  ShardFormat format_;
  PublishListener listener_;
  InputAccount* account_ = nullptr;
  Manifest manifest_;  ///< its list of shards is the publishing thread's while there is one
  ResumePoint resume_point_;
  std::optional<FolderLock> lock_;

  // What is written: all shards up to here, published or about to be.
  std::size_t shards_written_ = 0;
  std::uint64_t next_sentence_ = 0;
  InputHash input_;
  std::optional<AtomicFile> output_;  ///< of the shard
  std::optional<ShardFile> shard_;
  std::future<void> sync_;            ///< of what was written of the shard; keeps what failed
  std::uint64_t unsynced_bytes_ = 0;  ///< of activations, written since it began

  std::shared_future<void> publication_;  ///< of the last shard written; keeps what failed
};

}  // namespace elmo
