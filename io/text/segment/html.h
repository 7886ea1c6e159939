// Entities and tags of HTML and XML. In raw text, tokenizers read each as several tokens.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace elmo {

/// Returns the end of the entity (&#39;, &#x27;, &quot;) that begins at `begin`; npos if none does.
/// Knows the entities that are common in text.
std::size_t html_entity_end(std::string_view text, std::size_t begin);

/// Returns `text` with its entities decoded: `&lt;`, `&gt;`, `&amp;`, `&quot;`, `&apos;`, and
/// numbers of characters other than NUL. Others stay as they are.
std::string decoded_entities(std::string_view text);

/// A tag, such as <br /> or </p>.
struct HtmlTag {
  std::size_t end = std::string_view::npos;  ///< after its >; npos: no tag
  bool opens = false;                        ///< an end tag belongs to it
};

/// Returns the tag that begins at `begin`, if any: of at most 512 bytes, with one of the names that
/// are common in texts.
HtmlTag html_tag(std::string_view text, std::size_t begin);

}  // namespace elmo
