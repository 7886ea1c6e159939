#include "io/model/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <memory>
#include <new>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/foreign_content.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxMembers = 10000;
constexpr std::size_t kArchiveBlockBytes = std::size_t{1} << 20;

/// During its lifetime, libarchive returns names as UTF-8. In the locale that programs start with,
/// it returns no name for a non-ASCII name that is marked as UTF-8.
class Utf8Names {
 public:
  Utf8Names() {
    if (utf8_) previous_ = ::uselocale(utf8_.get());
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;
  ~Utf8Names() {
    if (utf8_) ::uselocale(previous_);
  }

 private:
  struct Free {
    void operator()(locale_t locale) const { ::freelocale(locale); }
  };
  // Missing on some systems; such names are then not found.
  std::unique_ptr<std::remove_pointer_t<locale_t>, Free> utf8_{
      ::newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t{})};
  locale_t previous_{};
};

/// Reads a zip archive from its first member on.
class ZipReader {
 public:
  explicit ZipReader(const std::filesystem::path& path) : name_(path.string()) {
    archive_read_support_format_zip(archive_.get());
    check(archive_read_open_filename(archive_.get(), path.c_str(), kArchiveBlockBytes));
  }

  /// Advances to the next file; returns false after the last. InputError for a repeated name: zip
  /// readers disagree on which file it means.
  bool next() {
    const Utf8Names utf8_names;
    archive_entry* entry = nullptr;
    for (;;) {
      const int result = archive_read_next_header(archive_.get(), &entry);
      if (result == ARCHIVE_EOF) return false;
      // A warning only means that a name has a foreign character set.
      if (result != ARCHIVE_WARN) check(result);
      if (++members_ > kMaxMembers) {
        throw InputError(name_ + ": has more than " + std::to_string(kMaxMembers) +
                         " members; expected the files of one model");
      }
      const char* name = archive_entry_pathname(entry);
      member_ = name == nullptr ? "" : name;
      if (archive_entry_filetype(entry) != AE_IFREG || member_.empty()) continue;
      if (!names_.insert(member_).second) {
        throw InputError(name_ + ": has " + member_ + " twice; expected each file once");
      }
      return true;
    }
  }

  const std::string& member() const { return member_; }

  /// Reads the current file and passes its bytes to `take` piece by piece.
  void read(std::uint64_t max_bytes, const std::function<void(std::string_view)>& take) {
    std::string block(kArchiveBlockBytes, '\0');
    std::uint64_t total = 0;
    while (true) {
      const la_ssize_t count = archive_read_data(archive_.get(), block.data(), block.size());
      check(static_cast<int>(std::min<la_ssize_t>(count, 0)));
      if (count == 0) return;
      total += static_cast<std::uint64_t>(count);
      if (total > max_bytes) {
        throw InputError(name_ + ": " + member_ + " is too large; expected at most " +
                         std::to_string(max_bytes) + " bytes");
      }
      take(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
    }
  }

 private:
  void check(int result) const {
    if (result == ARCHIVE_OK) return;
    const int error = archive_errno(archive_.get());
    if (error == ENOMEM) throw std::bad_alloc();
    // libarchive's own error numbers are negative, EILSEQ or EINVAL.
    if (error > 0 && error != EILSEQ && error != EINVAL) refuse("read", name_, error);
    const char* words = archive_error_string(archive_.get());
    std::string reason = words == nullptr ? "no reason known" : words;
    while (reason.ends_with('\n')) reason.pop_back();
    throw InputError(name_ + ": " + (member_.empty() ? "" : member_ + ": ") +
                     "cannot be read as a zip archive (" + reason + ")");
  }

  struct Free {
    void operator()(archive* reader) const { archive_read_free(reader); }
  };
  std::unique_ptr<archive, Free> archive_{archive_read_new()};
  std::string name_;
  std::string member_;
  std::size_t members_ = 0;      // so far, folders included
  std::set<std::string> names_;  // of the files so far
};

void read_member(const std::filesystem::path& path, const std::string& member,
                 std::uint64_t max_bytes, const std::function<void(std::string_view)>& take) {
  ZipReader zip(path);
  while (zip.next()) {
    if (zip.member() == member) return zip.read(max_bytes, take);
  }
  throw InputError(path.string() + ": " + member + " is missing");
}

void check_file(const std::filesystem::path& path) {
  if (!is_there(path)) {
    throw InputError("there is no file " + path.string() + download_advice(path));
  }
  if (!is_file(path)) {
    throw InputError(path.string() + " is not a regular file; expected a file of a model");
  }
}

}  // namespace

bool is_zip(const std::filesystem::path& path) {
  constexpr std::string_view kMagic = "PK\x03\x04";
  return read_head(path, kMagic.size()) == kMagic;
}

std::vector<std::string> zip_members(const std::filesystem::path& path) {
  ZipReader zip(path);
  std::vector<std::string> members;
  while (zip.next()) members.push_back(zip.member());
  return members;
}

std::string read_zip_member(const std::filesystem::path& path, const std::string& member,
                            std::uint64_t max_bytes) {
  std::string content;
  read_member(path, member, max_bytes, [&](std::string_view bytes) { content += bytes; });
  return content;
}

void read_zip_members(
    const std::filesystem::path& path,
    const std::function<std::optional<std::uint64_t>(const std::string& member)>& wanted,
    const std::function<void(const std::string& member, std::string content)>& take) {
  ZipReader zip(path);
  while (zip.next()) {
    const std::optional<std::uint64_t> max_bytes = wanted(zip.member());
    if (!max_bytes) continue;
    std::string content;
    zip.read(*max_bytes, [&](std::string_view bytes) { content += bytes; });
    take(zip.member(), std::move(content));
  }
}

std::string ModelFile::name() const {
  return archive.empty() ? path.string() : archive.string() + ": " + path.string();
}

std::string ModelFile::content(std::uint64_t max_bytes) const {
  if (!archive.empty()) return read_zip_member(archive, path.string(), max_bytes);
  check_file(path);
  std::optional<std::string> content = read_file_if_there(path, max_bytes);
  if (!content) throw InputError("there is no file " + path.string());
  return *std::move(content);
}

LocalModelFile::LocalModelFile(const ModelFile& file)
    : path_(file.path), temporary_(!file.archive.empty()) {
  if (!temporary_) return;
  path_ = temporary_folder() / "elmo-XXXXXX";
  std::string name = path_.string();
  descriptor_ = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!descriptor_) refuse_temporary(path_.parent_path(), errno);
  path_ = name;
}

// If reading throws, the destructor removes the file, because another constructor has ended.
LocalModelFile::LocalModelFile(const ModelFile& file, std::uint64_t max_bytes)
    : LocalModelFile(file) {
  if (!temporary_) {
    check_file(path_);
    return;
  }
  read_member(file.archive, file.path.string(), max_bytes, [&](std::string_view bytes) {
    if (!write_all(descriptor_.get(), bytes)) refuse_temporary(path_.parent_path(), errno);
  });
  descriptor_.reset();
}

LocalModelFile::~LocalModelFile() {
  if (temporary_) ::unlink(path_.c_str());
}

}  // namespace elmo
