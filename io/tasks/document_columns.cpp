#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/tasks/documents.h"

namespace elmo {
namespace {

constexpr std::size_t kCorefWordColumn = 3;
constexpr std::size_t kSpeakerColumn = 9;
constexpr std::size_t kMinColumns = 5;
constexpr std::size_t kColumnsWithSpeaker = 12;

class CorefColumns final : public ExampleReader {
 public:
  explicit CorefColumns(OpenedFile& file)
      : ExampleReader(file), lines_(file, ColumnSeparator::blanks) {}

  bool next(ExampleGroup& group) override {
    constexpr const char* kAdvice = "; fix the file";
    bool ended = false;
    while (!ended && (begins_next_ || lines_.next())) {
      ended = name_line(lines_, kAdvice, [&] { return read_line(); });
    }
    if (!ended) name_line(lines_, kAdvice, [&] { end_document(); });
    if (document_.sentences.empty()) return false;
    group = take();
    return true;
  }

  std::string note() const override {
    if (repeated_ == 0) return {};
    return std::to_string(repeated_) + (repeated_ == 1 ? " mention occurs" : " mentions occur") +
           " twice; clusters with a mention in common were joined";
  }

 private:
  // A mention that has begun but not ended.
  struct Open {
    std::int64_t begin = 0;
    std::uint64_t line = 0;
  };

  ExampleGroup take() {
    join_clusters();
    std::erase_if(document_.gold.clusters, [](const auto& cluster) { return cluster.empty(); });
    return coref_group(std::exchange(document_, {}), file_.labels);
  }

  /// Reads a line. Returns true if it ends a document with sentences.
  bool read_line() {
    if (!begins_next_ && lines_.exceeds(kMaxRecordBytes)) {
      throw InputError("found a document of more than " + std::to_string(kMaxRecordBytes) +
                       " bytes; expected smaller ones");
    }
    const std::string_view line = lines_.text();
    const bool begins = line.starts_with(kDocumentBegin);
    if ((begins && !begins_next_) || line.starts_with(kDocumentEnd)) {
      end_document();
      if (!document_.sentences.empty()) {
        begins_next_ = begins;
        return true;
      }
    }
    begins_next_ = false;
    if (begins) {
      const std::size_t open = line.find('(');
      const std::size_t closed = line.rfind(')');
      if (open == std::string_view::npos || closed == std::string_view::npos || closed < open) {
        throw InputError("found no name in parentheses; expected #begin document (NAME); part N");
      }
      const std::size_t part = line.find("part ", closed);
      begin_document(line.substr(open + 1, closed - open - 1),
                     part == std::string_view::npos ? "" : last_column());
    } else if (lines_.count() == 0) {
      in_sentence_ = false;
    } else if (!line.starts_with('#')) {
      read_token();
    }
    return false;
  }

  void begin_document(std::string_view name, std::string_view part) {
    std::string id(name);
    if (is_digits(part)) {
      // Drops leading zeros. The number may have any number of digits.
      part.remove_prefix(std::min(part.find_first_not_of('0'), part.size() - 1));
      id.append("_").append(part);
    }
    name_ = file_.context.begin_document(id);
    const std::size_t slash = name.find('/');
    if (slash != std::string_view::npos && slash > 0) {
      document_.genre = name.substr(0, slash);
      check_label(document_.genre);
    }
    lines_.begin_unit();
    tokens_ = 0;
    in_sentence_ = false;
    clusters_.clear();
    joined_.clear();
    mentions_.clear();
  }

  void read_token() {
    if (lines_.count() < kMinColumns) {
      throw InputError(
          "found " + human_count(lines_.count(), "column") +
          "; expected JSON Lines, or columns: at least document, part, number, word and "
          "clusters");
    }
    if (!name_) begin_document(lines_[0], lines_[1]);
    if (!in_sentence_) {
      Sentence& sentence = document_.sentences.emplace_back();
      sentence.document = name_;
      sentence.line = lines_.number();
      const bool has_speaker =
          lines_.count() >= kColumnsWithSpeaker && lines_[kSpeakerColumn] != "-";
      document_.speakers.emplace_back(has_speaker ? lines_[kSpeakerColumn] : "");
      in_sentence_ = true;
    }
    Sentence& sentence = document_.sentences.back();
    const std::string_view word = lines_[kCorefWordColumn];
    check_token(word);
    if (sentence.size() == kDefaultMaxSentenceTokens) {
      throw InputError("found a sentence of more than " +
                       std::to_string(kDefaultMaxSentenceTokens) +
                       " tokens; expected a blank line after each sentence");
    }
    sentence.begin_line(lines_.number());
    const std::uint64_t begin = sentence.size() == 0 ? 0 : sentence.spans().back().end + 1;
    add_token(sentence, word, {begin, begin + word.size()});
    ++tokens_;
    if (labeled()) read_mentions(last_column());
  }

