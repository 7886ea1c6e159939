#include "io/h5/reader.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

#include "io/files/paths.h"
#include "io/foreign_content.h"
#include "io/h5/library.h"

namespace elmo::h5 {
namespace {

constexpr std::uint64_t kMaxNumber = std::numeric_limits<std::uint64_t>::max();

/// The largest factors by which deflate can shrink its input, rounded up (zlib's technical notes),
/// and by which zstd can: a block of 128 KiB that repeats one byte takes 4 bytes (RFC 8878,
/// 3.1.1.2).
constexpr std::uint64_t kGzipExpansion = 1032;
constexpr std::uint64_t kZstdExpansion = (128 << 10) / 4;

/// Product that saturates at the largest number instead of overflowing.
std::uint64_t saturating_product(std::uint64_t left, std::uint64_t right) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(left, right, &product) ? kMaxNumber : product;
}

herr_t add_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t add_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::string_view link_words(H5L_type_t type) {
  return type == H5L_TYPE_SOFT ? "a soft link" : "a link out of the file";
}

struct Filters {
  std::string names;
  std::uint64_t expansion = 1;  ///< the largest factor by which they can have shrunk the data
};

Filters filters_of(const Handle& creation, const std::string& name) {
  Filters filters;
  const int count = check<InputError>(H5Pget_nfilters(creation.id()), "reading " + name);
  for (int index = 0; index < count; ++index) {
    std::array<char, 64> filter_name{};
    unsigned flags = 0;
    unsigned config = 0;
    std::size_t parameters = 0;
    const H5Z_filter_t filter = check<InputError>(
        H5Pget_filter2(creation.id(), static_cast<unsigned>(index), &flags, &parameters, nullptr,
                       filter_name.size(), filter_name.data(), &config),
        "reading " + name);
    if (!filters.names.empty()) filters.names += ' ';
    if (filter == H5Z_FILTER_DEFLATE || filter == kZstdFilter) {
      const bool gzip = filter == H5Z_FILTER_DEFLATE;
      if (!gzip && !load_zstd()) throw InputError(name + " cannot be read: " + missing_zstd());
      filters.names += gzip ? "gzip" : "zstd";
      // More than one compression would make the bound on the expansion meaningless.
      if (filters.expansion > 1) {
        throw InputError(name + " is compressed twice; expected once at most");
      }
      filters.expansion = gzip ? kGzipExpansion : kZstdExpansion;
    } else if (filter == H5Z_FILTER_SHUFFLE) {
      filters.names += "shuffle";
    } else if (filter == H5Z_FILTER_FLETCHER32) {
      filters.names += "fletcher32";
    } else {
      throw InputError(
          name + " is stored through HDF5 filter " + std::to_string(filter) +
          "; gzip, zstd, shuffle and fletcher32 can be read. Repack the file with one of "
          "these, for example with h5repack -f GZIP=4");
    }
  }
  return filters;
}

/// Returns a path of the open file, even if another file has `path` by now; without /proc, `path`.
std::filesystem::path path_of_open(const Descriptor& file, const std::filesystem::path& path) {
  std::filesystem::path open = "/proc/self/fd/" + std::to_string(file.get());
  std::error_code error;
  return std::filesystem::exists(open, error) ? open : path;
}

}  // namespace

bool is_hdf5(const std::filesystem::path& path) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  return is_file(path) && read_head(path, kSignature.size()) == kSignature;
}

// HDF5's messages about files that cannot be opened are less clear than the system's.
Descriptor open_hdf5(const std::filesystem::path& path) {
  return open_descriptor(path, O_RDONLY | O_NONBLOCK);
}

std::uint64_t readable_size(const Descriptor& file, const std::string& name) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) refuse("open", name, errno);
  if (!S_ISREG(status.st_mode)) {
    throw InputError(name + " is not a regular file; expected an HDF5 file");
  }
  return static_cast<std::uint64_t>(status.st_size);
}

Reader::Reader(const std::filesystem::path& path, VirtualDatasets virtual_datasets)
    : name_(path.string()), virtual_datasets_(virtual_datasets) {
  open_file(open_hdf5(path), path);
}

Reader::Reader(const Descriptor& file, const std::filesystem::path& path, std::string name,
               VirtualDatasets virtual_datasets)
    : name_(std::move(name)), virtual_datasets_(virtual_datasets) {
  open_file(file, path_of_open(file, path));
}

void Reader::open_file(const Descriptor& file, const std::filesystem::path& path) {
  file_bytes_ = readable_size(file, name_);
  const Call call;
  if (check<InputError>(H5Fis_hdf5(path.c_str()), "opening " + name_) == 0) {
    std::string head(kForeignHeadBytes, '\0');
    head.resize(read_at(file, std::as_writable_bytes(std::span(head)), 0, name_));
    const std::string foreign = foreign_content(head);
    if (!foreign.empty()) throw InputError(name_ + foreign + "; expected an HDF5 file");
    throw InputError(name_ + " is not an HDF5 file (" + std::to_string(file_bytes_) +
                     " bytes, no HDF5 signature)");
  }
  const Handle access = file_access();
  file_ = Handle(
      check<InputError>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), "opening " + name_));
}

