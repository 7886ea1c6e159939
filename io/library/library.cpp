// The functions of elmo.h.
#include <cfenv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/embed.h"
#include "core/resources.h"
#include "core/version.h"
#include "core/workers.h"
#include "io/engine/embed/setup.h"
#include "io/library/elmo/elmo.h"
#include "io/library/interface.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/readers.h"
#include "io/text/segment/utf8.h"

/// A model, and everything else that calls share. Immutable. Any thread.
struct elmo_model {
  explicit elmo_model(elmo::EmbedRequest requested)
      : elmo_model(requested, elmo::open_model(requested.model, requested.input.request)) {}

  elmo::EmbedRequest request;  ///< with the model's tokenizer
  elmo::Bilm bilm;
  elmo::ActivationLayout layout;
  elmo_description description{};

 private:
  elmo_model(elmo::EmbedRequest& requested, elmo::OpenedModel opened)
      : request(std::move(requested)),
        bilm(opened.packed(request.precision)),
        layout(elmo::activation_layout(bilm.options(), request.embed)) {
    request.input.tokenizer = opened.tokenizer;
    const elmo::LoadedModel& loaded = opened.loaded;
    texts_ = {loaded.name, loaded.fingerprint, loaded.language ? loaded.language->language : "",
              elmo::tokenizer_words(request.input),
              std::string(elmo::kPrecisions.word(request.precision))};
    for (const std::string& row : layout.rows) rows_.push_back(row.c_str());
    description = {texts_[0].c_str(), texts_[1].c_str(),
                   texts_[2].c_str(), texts_[3].c_str(),
                   texts_[4].c_str(), rows_.size(),
                   rows_.data(),      static_cast<std::size_t>(layout.width)};
    // Reports errors before any text is read.
    elmo::make_segmenter(request.input.tokenizer);
  }

  std::vector<std::string> texts_;
  std::vector<const char*> rows_;
};

