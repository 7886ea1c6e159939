// CSV and JSON arrays as lines, for readers of one record per line.
//
// Both pass a record on as soon as they have read it, and keep the numbers of lines: a record that
// has several lines becomes one, with spaces for the line feeds, and blank lines take the place of
// the others. Bytes need not be valid UTF-8; a byte order mark is kept. Errors: as those of
// `bytes`. One thread.
#pragma once

#include <memory>
#include <string_view>

#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// True for names of CSV (.csv), without an extension of compression.
bool is_name_of_csv(std::string_view name);

/// Passes CSV (RFC 4180) through as columns: with TABs between the fields, without quotation marks,
/// and with spaces for the TABs in a field. The first comma, semicolon or TAB outside of quotation
/// marks is the separator. InputError, naming the line, for a quotation mark that no other one
/// closes.
std::unique_ptr<ByteSource> lines_of_csv(std::unique_ptr<ByteSource> bytes);

/// Passes a JSON array of objects through as JSON Lines. Objects that share a line get lines of
/// their own; numbers of lines are then too large. Bytes that begin otherwise, and those after the
/// array, remain as they are. InputError, naming the line, for anything but one comma between two
/// objects. Does not check that the objects are JSON.
std::unique_ptr<ByteSource> lines_of_array(std::unique_ptr<ByteSource> bytes);

}  // namespace elmo
