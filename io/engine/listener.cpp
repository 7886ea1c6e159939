#include "io/engine/listener.h"

#include <array>
#include <utility>

#include "core/text.h"
#include "io/model/tokenizer.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/segment/segmenter.h"

namespace elmo {
namespace {

/// The words of a note around the first file of a kind.
struct OddityNote {
  Oddity oddity;
  const char* before;
  const char* after;
};

constexpr std::array<OddityNote, kOddities> kOddityNotes{
    {{Oddity::encoding, "that may not be UTF-8, such as ", ""},
     {Oddity::foreign, "that may not be plain text, such as ", ""},
     {Oddity::records, "of JSON records read as raw text, such as ",
      "; the input format jsonl reads the texts in them"},
     {Oddity::conllu, "of CoNLL-U read as raw text, numbers and all columns, such as ",
      "; the input format conllu reads the words in them"},
     {Oddity::vertical, "of a vertical corpus read as raw text, tags and all columns, such as ",
      "; the input format vertical of elmo embed and elmo tokenize reads the words in them"},
     {Oddity::fasta, "of FASTA read as raw text, such as ",
      "; the input format fasta of elmo embed and elmo tokenize reads the residues in them"},
     {Oddity::table, "of CSV or TSV read as raw text, separators and all columns, such as ",
      "; write the texts as JSON Lines or one per line"}}};

}  // namespace

RunProgress progress_of(const TextSource& input, const EmbedProgress& done, double before,
                        std::string output) {
  return {static_cast<std::uint64_t>(done.computed_tokens),
          input.fraction(before + done.computed_tokens), std::move(output)};
}

void note_count(RunListener& listener, std::uint64_t count, const std::string& noun,
                const Message& what) {
  if (count > 0) listener.note(Message(human_count(count, noun) + ' ') + what);
}

void note_input(RunListener& listener, const InputCounters& counters) {
  const auto note = [&listener](std::uint64_t count, const char* noun, const Message& what) {
    note_count(listener, count, noun, what);
  };
  note(counters.invalid_sequences, "invalid UTF-8 sequence", "read as U+FFFD");
  for (const OddityNote& odd : kOddityNotes) {
    const auto at = static_cast<std::size_t>(odd.oddity);
    note(counters.odd_files[at], "file", odd.before + counters.first_odd[at] + odd.after);
  }
  note(counters.byte_order_marks, "byte order mark",
       "(U+FEFF) inside of a text, read as part of its tokens");
  note(counters.hardly_known_tokens, "token",
       Message("with letters that models hardly know, such as decomposed or full-width ones, "
               "ligatures and soft hyphens; ") +
           Setting{"normalize"} + " nfkc replaces them");
  note(counters.html_entities, "HTML entity",
       "such as &quot; in the text, read as several tokens each; decode them first");
  note(counters.html_tags, "HTML tag",
       "such as <br /> in the text, read as several tokens each; remove them first");
  note(counters.cut_sentences, "cut",
       "made in sentences of more than " + human_bytes(kMaxSentenceBytes));
  note(counters.empty_sentences, "empty sentence", "kept as a sentence of zero tokens");
  note(counters.bad_records, "malformed record", "left out");
  note(counters.empty_files, "empty file", "read: no text, no sentence");
  note(counters.left_out, "entry",
       "of folders left out, neither a file nor a folder, such as " + counters.first_left_out);
}

void note_tokenizer(RunListener& listener, const LoadedModel& model, const InputOptions& input) {
  if (!model.tokenizer) return;
  const std::optional<TokenizerSettings> trained_with = settings_of(*model.tokenizer);
  // The words of CoNLL-U are what the rules of Universal Dependencies imitate.
  const bool treebank = input.format == InputFormat::conllu;
  if (treebank && trained_with && trained_with->kind == TokenizerKind::ud) return;
  // A named tokenizer has made the tokens of a file of tokens.
  const bool declared = input.format == InputFormat::tokens && !input.request.tokenizer.empty();
  FormatOptions made_by = static_cast<const FormatOptions&>(input);
  if (declared) made_by.format = InputFormat::text;
  TokenizerDescription used = describe_tokenizer(made_by);
  // A tokenizer makes the same tokens whether or not lines are sentences.
  if (trained_with && is_segmented(made_by.format) && trained_with->kind == input.tokenizer.kind) {
    used.name = model.tokenizer->name;
  }
  const std::string difference = tokenizer_difference(*model.tokenizer, used);
  if (difference.empty()) return;
  const int trained = model.tokenizer->revision;
  TokenizerDescription with_same_rules = used;
  with_same_rules.revision = trained;
  if (tokenizer_difference(*model.tokenizer, with_same_rules).empty()) {
    listener.note("warning: the model was trained with rules " + std::to_string(trained) +
                  " of the tokenizer; rules " + std::to_string(used.revision) +
                  ", used here, split some texts differently");
    return;
  }
  const bool may_declare = input.format == InputFormat::tokens && !declared && trained_with &&
                           trained_with->kind != TokenizerKind::file;
  Message line("warning: the model was trained on tokens of another kind: the text is read with " +
               difference);
  if (may_declare) {
    line += "; if `elmo tokenize` has made these tokens, say so: " + Setting{"tokenizer"} + " " +
            std::string(kTokenizerKinds.word(trained_with->kind));
  }
  listener.note(line);
}

}  // namespace elmo
