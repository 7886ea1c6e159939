// The sentences of one file after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/text/bytes/byte_window.h"
#include "io/text/formats/format_reader.h"
#include "io/text/source/input_part.h"
#include "io/text/source/text_source.h"

namespace elmo {

/// What open_source makes: see there and TextSource.
class SequenceSource final : public TextSource {
 public:
  explicit SequenceSource(const InputOptions& options);
  /// Of bytes at hand.
  SequenceSource(const InputOptions& options, std::string name, std::unique_ptr<ByteSource> bytes);

  bool next(Sentence& sentence) override;
  bool next_would_wait() override;
  void stop_waiting() override { waiting_.stopped = true; }
  const InputCounters& counters() const override { return context_.counters; }
  InputProgress progress() const override { return {stored_bytes_read_, total_bytes_}; }
  void begin_at(const TextPlace& place, const std::string& text_hash) override;
  std::optional<TextPlace> take_place() override { return std::exchange(place_, std::nullopt); }
  std::string hash_before(const TextPlace& place) const override;
  PartCounts part_counts() const override;

 private:
  bool read(Sentence& sentence);
  bool finish_file(Sentence& sentence);
  bool is_blank_to_its_end(const InputStretch& stretch);
  void close_file();
  bool begin_file();
  bool open_next_file();
  std::unique_ptr<FormatReader> make_reader(const InputStretch& stretch);
  void find_place(const Sentence& sentence);
  void require_place(const TextPlace& place) const;
  const InputStretch& stretch() const { return stretches_[next_file_ - 1]; }

  ReadingContext context_;
  Waiting waiting_{context_.options.stop};
  std::vector<InputStretch> stretches_;
  std::unique_ptr<ByteSource> bytes_;  // of the only file, if they need no opening
  std::size_t next_file_ = 0;
  std::optional<ByteWindow> window_;
  std::unique_ptr<FormatReader> reader_;
  std::uint64_t bytes_of_former_files_ = 0;
  std::atomic<std::uint64_t> stored_bytes_read_ = 0;
  std::optional<std::uint64_t> total_bytes_;

  // The file that is open.
  std::optional<TextPlace> begin_;            // where it is begun, if that is in its middle
  std::uint64_t line_feeds_ = 0;              // read of the stretch
  bool any_sentence_ = false;                 // was handed out
  std::optional<bool> compressed_;            // where that was asked
  InputCounters counters_before_;             // when it was opened
  std::shared_ptr<const Document> document_;  // where it is one

  std::uint64_t first_file_documents_ = 0;
  std::optional<TextPlace> place_;       // of the sentence handed out last
  std::optional<TextPlace> place_read_;  // of the sentence read last
  std::uint64_t last_place_offset_ = 0;  // in the file that is open

  // What next_would_wait() has read and next() has not handed out: a sentence, the end or an error.
  bool read_ahead_ = false;
  Sentence sentence_ahead_;
  bool has_sentence_ = false;  // else the end; of what was read last
  std::exception_ptr error_ahead_;
};

}  // namespace elmo
