// Which tokenizer the raw text of a model's user is read with.
#pragma once

#include <string>

#include "io/model/folder/location.h"
#include "io/text/segment/segmenter.h"
#include "io/text/source/input_options.h"

namespace elmo {

/// The tokenizer of that name, or of the rule file of that path. RequestError where it is neither;
/// InputError for a file that is too large or holds no rules; SystemError as reading.
TokenizerSettings named_tokenizer(const std::string& name);

/// The tokenizer for a model's text: what `request` names, else that of the text the model was
/// trained on (tokenizer.json), else that of its family: `ud` for models of ELMoForManyLangs and
/// NLPL, `moses` for others in the published layout. The locale: the requested one, else that of
/// the training text if the tokenizer is the same, else the model's language, else again that of
/// the training text, else root. Errors as named_tokenizer and as reading the model's files.
TokenizerSettings choose_tokenizer(const TokenizerRequest& request, const ModelLocation& location);

/// The same without a model: `ud` and the root locale unless others are requested.
TokenizerSettings choose_tokenizer(const TokenizerRequest& request);

}  // namespace elmo