  void read_mentions(std::string_view column) {
    if (column == "-" || column == "_" || column == "*") return;
    for (const std::string_view part : split(column, '|')) {
      if (part.empty()) continue;
      const bool opens = part.starts_with('(');
      const bool closes = part.ends_with(')');
      const std::string_view cluster = part.substr(
          opens ? 1 : 0, part.size() - (opens ? 1 : 0) - (closes && part.size() > 1 ? 1 : 0));
      if (!(opens || closes) || !is_digits(cluster)) {
        throw InputError(
            "found '" + excerpt(part) +
            "' in the last column; expected -, (N, N) or (N), N being a cluster's number");
      }
      const std::int64_t token = tokens_ - 1;
      if (opens && closes) {
        close(cluster, token);
      } else if (opens) {
        open_[std::string(cluster)].push_back({token, lines_.number()});
      } else {
        const auto found = open_.find(cluster);
        if (found == open_.end()) {
          throw InputError("found the end of a mention of cluster " + std::string(cluster) +
                           "; expected its beginning first");
        }
        const std::int64_t begin = found->second.back().begin;
        found->second.pop_back();
        if (found->second.empty()) open_.erase(found);
        close(cluster, begin);
      }
    }
  }

  void close(std::string_view cluster, std::int64_t begin) {
    const RowSpan mention{begin, tokens_};
    const auto [own, is_new] =
        clusters_.try_emplace(std::string(cluster), document_.gold.clusters.size());
    if (is_new) {
      joined_.push_back(document_.gold.clusters.size());
      document_.gold.clusters.emplace_back();
    }
    const auto [known, is_first] = mentions_.try_emplace(mention, own->second);
    if (is_first) {
      document_.gold.clusters[own->second].push_back(mention);
      return;
    }
    // Some mentions in the published data are like this.
    ++repeated_;
    joined_[root_of(own->second)] = root_of(known->second);
  }

  /// Returns the cluster that a cluster was joined to, directly or not; otherwise the cluster
  /// itself.
  std::size_t root_of(std::size_t cluster) {
    while (joined_[cluster] != cluster) {
      joined_[cluster] = joined_[joined_[cluster]];
      cluster = joined_[cluster];
    }
    return cluster;
  }

  /// Moves the mentions of joined clusters to the cluster that they were joined to.
  void join_clusters() {
    std::set<std::size_t> grown;
    for (std::size_t cluster = 0; cluster < document_.gold.clusters.size(); ++cluster) {
      const std::size_t root = root_of(cluster);
      if (root == cluster) continue;
      MentionCluster& to = document_.gold.clusters[root];
      const MentionCluster from = std::exchange(document_.gold.clusters[cluster], {});
      to.insert(to.end(), from.begin(), from.end());
      grown.insert(root);
    }
    for (const std::size_t root : grown) std::ranges::sort(document_.gold.clusters[root]);
  }

  void end_document() {
    name_ = nullptr;
    if (open_.empty()) return;
    const auto& [cluster, mentions] = *open_.begin();
    throw InputError("found the end of the document; expected that of the mention of cluster " +
                     cluster + " that begins in line " + std::to_string(mentions.back().line));
  }

  std::string_view last_column() const { return lines_[lines_.count() - 1]; }

  ColumnLines lines_;

  // The current document, as far as it has been read.
  CorefDocument document_;
  std::shared_ptr<const Document> name_;
  std::int64_t tokens_ = 0;
  bool in_sentence_ = false;
  std::map<std::string, std::vector<Open>, std::less<>> open_;  // by cluster, innermost last
  std::map<std::string, std::size_t, std::less<>> clusters_;  // index of each cluster in document_
  std::vector<std::size_t> joined_;  // for each cluster, one that it was joined to, or itself
  std::map<RowSpan, std::size_t> mentions_;  // cluster of each mention
  std::uint64_t repeated_ = 0;               // repeated mentions in all documents
  bool begins_next_ = false;                 // line_ begins the next document
};

}  // namespace

ExampleGroup coref_group(CorefDocument document, LabelSet& labels) {
  TaskRecord record;
  auto gold = std::make_shared<CorefGold>(std::move(document.gold));
  if (!document.genre.empty()) gold->genre = labels.add(document.genre);
  std::unordered_map<std::string, std::int32_t> speakers;
  for (std::size_t n = 0; n < document.sentences.size(); ++n) {
    if (document.sentences[n].size() == 0) continue;
    record.texts.push_back(n);
    if (document.speakers.empty()) continue;
    const std::string& speaker = document.speakers[n];
    const auto number = static_cast<std::int32_t>(speakers.size());
    gold->speakers.push_back(speaker.empty() ? -1
                                             : speakers.try_emplace(speaker, number).first->second);
  }
  record.gold = std::move(gold);
  ExampleGroup group;
  group.texts = std::move(document.sentences);
  if (!record.texts.empty()) group.records.push_back(std::move(record));
  return group;
}

std::unique_ptr<ExampleReader> make_document_columns(OpenedFile& file) {
  return std::make_unique<CorefColumns>(file);
}

}  // namespace elmo