namespace elmo {
namespace {

/// Threads and numbers as the library needs them until the end of the scope, whatever the program
/// has set for its own thread. Threads that start meanwhile inherit how numbers are computed.
class CallScope {
 public:
  CallScope() {
    std::fegetenv(&numbers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~CallScope() { std::fesetenv(&numbers_); }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  OneThread threads_;
  std::fenv_t numbers_{};
};

/// Runs `work` and returns its exception as an error.
template <typename Work>
elmo_error* call(const Work& work) noexcept {
  // OpenMP ends the process if it lacks memory for its own data.
  constexpr std::size_t kFreeBytes = std::size_t{1} << 20;
  try {
    require_free_memory(kFreeBytes);
    const CallScope scope;
    work();
    return nullptr;
  } catch (...) {
    return current_error();
  }
}

std::string_view view_of(const elmo_text& text) {
  return text.size == 0 ? std::string_view() : std::string_view(text.data, text.size);
}

/// The sentences of texts, one after the other.
class Texts final : public SentenceSource {
 public:
  /// `texts` must outlive this object.
  Texts(std::span<const elmo_text> texts, const FormatOptions& options)
      : rest_(texts), context_(options) {}

  bool next(Sentence& sentence) override {
    sentence.clear();
    while (!reader_ || !reader_->next(sentence)) {
      if (rest_.empty()) return false;
      begin_text(view_of(rest_.front()));
      rest_ = rest_.subspan(1);
    }
    return true;
  }

 private:
  void begin_text(std::string_view text) {
    reader_.reset();
    window_ = std::make_unique<ByteWindow>(text);
    if (text.starts_with(kByteOrderMark)) window_->consume(kByteOrderMark.size());
    const std::string name = "text " + std::to_string(context_.counters.documents);
    reader_ = make_raw_text_reader({*window_, name, context_, context_.begin_document(name)});
  }

  std::span<const elmo_text> rest_;
  ReadingContext context_;
  std::unique_ptr<ByteWindow> window_;
  std::unique_ptr<FormatReader> reader_;
};

/// The tokens of sentences as they are given. Spans are positions in a text that has each sentence
/// as a line, with one space between its tokens.
class ListedSentences final : public SentenceSource {
 public:
  /// `tokens` and `sizes` must outlive this object.
  ListedSentences(const elmo_text* tokens, std::span<const std::size_t> sizes, Normalization form)
      : tokens_(tokens), sizes_(sizes), form_(form) {}

  bool next(Sentence& sentence) override {
    sentence.clear();
    if (number_ == sizes_.size()) return false;
    sentence.document = document_;
    sentence.line = number_ + 1;
    const std::size_t size = sizes_[number_];
    for (std::size_t token = 0; token < size; ++token) add_next(token, sentence);
    if (size == 0) ++offset_;
    ++number_;
    return true;
  }

 private:
  void add_next(std::size_t number, Sentence& sentence) {
    const std::string_view token = view_of(*tokens_++);
    const bool has_nul = token.find('\0') != std::string_view::npos;
    if (has_nul || token.size() > kMaxSentenceBytes) {
      throw InputError(
          "token " + std::to_string(number) + " of sentence " + std::to_string(number_) +
          (has_nul ? " contains a NUL; expected text"
                   : " has " + std::to_string(token.size()) + " bytes; expected at most " +
                         std::to_string(kMaxSentenceBytes)));
    }
    text_.assign(token);
    add_token(text_, {0, text_.text().size()}, offset_, sentence, form_);
    offset_ = sentence.spans().back().end + 1;
  }

  const elmo_text* tokens_;
  std::span<const std::size_t> sizes_;
  Normalization form_;
  std::size_t number_ = 0;  // of the next sentence
  std::uint64_t offset_ = 0;
  RepairedText text_;
  std::shared_ptr<const Document> document_ = std::make_shared<const Document>();
};

std::vector<Sentence> cut_sentences(SentenceSource& source, std::size_t max_tokens) {
  SentenceCutter cutter(source, max_tokens);
  std::vector<Sentence> sentences;
  for (Sentence sentence; cutter.next(sentence);) {
    sentences.push_back(std::exchange(sentence, {}));
  }
  return sentences;
}

/// Appends the numbers to a vector that has room for them.
class VectorSink final : public ActivationSink {
 public:
  explicit VectorSink(std::vector<float>& values) : values_(values) {}

  void write(const ActivationBatch& batch) override {
    values_.insert(values_.end(), batch.activations.begin(), batch.activations.end());
  }

 private:
  std::vector<float>& values_;
};

/// Returns the number of vectors of these sentences.
std::size_t vector_count(std::span<const Sentence> sentences, std::size_t texts,
                         const EmbedOptions& options) {
  if (options.pool) return options.pool->unit == PoolUnit::document ? texts : sentences.size();
  std::size_t tokens = options.boundaries ? 2 * sentences.size() : 0;
  for (const Sentence& sentence : sentences) tokens += sentence.size();
  return tokens;
}

elmo_vectors* embed_sentences(const elmo_model& model, std::vector<Sentence> sentences,
                              std::size_t texts) {
  const EmbedOptions& options = model.request.embed;
  std::vector<float> values;
  values.reserve(vector_count(sentences, texts, options) *
                 static_cast<std::size_t>(model.layout.values_per_token()));
  SentenceList source(sentences);
  VectorSink sink(values);
  embed({.model = model.bilm,
         .source = source,
         .sink = sink,
         .options = options,
         .resources = model.request.resources});
  if (options.boundaries) {
    // As embed() does: an empty sentence has no vectors.
    for (Sentence& sentence : sentences) {
      if (sentence.size() > 0) sentence.add_boundaries();
    }
  }
  return new OwnedVectors(sentences, texts, model.layout, std::move(values));
}

std::vector<Sentence> sentences_of(const elmo_model& model, const elmo_text* texts,
                                   std::size_t count) {
  Texts source({texts, count}, model.request.input);
  return cut_sentences(source, max_sentence_tokens(model.request));
}

}  // namespace
}  // namespace elmo

const char* elmo_version() { return elmo::version().data(); }

elmo_error* elmo_open(const elmo_settings* settings, elmo_model** model) {
  return elmo::call([&] { *model = new elmo_model(elmo::request_of(settings)); });
}

void elmo_close(elmo_model* model) { delete model; }

const elmo_description* elmo_describe(const elmo_model* model) { return &model->description; }

elmo_error* elmo_embed(const elmo_model* model, const elmo_text* texts, size_t count,
                       elmo_vectors** vectors) {
  return elmo::call([&] {
    *vectors = elmo::embed_sentences(*model, elmo::sentences_of(*model, texts, count), count);
  });
}

elmo_error* elmo_embed_tokens(const elmo_model* model, const elmo_text* tokens,
                              const size_t* sentence_sizes, size_t sentence_count,
                              elmo_vectors** vectors) {
  return elmo::call([&] {
    elmo::ListedSentences source(tokens, {sentence_sizes, sentence_count},
                                 model->request.input.tokenizer.token_normalization);
    const std::size_t max_tokens = elmo::max_sentence_tokens(model->request);
    *vectors = elmo::embed_sentences(*model, elmo::cut_sentences(source, max_tokens), 1);
  });
}

elmo_error* elmo_tokenize(const elmo_model* model, const elmo_text* texts, size_t count,
                          elmo_vectors** vectors) {
  return elmo::call([&] {
    const std::vector<elmo::Sentence> sentences = elmo::sentences_of(*model, texts, count);
    *vectors = new elmo::OwnedVectors(sentences, count, model->layout, {});
  });
}