bool Reader::exists(const std::string& path) const { return static_cast<bool>(open(path)); }

/// Walks to an object, link by link; returns no handle if a link is missing.
Handle Reader::open(const std::string& path) const {
  const Call call;
  Handle object(check<InputError>(H5Oopen(file_.id(), "/", H5P_DEFAULT), "opening " + name_));
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string link = path.substr(begin, end - begin);
    begin = end + 1;
    if (link.empty()) continue;
    const std::string doing = "opening " + name_ + ": " + path;
    if (H5Iget_type(object.id()) != H5I_GROUP) return {};
    if (check<InputError>(H5Lexists(object.id(), link.c_str(), H5P_DEFAULT), doing) == 0) return {};
    H5L_info_t info{};
    check<InputError>(H5Lget_info(object.id(), link.c_str(), &info, H5P_DEFAULT), doing);
    if (info.type != H5L_TYPE_HARD) {
      throw InputError(name_ + ": " + path + " is reached over " +
                       std::string(link_words(info.type)) + " (" + link +
                       "); expected the object itself");
    }
    object = Handle(check<InputError>(H5Oopen(object.id(), link.c_str(), H5P_DEFAULT), doing));
  }
  return object;
}

Dataset Reader::dataset(const std::string& path) const {
  const Call call;
  const std::string name = name_ + ": " + path;
  Handle object = open(path);
  if (!object) throw InputError(name + " is missing; expected a dataset");
  if (H5Iget_type(object.id()) != H5I_DATASET) {
    throw InputError(name + " is not a dataset; expected one");
  }
  DatasetInfo info = inspect(object, name);
  return Dataset(std::move(object), std::move(info), name, file_bytes_);
}

std::vector<VirtualPart> Reader::virtual_parts(const std::string& path) const {
  const Dataset whole = dataset(path);
  std::vector<VirtualPart> leaves;
  std::uint64_t seen = 0;
  std::vector<VirtualPart> open{{".", path, whole.info().rows()}};  // used as a stack
  while (!open.empty()) {
    const VirtualPart part = std::move(open.back());
    open.pop_back();
    if (part.file != ".") {
      leaves.push_back(part);
      continue;
    }
    const Dataset node = dataset(part.path);
    node.require(node.info().type == whole.info().type && node.info().rows() == part.rows &&
                     node.info().row_count() == whole.info().row_count(),
                 std::to_string(part.rows) + " rows of " + path);
    const std::vector<VirtualPart> below = node.virtual_parts();
    // Each part takes more than a byte, unless nodes map themselves or each other in a cycle.
    seen += below.size();
    node.require(seen <= file_bytes_, "a tree of virtual datasets");
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return leaves;
}

DatasetInfo Reader::inspect(const Handle& dataset, const std::string& name) const {
  const std::string doing = "reading " + name;
  DatasetInfo info;
  const Handle space(check<InputError>(H5Dget_space(dataset.id()), doing));
  const H5S_class_t extent = H5Sget_simple_extent_type(space.id());
  if (extent != H5S_SIMPLE && extent != H5S_SCALAR) {
    throw InputError(name + " has no shape; expected a dataset of numbers or strings");
  }
  const int rank = check<InputError>(H5Sget_simple_extent_ndims(space.id()), doing);
  info.shape.resize(static_cast<std::size_t>(rank));
  std::array<hsize_t, H5S_MAX_RANK> sizes{};
  check<InputError>(H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr), doing);
  std::copy_n(sizes.begin(), rank, info.shape.begin());

  const Handle type(check<InputError>(H5Dget_type(dataset.id()), doing));
  info.element = element_of(type.id());
  info.type = type_words(type.id());

  std::uint64_t claimed = H5Tget_size(type.id());
  for (const std::uint64_t size : info.shape) claimed = saturating_product(claimed, size);
  if (std::find(info.shape.begin(), info.shape.end(), 0U) != info.shape.end()) claimed = 0;

  const Handle creation(check<InputError>(H5Dget_create_plist(dataset.id()), doing));
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  if (layout == H5D_VIRTUAL) {
    info.layout = "virtual";
    if (virtual_datasets_ == VirtualDatasets::refused) {
      throw InputError(name + " is a virtual dataset; expected the data itself");
    }
    return info;
  }
  if (check<InputError>(H5Pget_external_count(creation.id()), doing) != 0) {
    throw InputError(name + " keeps its data in another file; expected the data itself");
  }
  info.storage_bytes = H5Dget_storage_size(dataset.id());
  std::uint64_t held = info.storage_bytes;
  if (layout == H5D_CHUNKED) {
    info.layout = "chunked";
    const Filters filters = filters_of(creation, name);
    info.filters = filters.names;
    held = saturating_product(held, filters.expansion);
    std::array<hsize_t, H5S_MAX_RANK> chunk{};
    check<InputError>(H5Pget_chunk(creation.id(), rank, chunk.data()), doing);
    info.chunk_rows = chunk[0];
    std::uint64_t chunk_bytes = H5Tget_size(type.id());
    for (int axis = 0; axis < rank; ++axis) {
      chunk_bytes = saturating_product(chunk_bytes, chunk[static_cast<std::size_t>(axis)]);
    }
    // A chunk is read whole, even if only part of it is within the shape.
    if (claimed != 0) claimed = std::max(claimed, chunk_bytes);
  } else {
    info.layout = layout == H5D_COMPACT ? "compact" : "contiguous";
  }
  if (info.storage_bytes > file_bytes_ || claimed > held) {
    throw InputError(name + " claims " + info.type + " " + shape_text(info.shape) + ", " +
                     (claimed == kMaxNumber ? "too many" : std::to_string(claimed)) +
                     " bytes, but has " + std::to_string(info.storage_bytes) + " in a file of " +
                     std::to_string(file_bytes_) + "; the file is incomplete or damaged");
  }
  return info;
}

