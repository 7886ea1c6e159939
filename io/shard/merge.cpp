#include "io/shard/merge.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/provenance.h"
#include "io/shard/format.h"
#include "io/shard/index.h"
#include "io/shard/shard_reader.h"

namespace elmo {
namespace {

/// Returns the folder, which must exist before it is locked.
const std::filesystem::path& require_folder(const std::filesystem::path& folder) {
  if (!is_folder(folder)) {
    throw InputError(folder.string() + " is not a folder; expected the one that parts of a run " +
                     "were written into");
  }
  return folder;
}

/// Returns the number of parts according to the names of the existing ones.
std::uint64_t count_parts(const std::filesystem::path& folder) {
  std::optional<InputPart> first;
  for (const std::string& name : names_in(folder)) {
    const std::optional<InputPart> part = part_of_folder_name(name);
    if (!part) continue;
    if (first && part->count != first->count) {
      throw InputError(folder.string() + " holds " + part_folder_name(*first) + " and " + name +
                       "; expected parts of one run, all of the same number of parts; remove "
                       "the other run's");
    }
    first = first.value_or(*part);
  }
  if (!first) {
    throw InputError(folder.string() + " holds no part of a run; expected folders such as " +
                     part_folder_name({0, 2}));
  }
  return first->count;
}

Provenance without(Provenance provenance, std::string_view name) {
  std::erase_if(provenance, [&](const auto& component) { return component.first == name; });
  return provenance;
}

/// Returns the provenance that all parts share.
Provenance common_provenance(const Manifest& part) {
  return without(part.provenance, shard_format::kPart);
}

/// Returns the provenance that a single run would have.
Provenance whole_provenance(const Manifest& part) {
  return without(common_provenance(part), shard_format::kInputSample);
}

constexpr const char* kEmbedAgain =
    "restore the file, or remove the folder and embed the part again";
constexpr const char* kResume = "resume embedding the part to rebuild its index";

/// Calls `read`, which reads or checks files of a part. Its InputError also says what to do.
template <typename Read>
void read_part(const Read& read, const char* remedy) {
  try {
    read();
  } catch (const InputError& error) {
    throw InputError(std::string(error.what()) + "; " + remedy);
  }
}

ListedFile published(const std::filesystem::path& path) {
  return {path.filename().string(), std::filesystem::file_size(path), file_checksum(path)};
}

/// "0,5,7-9": the format of job arrays.
std::string array_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[begin]);
    if (end - begin == 2) text += ',' + std::to_string(numbers[end - 1]);
    if (end - begin > 2) text += '-' + std::to_string(numbers[end - 1]);
    begin = end;
  }
  return text;
}

}  // namespace

PartMerge::PartMerge(const std::filesystem::path& folder)
    : folder_(folder), locked_(require_folder(folder)), count_(count_parts(folder)) {
  if (const std::optional<Manifest> run = read_manifest(folder_); run && run->parts.empty()) {
    throw InputError(folder_.string() + " holds both a run and parts of another; expected " +
                     "only parts; move them into another folder");
  }
  for (std::uint64_t number = 0; number < count_; ++number) add_part(number);
}

void PartMerge::add_part(std::uint64_t number) {
  const InputPart part{number, count_};
  const std::filesystem::path path = folder_ / part_folder_name(part);
  std::optional<Manifest> manifest = read_manifest(path);
  if (!manifest) {
    missing_.push_back(number);
    return;
  }
  if (!manifest->part || manifest->part->part != part) {
    throw InputError(path.string() + " holds " +
                     (manifest->part ? "part " + part_text(manifest->part->part)
                                     : std::string("a run that is not a part")) +
                     "; expected part " + part_text(part));
  }
  if (!parts_.empty()) {
    const Message difference =
        provenance_difference(common_provenance(*manifest), common_provenance(parts_.front()));
    if (!difference.empty()) {
      throw InputError(path.string() + " is a part of another run than the parts before it: " +
                       difference + "; remove the folder and embed the part again");
    }
  }
  if (!manifest->complete() || !manifest->part->counts) unfinished_.push_back(number);
  parts_.push_back(*std::move(manifest));
}

/// Throws InputError, naming the parts that are missing or incomplete.
void PartMerge::require_all() const {
  if (missing_.empty() && unfinished_.empty()) return;
  std::string text = folder_.string() + ": of " + human_count(count_, "part");
  if (!missing_.empty()) {
    text += ", " + human_count(missing_.size()) + " not begun (" + array_text(missing_) + ")";
  }
  if (!unfinished_.empty()) {
    text += ", " + human_count(unfinished_.size()) + " not ended (" + array_text(unfinished_) + ")";
  }
  std::vector<std::uint64_t> all;
  std::ranges::merge(missing_, unfinished_, std::back_inserter(all));
  throw InputError(text + "; embed them with " + Setting{"part"} + " and " + Setting{"resume"} +
                   ": " + Setting{"job_array"} + "=" + array_text(all));
}

/// Returns the manifest of the whole run, without its index.
Manifest PartMerge::joined() const {
  Manifest whole;
  whole.provenance = whole_provenance(parts_.front());
  whole.options = parts_.front().options;
  whole.layout = parts_.front().layout;
  whole.dtype = parts_.front().dtype;
  PartBases bases;
  for (const Manifest& part : parts_) {
    JoinedPart joined;
    joined.folder = part_folder_name(part.part.value().part);
    const std::filesystem::path path = folder_ / joined.folder;
    joined.shards = part.shards.size();
    joined.index = part.index.value();
    read_part([&] { require_size(path / joined.index.file, joined.index); }, kResume);
    joined.manifest = published(path / shard_format::kManifest);
    std::uint64_t tokens = 0;
    for (std::size_t number = 0; number < part.shards.size(); ++number) {
      read_part([&] { open_shard(path, part, number); }, kEmbedAgain);
      tokens += part.shards[number].tokens;
    }
    const std::uint64_t sentences = part.shards.empty() ? 0 : part.shards.back().next_sentence();
    joined.base = bases.next(part.part->counts.value(), sentences, tokens);
    for (ShardEntry shard : part.shards) {
      shard.file = joined.folder + "/" + shard.file;
      shard.tables.file = joined.folder + "/" + shard.tables.file;
      shard.first_sentence += joined.base.sentences;
      shard.position.reset();
      whole.shards.push_back(std::move(shard));
    }
    whole.parts.push_back(std::move(joined));
  }
  return whole;
}

Manifest PartMerge::run() {
  require_all();
  raise_open_file_limit();
  Manifest whole = joined();
  AtomicFile index(folder_ / shard_format::kIndex, Links::replaced);
  read_part([&] { write_index(folder_, index.temporary_path(), whole); }, kEmbedAgain);
  std::vector<std::string> problems =
      check_index(folder_, index.temporary_path(), whole, IndexCheck::shapes_and_links);
  if (!problems.empty()) {
    throw SystemError("the index does not match the parts; " + problems.front());
  }
  index.sync();
  whole.index = published(index.temporary_path());
  whole.index->file = shard_format::kIndex;
  const std::filesystem::path manifest_path = folder_ / shard_format::kManifest;
  const std::string text = manifest_text(whole);
  // A manifest must never list an index that is missing.
  if (const auto before = read_manifest(folder_); before && manifest_text(*before) != text) {
    remove_path(manifest_path);
    sync_folder(folder_);
  }
  index.publish();
  replace_file(manifest_path, text);
  return whole;
}

}  // namespace elmo
