#include "cli/report/embed.h"

#include <string>

#include "cli/numbers/human.h"
#include "cli/run/input_notes.h"

namespace elmo {
namespace {

void report_summary(const EmbedRequest& request, const EmbedSummary& run, RunReport& report) {
  const bool selected = row_choice(request.output).selected();
  if (!run.model.empty()) report.note("model " + run.model);
  report.note(human_count(run.tokens, "token") + " in " + human_count(run.sentences, "sentence") +
              " of " + human_count(run.documents, "document") +
              (run.tokenizer.empty() ? "" : " (tokenizer " + run.tokenizer + ")"));
  note_count(report, run.earlier_tokens, "token",
             selected ? "of them read before" : "of them embedded before");
  if (selected) {
    report.note(human_count(run.done.kept_tokens, "token") + " kept, in " +
                human_count(run.done.kept_sentences, "sentence"));
  }
  note_count(report, run.done.distinct_tokens, "distinct token", "encoded");
  note_count(report, run.done.truncated_tokens, "token", "longer than the model takes, cut");
  note_count(report, run.done.unknown_tokens, "token", "not in the vocabulary, read as <UNK>");
  note_count(
      report, run.cut_sentences, "sentence",
      "of more than " + human_count(request.max_sentence_tokens, "token") + ", cut into pieces");
  note_input(report, run.input);
  report.note(human_time(run.time) + ", " +
              human_rate(static_cast<double>(run.tokens - run.earlier_tokens), run.time, "tokens"));
}

void report_stop(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report) {
  if (std::holds_alternative<ShardOutput>(request.output)) {
    report.note("stopped; " + published_text(outcome.shards, request));
  } else if (std::holds_alternative<AllenNlpOutput>(request.output)) {
    Report(false).line("stopped; nothing was written: a file of this layout cannot be resumed");
  } else if (std::holds_alternative<WordAverageOutput>(request.output)) {
    Report(false).line("stopped; nothing was written: averages cannot be resumed");
  }
}

}  // namespace

void report_embed(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report) {
  using End = EmbedOutcome::End;
  if (outcome.summary) report_summary(request, *outcome.summary, report);
  switch (outcome.end) {
    case End::complete:
      if (!std::holds_alternative<WordAverageOutput>(request.output)) return;
      report.note(human_count(outcome.written_words) + " of " + human_count(outcome.words, "word") +
                  " written, of " + human_count(outcome.dimensions, "number") + " each");
      return;
    case End::was_complete:
      report.note(outcome.folder + " is complete; there is nothing to resume");
      return;
    case End::index_remade:
      report.note(outcome.folder + " is complete; its missing or damaged index is rebuilt");
      return;
    case End::stopped:
      report_stop(request, outcome, report);
      return;
    case End::not_changed:
      report.note("stopped while " + outcome.folder + " was checked; nothing was changed");
      return;
    case End::never_started:
      report.note("stopped before computing; nothing was changed");
      return;
  }
}

}  // namespace elmo
