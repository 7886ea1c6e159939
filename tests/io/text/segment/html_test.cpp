#include "io/text/segment/html.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "io/text/segment/segmenter.h"

namespace elmo {

TEST_CASE("entities and tags of HTML end where they end") {
  for (const std::string_view entity : {"&quot;", "&#39;", "&#x2019;"}) {
    CHECK(html_entity_end(entity, 0) == entity.size());
  }
  CHECK(html_entity_end("R&amp;D", 1) == 6);
  for (const std::string_view other : {"&", "&;", "&#;", "&lt ;", "&unknown;", "&quot"}) {
    CAPTURE(other);
    CHECK(html_entity_end(other, 0) == std::string_view::npos);
  }
  for (const std::string_view tag : {"<br />", "<BR>", "</p>", "<hr/>", "<img src=\"a.png\">"}) {
    CAPTURE(tag);
    CHECK(html_tag(tag, 0).end == tag.size());
    CHECK_FALSE(html_tag(tag, 0).opens);
  }
  for (const std::string_view tag : {"<p>", "<a href=\"http://x.y/?a=b\">", "<td\nclass=x>"}) {
    CAPTURE(tag);
    CHECK(html_tag(tag, 0).end == tag.size());
    CHECK(html_tag(tag, 0).opens);
  }
  for (const std::string_view other : {"<", "<>", "<3", "< p>", "<person>", "<p", "<p <b>"}) {
    CAPTURE(other);
    CHECK(html_tag(other, 0).end == std::string_view::npos);
  }
}

TEST_CASE("entities are decoded, and what resembles one stays") {
  CHECK(decoded_entities("AT&amp;T &lt;&#39;&#x2019;&gt;") == "AT&T <'\u2019>");
  for (const std::string_view same : {"", "&", "&lt", "&amp", "a&", "&unknown;", "&#0;", "&;"}) {
    CHECK(decoded_entities(same) == same);
  }
}

TEST_CASE("tags between sentences end them, and opening ones begin the next") {
  for (const std::string_view expected :
       {"It was good.<br /><br />|I liked it.", "<p>First one.</p>|<p>Second one.</p>",
        "He left.</b> |<i>She stayed.", "\"Is it?\"<br>|Yes.", "It was good. <br/> |I liked it.",
        "See e.g.<br />The end.", "It <b>is.</b> so", "One. <b>two</b> three", "It is.<br />"}) {
    CAPTURE(expected);
    std::string text(expected);
    std::erase(text, '|');
    for (const TokenizerKind kind : {TokenizerKind::ud, TokenizerKind::moses}) {
      const auto segmenter = make_segmenter({kind, "en"});
      segmenter->set_text(text);
      std::string marked;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = segmenter->next().end;
        if (begin > 0) marked += '|';
        marked += text.substr(begin, end - begin);
        begin = end;
      }
      CHECK(marked == expected);
    }
  }
}

}  // namespace elmo
