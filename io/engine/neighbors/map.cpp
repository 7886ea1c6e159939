#include "io/engine/neighbors/map.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "core/analysis/word_map.h"
#include "core/error.h"
#include "core/inference/token_selection.h"
#include "core/text.h"
#include "io/engine/neighbors/corpus.h"
#include "io/engine/run_settings.h"
#include "io/shard/run_reader.h"
#include "io/tasks/kinds.h"
#include "io/text/input/token_matcher.h"
#include "io/text/segment/normalization.h"

namespace elmo {
namespace {

// Context shown on each side of a word, in whole tokens.
constexpr std::size_t kContextTokens = 30;
constexpr std::size_t kContextBytes = 300;

std::string context_before(const Sentence& sentence, std::size_t token) {
  std::string text;
  for (std::size_t i = token; i > 0; --i) {
    const std::string_view word = sentence.token(i - 1);
    if (token - i == kContextTokens || text.size() + word.size() > kContextBytes) {
      return text.empty() ? "…" : "… " + text;
    }
    text.insert(0, std::string(word) + (text.empty() ? "" : " "));
  }
  return text;
}

std::string context_after(const Sentence& sentence, std::size_t token) {
  std::string text;
  for (std::size_t i = token + 1; i < sentence.size(); ++i) {
    const std::string_view word = sentence.token(i);
    if (i - token > kContextTokens || text.size() + word.size() > kContextBytes) {
      return text.empty() ? "…" : text + " …";
    }
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

/// The occurrences on the map, in corpus order, and their vectors.
class Occurrences {
 public:
  explicit Occurrences(const TokenLayer& layer) : layer_(layer) {}

  /// Adds a token of sentence `number`, from 0. `values`: all activations of the token.
  void add(const Sentence& sentence, std::uint64_t number, std::size_t token, const float* values) {
    positions_.push_back({number, token, sentence.size()});
    points_.push_back({0, 0, 0, sentence.document->id, sentence.line,
                       context_before(sentence, token), std::string(sentence.token(token)),
                       context_after(sentence, token)});
    const std::span vector(values + layer_.begin, static_cast<std::size_t>(layer_.width));
    if (!std::ranges::all_of(vector, [](float value) { return std::isfinite(value); })) {
      throw InputError(sentence.document->id + ": the sentence in line " +
                       std::to_string(sentence.line) + " has a vector with a value that is not " +
                       "finite; expected numbers");
    }
    vectors_.insert(vectors_.end(), vector.begin(), vector.end());
  }

  std::size_t size() const { return points_.size(); }

  PrincipalPlane plane() const {
    return principal_plane(vectors_, static_cast<std::size_t>(layer_.width));
  }

  Clusters clusters(std::optional<std::size_t> count) const {
    return cluster(vectors_, static_cast<std::size_t>(layer_.width), count);
  }

  /// The names of the documents.
  std::vector<std::string> documents() const {
    std::vector<std::string> names;
    for (const MapPoint& point : points_) names.push_back(point.file);
    return names;
  }

  /// Reads the labels of a file with the corpus's sentences. InputError if its sentences differ.
  std::vector<std::string> labels(const MapRequest& request, const std::atomic<bool>& stop) const {
    const ExampleInput input{.file = request.labels, .column = request.column, .stop = &stop};
    LabelSet set;
    const std::unique_ptr<ExampleFile> file = open_examples(input, *labeled_kind("tag"), set);
    std::vector<std::string> labels;
    ExampleGroup group;
    std::uint64_t number = 0;
    for (; labels.size() < size() && file->next(group); ++number) {
      const Sentence& sentence = group.texts.front();
      for (std::size_t i = labels.size(); i < size() && positions_[i].sentence == number; ++i) {
        const Position& at = positions_[i];
        if (sentence.size() != at.size ||
            sentence.word(at.token) != canonical_form(points_[i].word)) {
          throw InputError(request.labels + ": sentence " + std::to_string(number + 1) +
                           ", in line " + std::to_string(sentence.line) + ", has " +
                           human_count(sentence.size(), "token") + "; expected " +
                           std::to_string(at.size) + " with '" + points_[i].word + "' as number " +
                           std::to_string(at.token + 1) + ", as in the corpus");
        }
        labels.push_back(set[group.records.front().gold->as<LabelGold>().labels[at.token]]);
      }
    }
    if (labels.size() < size()) {
      throw InputError(request.labels + ": has " + human_count(number, "sentence") +
                       "; expected the corpus's sentences, at least " +
                       std::to_string(positions_[labels.size()].sentence + 1));
    }
    return labels;
  }

  std::vector<MapPoint> take() { return std::move(points_); }

 private:
  struct Position {
    std::uint64_t sentence;
    std::size_t token;
    std::size_t size;  ///< tokens of the sentence
  };

  TokenLayer layer_;
  std::vector<Position> positions_;
  std::vector<MapPoint> points_;
  std::vector<float> vectors_;
};

/// Collects the kept tokens of an embedded text.
class MapSink final : public ActivationSink {
 public:
  MapSink(Occurrences& found, std::int64_t token_values)
      : found_(found), token_values_(token_values) {}

  void write(const ActivationBatch& batch) override {
    const float* values = batch.activations.data();
    for (std::size_t i = 0; i < batch.sentences.size(); ++i) {
      const Sentence& sentence = batch.sentences[i];
      for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
        found_.add(sentence, batch.number_of(i), sentence.kept_token(kept), values);
        values += token_values_;
      }
    }
  }

 private:
  Occurrences& found_;
  std::int64_t token_values_;
};

/// Reads only the tokens of a run's sentences.
class RunSentences final : public SentenceSource {
 public:
  explicit RunSentences(RunReader& reader) : reader_(reader) {}

  bool next(Sentence& sentence) override {
    sentence.clear();
    if (next_ == reader_.sentence_end()) return false;
    const TokenRange range = reader_.tokens_of(next_++);
    for (std::uint64_t token = range.begin; token < range.end; ++token) {
      sentence.add(word(token), {});
    }
    return true;
  }

 private:
  const std::string& word(std::uint64_t token) {
    constexpr std::uint64_t kTogether = 4096;
    if (token < first_ || token - first_ >= words_.size()) {
      first_ = token;
      words_ = reader_.read_tokens({token, std::min(token + kTogether, reader_.token_count())});
    }
    return words_[token - first_];
  }

  RunReader& reader_;
  std::uint64_t next_ = 0;
  std::uint64_t first_ = 0;
  std::vector<std::string> words_;  // words from token first_ on
};

/// A sample of the occurrences of the request's word in the sentences of a source.
class SampledWord {
 public:
  SampledWord(SentenceSource& sentences, const NeighborRequest& request,
              const std::atomic<bool>& stop)
      : matcher_({{request.query}, "", true}),
        chosen_(sentences,
                [this](std::string_view token) {
                  const bool found = matcher_.matches(token);
                  if (found) ++occurrences_;
                  return found;
                }),
        sample_(chosen_, request.map.sample, request.map.seed, stop) {}

  SentenceSource& sentences() { return sample_; }
  /// Valid after the first sentence was read.
  std::uint64_t occurrences() const { return occurrences_; }

 private:
  TokenMatcher matcher_;
  std::uint64_t occurrences_ = 0;
  SelectingSource chosen_;
  TokenSample sample_;
};

/// Puts each point into the group of its name. The groups with most points come first.
void set_groups(const std::vector<std::string>& names, WordMap& map) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : names) {
    if (++counts[name] == 1) map.groups.push_back(name);
  }
  std::ranges::stable_sort(map.groups, std::greater(),
                           [&](const std::string& name) { return counts[name]; });
  std::map<std::string_view, std::size_t> numbers;
  for (const std::string& name : map.groups) numbers.emplace(name, numbers.size());
  for (std::size_t i = 0; i < names.size(); ++i) map.points[i].group = numbers.at(names[i]);
}

/// Describes the clusters, and returns the names of their points.
std::vector<std::string> add_clusters(const Clusters& found, std::size_t central, WordMap& map) {
  std::vector<std::string> names;
  map.clusters.resize(found.count);
  map.silhouette = found.silhouette;
  for (std::size_t point = 0; point < found.numbers.size(); ++point) {
    MapCluster& cluster = map.clusters[found.numbers[point]];
    cluster.central.push_back({found.similarities[point], point});
    names.push_back(std::to_string(found.numbers[point] + 1));
  }
  for (MapCluster& cluster : map.clusters) {
    cluster.size = cluster.central.size();
    std::ranges::stable_sort(cluster.central, std::greater(), &MapCluster::Occurrence::similarity);
    cluster.central.resize(std::min(central, cluster.size));
  }
  return names;
}

/// Makes the map from the occurrences.
WordMap map_of(const NeighborRequest& request, const std::string& layer, std::uint64_t occurrences,
               Occurrences found, const std::atomic<bool>& stop) {
  const std::string where = request.corpus.front() + ": found ";
  if (occurrences == 0) {
    throw InputError(where + "no token '" + excerpt(request.query) +
                     "', ignoring case; expected a word as `elmo tokenize` shows it");
  }
  const std::optional<std::size_t> wanted = request.map.clusters;
  const std::size_t least =
      std::max<std::size_t>(2, wanted == kAutoClusters ? 3 : wanted.value_or(2));
  if (found.size() < least) {
    throw InputError(where + human_count(found.size(), "occurrence") + " of '" +
                     excerpt(request.query) + "'; expected at least " + std::to_string(least) +
                     (wanted ? ", to make clusters" : ""));
  }
  const PrincipalPlane plane = found.plane();
  if (plane.shares.front() <= 0) {
    throw InputError(where + human_count(found.size(), "occurrence") + " of '" +
                     excerpt(request.query) + "' with the same vector in layer " + layer +
                     "; expected vectors that differ; choose another " + Setting{"layer"});
  }
  WordMap map;
  map.word = request.query;
  map.layer = layer;
  map.occurrences = occurrences;
  map.seed = request.map.seed;
  map.shares = plane.shares;
  map.labeled = wanted || !request.map.labels.empty();
  std::vector<std::string> groups;
  if (wanted) {
    groups = add_clusters(found.clusters(wanted == kAutoClusters ? std::nullopt : wanted),
                          request.count, map);
  } else if (map.labeled) {
    groups = found.labels(request.map, stop);
  } else {
    groups = found.documents();
  }
  map.points = found.take();
  for (std::size_t i = 0; i < map.points.size(); ++i) {
    map.points[i].x = plane.positions[i].x;
    map.points[i].y = plane.positions[i].y;
  }
  set_groups(groups, map);
  return map;
}

std::optional<WordMap> map_of_run(const NeighborRequest& request, const std::atomic<bool>& stop) {
  const std::string& name = request.corpus.front();
  RunReader reader(name);
  require_complete(reader.manifest(), name);
  require_all_tokens(reader.manifest(), name);
  const TokenLayer layer = chosen_layers(reader.layout(), request.layer).context;
  RunSentences sentences(reader);
  SampledWord word(sentences, request, stop);
  Occurrences found(layer);
  Sentence sentence;
  ActivationBlock block;
  for (std::uint64_t number = 0; word.sentences().next(sentence); ++number) {
    if (stop) return std::nullopt;
    if (sentence.kept_count() == 0) continue;
    reader.read(number, {1, 1}, block);
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
      const std::size_t token = sentence.kept_token(kept);
      found.add(block.sentences.front(), number, token,
                block.activations.data() +
                    static_cast<std::int64_t>(token) * reader.layout().values_per_token());
    }
  }
  return map_of(request, layer.name, word.occurrences(), std::move(found), stop);
}

std::optional<WordMap> map_of_text(const NeighborRequest& request, RunListener& listener,
                                   const std::atomic<bool>& stop) {
  EmbeddedText text(request, listener, stop);
  const ActivationLayout& layout = text.embedder().layout;
  const TokenLayer layer = chosen_layers(layout, request.layer).context;
  SampledWord word(text.sentences(), request, stop);
  Occurrences found(layer);
  MapSink sink(found, layout.values_per_token());
  if (!text.embed_into(word.sentences(), sink)) return std::nullopt;
  return map_of(request, layer.name, word.occurrences(), std::move(found), stop);
}

}  // namespace

std::optional<WordMap> word_map(const NeighborRequest& request, RunListener& listener,
                                const std::atomic<bool>& stop) {
  try {
    return names_run(request) ? map_of_run(request, stop) : map_of_text(request, listener, stop);
  } catch (const ReadingStopped&) {
    return std::nullopt;
  }
}

}  // namespace elmo
