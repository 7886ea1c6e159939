// The readers of the formats, but for CoNLL-U's (conllu_reader.h), and how files of a format are
// recognized. Names of files are without an extension of compression. A reader reads a file, a
// stretch of one, or a record's text; its errors are those of FormatReader::next.
#pragma once

#include <memory>
#include <string_view>

#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"

namespace elmo {

struct JsonField;

/// True if a byte separates the tokens of a line: bytes 0x00 to 0x20, which are ASCII white space
/// and most ASCII controls.
inline bool is_token_separator(char byte) { return static_cast<unsigned char>(byte) <= 0x20; }

/// The rule that splits a line into tokens.
enum class LineTokens {
  segmented,   ///< the tokenizer
  white_space  ///< is_token_separator()
};

/// Each line is a sentence; it ends with LF, CR LF or the end of the text.
/// An empty line has zero tokens. An empty text, which only a record can have, is one sentence of
/// zero tokens. A line longer than kMaxSentenceBytes is cut into several sentences.
std::unique_ptr<FormatReader> make_line_reader(LineTokens tokens, const TextInput& input);

/// True if the line at `begin` of the window's view can continue a paragraph. If it cannot, it
/// begins a paragraph whatever is before it, so text can be cut there.
bool can_be_wrapped(ByteWindow& window, std::size_t begin);

/// Raw text: one sentence per line if the context's option `lines` is set; otherwise the sentences
/// of paragraphs, one per line or hard-wrapped with blank lines between them. A paragraph ends
///   - before a blank line,
///   - at the end of a line if it or the next line is wider than kWidestWrappedLine,
///   - around a heading, a row of a table, a fence of code and a quotation (TextLine),
///   - before an item of a list.
/// Otherwise the end of a line is a space: the next line continues the paragraph and perhaps the
/// sentence. (By UAX #29 alone, a sentence would end at the end of each line.) This handles both
/// ways of writing text. With one paragraph per line, two adjacent short paragraphs may be joined,
/// which matters if the first does not end with a full stop; FormatOptions::lines avoids that.
///
/// A program that waits for the sentence of a short line must therefore also send the next line; a
/// blank line ends the paragraph.
///
/// A text without tokens is one sentence of zero tokens. A paragraph without tokens has no
/// sentence. A long paragraph is segmented in pieces of 1 MiB, each of which ends between two
/// sentences. A sentence of more than 1 MiB gets a larger piece.
std::unique_ptr<FormatReader> make_raw_text_reader(const TextInput& input);

/// True for names of files of JSON records: .jsonl, .ndjson, .jsonlines, .ldjson and .json.
bool is_name_of_records(std::string_view name);

/// Applies before_repair() to the strings of a text or list. `marked` is the same field, parsed
/// from the marked line.
void take_back_repairs(const JsonField& marked, JsonField& field);

/// JSON Lines, a document per line. The sentences of each record's text or, if it has `tokens`,
/// these sentences unchanged. Escapes of lone surrogates are handled like invalid UTF-8: read as
/// U+FFFD and counted, or refused under `strict`. `strict` overrides `skip_bad_records`.
std::unique_ptr<FormatReader> make_jsonl_reader(const TextInput& input);

/// True for names of vertical files: .vert and .vrt.
bool is_name_of_vertical(std::string_view name);

/// True if a text begins with tags on lines of their own, and lines of columns or of single words
/// follow.
bool begins_with_vertical(std::string_view head);

/// Vertical files of corpus tools (Corpus Workbench, Sketch Engine): a token a line, its columns
/// separated by tabs, and tags on lines of their own.
///
/// Reads the column FormatOptions::word_column of each line that is not a tag, with its entities
/// decoded (`&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;` and numbers of characters); spans are those
/// of the text as it is. A sentence ends at `<s>`, `</s>`, the tags of paragraphs (`<p>`) and of
/// documents, and the end of the file; `<s>` and `</s>` without a token between them are a sentence
/// of zero tokens, and so is a file without any token. `<doc>` and `<text>` begin a document, named
/// by their `id`, or else after the file, as are tokens before the first one; without a token
/// between them they begin one document. Other tags, comments, and blank lines are skipped. Tags
/// need not nest. A sentence of more than kMaxSentenceBytes is cut. InputError, naming the line,
/// for a missing column, an empty word, a word with a NUL, and a line of more than kMaxRecordBytes.
std::unique_ptr<FormatReader> make_vertical_reader(const TextInput& input);

/// True for names of files of FASTA: .fasta, .fa, .faa, .fas, .fna and .ffn.
bool is_name_of_fasta(std::string_view name);

/// True if a text begins with a header of FASTA and a line of residues.
bool begins_with_fasta(std::string_view head);

/// FASTA: sequences of residues, such as proteins. Each record is a document and a sentence, and
/// each residue, an ASCII letter of either case, a token. A record is a header, a line that begins
/// with `>`, and a sequence over any number of lines. The first word of the header is the
/// document's id; without one, the number of its line is. Blank lines and blanks at the ends of
/// lines are skipped, and so is a `*` at the end of a sequence. A sequence of more than
/// kMaxSentenceBytes residues is cut. InputError, naming the line, for a header without a sequence,
/// text before the first header, any other byte in a sequence, and a line of more than
/// kMaxRecordBytes.
std::unique_ptr<FormatReader> make_fasta_reader(const TextInput& input);

}  // namespace elmo
