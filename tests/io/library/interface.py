"""The library's interface for Python's ctypes, as elmo.h declares it."""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_float, c_int, c_size_t, c_uint64, c_void_p

SYSTEM, BAD_REQUEST, BAD_INPUT, NO_MEMORY, NOT_FINITE, UNEXPECTED = range(1, 7)


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("message", c_char_p), ("setting", c_char_p)]


class Settings(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("model", c_char_p), ("options", c_char_p), ("weights", c_char_p), ("vocab", c_char_p),
        ("precision", c_char_p),
        ("tokenizer", c_char_p), ("locale", c_char_p), ("contractions", c_char_p), ("normalize", c_char_p),
        ("lines", c_int),
        ("max_sentence_tokens", c_size_t),
        ("layers", c_char_p), ("mix_weights", POINTER(c_float)), ("mix_weight_count", c_size_t),
        ("gamma", c_float), ("layer_norm", c_int), ("initial_state", c_char_p), ("lanes", c_int),
        ("boundaries", c_int), ("pool", c_char_p), ("pool_by", c_char_p), ("unit_length", c_int),
        ("threads", c_int), ("memory", c_uint64)]


class Description(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("fingerprint", c_char_p), ("language", c_char_p),
                ("tokenizer", c_char_p), ("precision", c_char_p), ("row_count", c_size_t),
                ("rows", POINTER(c_char_p)), ("width", c_size_t)]


class Text(ctypes.Structure):
    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class Span(ctypes.Structure):
    _fields_ = [("begin", c_uint64), ("end", c_uint64)]


class Arrays(ctypes.Structure):
    _fields_ = [("text_count", c_size_t), ("text_begins", POINTER(c_size_t)),
                ("sentence_count", c_size_t), ("sentence_begins", POINTER(c_size_t)),
                ("token_count", c_size_t), ("tokens", POINTER(c_char_p)), ("spans", POINTER(Span)),
                ("vector_count", c_size_t), ("row_count", c_size_t), ("width", c_size_t),
                ("values", POINTER(c_float))]


class ElmoError(Exception):
    def __init__(self, code, message, setting):
        super().__init__(message)
        self.code, self.message, self.setting = code, message, setting


class Vectors:
    """Copies of the arrays: tokens by sentence, the first sentence of each text, spans, and the bytes of
    the values."""

    def __init__(self, arrays):
        tokens = [arrays.tokens[n].decode() for n in range(arrays.token_count)]
        spans = [(arrays.spans[n].begin, arrays.spans[n].end) for n in range(arrays.token_count)]
        begins = arrays.sentence_begins[:arrays.sentence_count + 1]
        self.sentences = [tokens[begin:end] for begin, end in zip(begins, begins[1:])]
        self.spans = [spans[begin:end] for begin, end in zip(begins, begins[1:])]
        self.text_begins = arrays.text_begins[:arrays.text_count + 1]
        self.shape = (arrays.vector_count, arrays.row_count, arrays.width)
        size = arrays.vector_count * arrays.row_count * arrays.width
        self.values = ctypes.string_at(arrays.values, 4 * size) if size else b""

    def __eq__(self, other):
        return vars(self) == vars(other)


class Library:
    def __init__(self, path):
        self.functions = ctypes.CDLL(path)
        error, text = POINTER(Error), POINTER(Text)
        for name, result, arguments in (
                ("version", c_char_p, ()),
                ("open", error, (POINTER(Settings), POINTER(c_void_p))),
                ("close", None, (c_void_p,)),
                ("describe", POINTER(Description), (c_void_p,)),
                ("embed", error, (c_void_p, text, c_size_t, POINTER(POINTER(Arrays)))),
                ("embed_tokens", error, (c_void_p, text, POINTER(c_size_t), c_size_t,
                                         POINTER(POINTER(Arrays)))),
                ("tokenize", error, (c_void_p, text, c_size_t, POINTER(POINTER(Arrays)))),
                ("vectors_free", None, (POINTER(Arrays),)),
                ("error_free", None, (error,))):
            function = getattr(self.functions, "elmo_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def check(self, error):
        if not error:
            return
        found = ElmoError(error.contents.code, error.contents.message.decode(),
                          error.contents.setting.decode())
        self.error_free(error)
        raise found


class Model:
    """An open model. Words are str, mix_weights is a list."""

    def __init__(self, library, **settings):
        self.library = library
        given = Settings(size=ctypes.sizeof(Settings))
        for name, value in settings.items():
            if name == "mix_weights":
                given.mix_weight_count = len(value)
                value = (c_float * len(value))(*value)
            setattr(given, name, str(value).encode() if dict(Settings._fields_)[name] is c_char_p
                    else value)
        self.handle = c_void_p()
        library.check(library.open(byref(given), byref(self.handle)))

    def close(self):
        self.library.close(self.handle)

    def describe(self):
        return self.library.describe(self.handle).contents

    def vectors(self, function, *arguments):
        arrays = POINTER(Arrays)()
        self.library.check(function(self.handle, *arguments, byref(arrays)))
        copy = Vectors(arrays.contents)
        self.library.vectors_free(arrays)
        return copy

    def embed(self, *texts):
        return self.vectors(self.library.embed, texts_of(texts), len(texts))

    def tokenize(self, *texts):
        return self.vectors(self.library.tokenize, texts_of(texts), len(texts))

    def embed_tokens(self, sentences):
        tokens = [token for sentence in sentences for token in sentence]
        sizes = (c_size_t * len(sentences))(*map(len, sentences))
        return self.vectors(self.library.embed_tokens, texts_of(tokens), sizes, len(sentences))


def texts_of(texts):
    data = [text.encode() if isinstance(text, str) else text for text in texts]
    return (Text * len(data))(*((text, len(text)) for text in data))