MappedFile Reader::map() const {
  const Call call;
  void* descriptor = nullptr;
  check<InputError>(H5Fget_vfd_handle(file_.id(), H5P_DEFAULT, &descriptor), "mapping " + name_);
  return {*static_cast<const int*>(descriptor), name_};
}

std::vector<std::string> Reader::links(const std::string& group) const {
  const Call call;
  const Handle object = open(group);
  if (!object || H5Iget_type(object.id()) != H5I_GROUP) {
    throw InputError(name_ + ": group " + group + " is missing");
  }
  std::vector<std::string> names;
  check<InputError>(H5Literate(object.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_link, &names),
                    "listing " + name_ + ": " + group);
  return names;
}

std::vector<std::string> Reader::attributes() const {
  const Call call;
  std::vector<std::string> names;
  check<InputError>(
      H5Aiterate2(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, &names),
      "listing the attributes of " + name_);
  return names;
}

/// Returns the attribute of that name, or an empty handle if the object has no such attribute.
/// InputError if it has another type or rank.
Handle Reader::attribute(const std::string& name, Element element, int rank) const {
  const std::string doing = "reading attribute " + name + " of " + name_;
  if (check<InputError>(H5Aexists(file_.id(), name.c_str()), doing) == 0) return {};
  Handle attribute(check<InputError>(H5Aopen(file_.id(), name.c_str(), H5P_DEFAULT), doing));
  const Handle type(check<InputError>(H5Aget_type(attribute.id()), doing));
  const Handle space(check<InputError>(H5Aget_space(attribute.id()), doing));
  if (element_of(type.id()) != element || H5Sget_simple_extent_ndims(space.id()) != rank) {
    throw InputError("attribute " + name + " of " + name_ + " is " + type_words(type.id()) +
                     "; expected " + std::string(kElements.word(element)) +
                     (rank == 0 ? "" : " (n)"));
  }
  return attribute;
}

std::optional<std::string> Reader::string_attribute(const std::string& name) const {
  const Call call;
  const Handle found = attribute(name, Element::string, 0);
  if (!found) return std::nullopt;
  const Handle type = file_type(Element::string);
  char* read = nullptr;
  check<InputError>(H5Aread(found.id(), type.id(), &read),
                    "reading attribute " + name + " of " + name_);
  std::string value = read == nullptr ? "" : read;
  H5free_memory(read);
  return value;
}

std::optional<std::vector<std::string>> Reader::strings_attribute(const std::string& name) const {
  constexpr std::size_t kMaxStrings = 1024;  // the longest list names the 513 rows of 256 layers
  const Call call;
  const Handle found = attribute(name, Element::string, 1);
  if (!found) return std::nullopt;
  const Handle type = file_type(Element::string);
  const Handle space(check<InputError>(H5Aget_space(found.id()), "reading attribute " + name));
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id()));
  const auto refuse_size = [&] {
    throw InputError("attribute " + name + " of " + name_ + " claims more bytes than the file has");
  };
  if (H5Aget_storage_size(found.id()) > file_bytes_) refuse_size();
  if (count > kMaxStrings) {
    throw InputError("attribute " + name + " of " + name_ + " has " + std::to_string(count) +
                     " strings; expected at most " + std::to_string(kMaxStrings));
  }
  std::vector<char*> read(count, nullptr);
  check<InputError>(H5Aread(found.id(), type.id(), read.data()),
                    "reading attribute " + name + " of " + name_);
  std::vector<std::string> values;
  values.reserve(count);
  for (const char* value : read) values.emplace_back(value == nullptr ? "" : value);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, read.data());
  std::uint64_t bytes = 0;  // several strings may be stored as one
  for (const std::string& value : values) bytes += value.size();
  if (bytes > file_bytes_) refuse_size();
  return values;
}

std::optional<std::uint64_t> Reader::integer_attribute(const std::string& name) const {
  const Call call;
  const Handle found = attribute(name, Element::uint64, 0);
  if (!found) return std::nullopt;
  std::uint64_t value = 0;
  check<InputError>(H5Aread(found.id(), H5T_NATIVE_UINT64, &value),
                    "reading attribute " + name + " of " + name_);
  return value;
}

}  // namespace elmo::h5
