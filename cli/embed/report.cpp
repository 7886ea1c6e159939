#include "cli/embed/report.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "core/text.h"
#include "io/engine/listener.h"
#include "io/outputs/outputs.h"

namespace elmo {
namespace {

void report_summary(const EmbedRequest& request, const EmbedSummary& run, RunReport& report) {
  const bool selected = request.selects();
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
  note_count(report, run.done.truncated_tokens, "token", "longer than the model reads, truncated");
  note_count(report, run.done.unknown_tokens, "token", "not in the vocabulary, read as <UNK>");
  note_count(
      report, run.cut_sentences, "sentence",
      "of more than " + human_count(max_sentence_tokens(request), "token") + ", cut into pieces");
  note_input(report, run.input);
  report.note(human_time(run.time) + ", " +
              human_rate(static_cast<double>(run.tokens - run.earlier_tokens), run.time, "tokens"));
}

void report_stop(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report) {
  const OutputFormat& format = *request.format;
  if (format.is_shards()) report.note("stopped; " + published_text(outcome.shards, request));
  if (!format.stopped.empty()) RunReport(false).note("stopped; " + std::string(format.stopped));
}

}  // namespace

void note_folder(const EmbedRequest& request, RunReport& report) {
  const std::filesystem::path path = request.output;
  const std::string ending = path.extension().string();
  if (!request.format->is_shards()) return;
  if (ending == ".hdf5" || ending == ".h5") {
    report.note(request.output +
                " will be a folder of shards; for one file, use --layout allennlp");
  }
  const auto is_ending_of = [&ending](const OutputFormat& format) {
    return format.exported && format.has_ending(ending);
  };
  if (std::ranges::any_of(output_formats(), is_ending_of)) {
    report.note(request.output +
                " will be a folder of shards; `elmo export` writes such a file from them");
  }
}

void report_embed(const EmbedRequest& request, const EmbedOutcome& outcome, RunReport& report) {
  using End = EmbedOutcome::End;
  if (outcome.summary) report_summary(request, *outcome.summary, report);
  switch (outcome.end) {
    case End::complete:
      report.note(outcome.written);
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

namespace {

constexpr double kPartSeconds = 1800;

double total_seconds(const RunPlan& plan, const RunPlan::Speed& speed) {
  return plan.reading_seconds + speed.seconds;
}

/// Returns the number of parts, of about half an hour each, into which to divide the run; 1 if it
/// cannot be divided or is too short for two parts.
std::uint64_t wise_parts(const RunPlan& plan, const RunPlan::Speed& speed) {
  if (!plan.divisible) return 1;
  return std::max<std::uint64_t>(1, nearest_whole(total_seconds(plan, speed) / kPartSeconds));
}

/// Makes a table with columns as wide as their widest cell. The first column is aligned left, the
/// others right.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    text += row.front() + std::string(widths.front() - row.front().size(), ' ');
    for (std::size_t i = 1; i < row.size(); ++i) {
      text += std::string(2 + widths[i] - row[i].size(), ' ') + row[i];
    }
    text += '\n';
  }
  return text;
}

std::string size_table(const RunPlan& plan) {
  std::vector<std::vector<std::string>> rows{{"shards"}};
  for (const auto& [word, dtype] : kDtypes) rows.front().emplace_back(word);
  std::vector<std::string> layers;
  for (const RunPlan::Size& size : plan.sizes) {
    add_once(layers, size.layers);
  }
  const auto add = [&](const std::string& name, const std::string& of, const auto& bytes) {
    rows.push_back({name});
    for (const RunPlan::Size& size : plan.sizes) {
      if (size.layers == of) rows.back().push_back(human_bytes(bytes(size)));
    }
  };
  const bool zstd = plan.sizes.front().zstd_bytes.has_value();
  for (const std::string& name : layers) {
    add("--layers " + name, name, [](const RunPlan::Size& size) { return size.bytes; });
    add("  --compression gzip", name, [](const RunPlan::Size& size) { return size.gzip_bytes; });
    if (!zstd) continue;
    add("  --compression zstd", name, [](const RunPlan::Size& size) { return *size.zstd_bytes; });
  }
  return table(rows);
}

std::string speed_table(const RunPlan& plan) {
  std::vector<std::vector<std::string>> rows{
      {human_count(static_cast<std::uint64_t>(plan.threads), "thread"), "tokens/s", "time"}};
  for (const RunPlan::Speed& speed : plan.speeds) {
    rows.push_back({"--precision " + std::string(kPrecisions.word(speed.precision)),
                    human_count(nearest_whole(speed.tokens_per_second)),
                    human_time(speed.seconds)});
  }
  return table(rows);
}

}  // namespace

std::string plan_text(const RunPlan& plan) {
  std::string text = human_count(plan.input.documents, "document") + ", " +
                     human_count(plan.sentences, "sentence") + ", " +
                     human_count(plan.tokens, "token") + '\n';
  if (!plan.rows_are_tokens) {
    text += human_count(plan.rows, "row") + ", of " + human_count(plan.computed_tokens, "token") +
            " that are computed\n";
  }
  text += "about " + human_bytes(plan.bytes) + '\n';
  if (plan.speeds.empty()) return text;
  const RunPlan::Speed& chosen = plan.speeds.front();
  const double seconds = total_seconds(plan, chosen);
  text += "about " + human_time(seconds) + " at " + human_rate(chosen.tokens_per_second, "tokens") +
          ", from a sample\n";
  if (const std::uint64_t parts = wise_parts(plan, chosen); parts > 1) {
    text += "parts of about " + human_time(seconds / static_cast<double>(parts)) +
            " on such machines: " + human_count(parts) + '\n';
  }
  if (!plan.sizes.empty()) text += '\n' + size_table(plan);
  return text + '\n' + speed_table(plan);
}

std::string plan_json(const RunPlan& plan) {
  Json sizes = Json::array();
  for (const RunPlan::Size& size : plan.sizes) {
    sizes.push_back({{"layers", size.layers},
                     {"dtype", kDtypes.word(size.dtype)},
                     {"bytes", size.bytes},
                     {"gzip_bytes", size.gzip_bytes},
                     {"zstd_bytes", size.zstd_bytes ? Json(*size.zstd_bytes) : Json(nullptr)}});
  }
  Json speeds = Json::array();
  for (const RunPlan::Speed& speed : plan.speeds) {
    speeds.push_back({{"precision", kPrecisions.word(speed.precision)},
                      {"tokens_per_second", speed.tokens_per_second},
                      {"seconds", speed.seconds},
                      {"parts", wise_parts(plan, speed)}});
  }
  return json_document({{"documents", plan.input.documents},
                        {"sentences", plan.sentences},
                        {"tokens", plan.tokens},
                        {"rows", plan.rows},
                        {"bytes", plan.bytes},
                        {"threads", plan.threads},
                        {"reading_seconds", plan.reading_seconds},
                        {"sizes", sizes},
                        {"speeds", speeds}});
}

}  // namespace elmo
