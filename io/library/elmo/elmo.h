/* Contextual word vectors (ELMo) of texts in memory. LIBRARY.md explains the use, elmo.hpp is the
 * same for C++.
 *
 * Text is UTF-8. Functions that can fail return NULL if they have succeeded, otherwise an error,
 * which the caller frees; what they would have returned through a pointer is not set then.
 *
 * Any thread may call any function, and threads may share a model. A model, vectors or an error are
 * freed once, by any thread, while no other thread uses them. Pointers must not be NULL where no
 * comment allows it. Nothing is printed, no signal
 * handled, no environment variable, directory or locale changed, and no thread is left running.
 *
 * Later versions 1.x stay compatible with programs that are compiled now. They may add functions,
 * members at the end of structs, codes of errors and words of settings. Programs therefore create
 * elmo_settings and elmo_text only; the library creates the other structs, whose size may grow.
 */
#ifndef ELMO_ELMO_H
#define ELMO_ELMO_H

/* NOLINTBEGIN(modernize-deprecated-headers,readability-identifier-naming): C's conventions */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ELMO_API __attribute__((visibility("default")))
#define ELMO_FAILS __attribute__((visibility("default"), warn_unused_result))
/* The value of a member that is not set; in C, that is 0. */
#ifdef __cplusplus
#define ELMO_INIT(value) \
  { value }
#else
#define ELMO_INIT(value)
#endif

/* Returns the version of the library, such as "1.0.0". */
ELMO_API const char* elmo_version(void);

/* ---- Errors ---- */

/* The kinds of errors. */
enum elmo_code {
  ELMO_SYSTEM = 1,      /* the system refused: a file cannot be opened, a thread not be started */
  ELMO_BAD_REQUEST = 2, /* settings are unknown, contradict each other or do not fit the model */
  ELMO_BAD_INPUT = 3,   /* a model's file, or a token, is damaged or not what is expected */
  ELMO_NO_MEMORY = 4,
  ELMO_NOT_FINITE = 5, /* a vector has numbers that are not finite */
  ELMO_UNEXPECTED = 6  /* a fault of the library */
};

typedef struct elmo_error {
  int code;            /* of enum elmo_code */
  const char* message; /* what was found, what was expected */
  const char* setting; /* the member of elmo_settings that it is about; "" if it is about none */
} elmo_error;

/* Frees an error; NULL is allowed. */
ELMO_API void elmo_error_free(elmo_error* error);

/* ---- Models ---- */

/* A model and how texts are embedded with it. Zero and NULL stand for the defaults, so that only
 * other members have to be set:
 *
 *     elmo_settings settings = {.size = sizeof settings, .model = "elmo-tiny-en", .layers = "top"};
 *
 * Words and numbers mean the same as those of the options of `elmo embed` with the same names; a
 * number other than 0 stands for a flag. The caller owns what pointers point to; it is not needed
 * after elmo_open(). */
typedef struct elmo_settings {
  size_t size ELMO_INIT(sizeof(elmo_settings)); /* sizeof(elmo_settings) as it was compiled */

  /* The model. Default: elmo-tiny-en. */
  const char* model ELMO_INIT();     /* an installed model's name, a folder or a zip archive; */
  const char* options ELMO_INIT();   /* or its files: the architecture, */
  const char* weights ELMO_INIT();   /* the weights, */
  const char* vocab ELMO_INIT();     /* and the vocabulary of a model that reads words */
  const char* precision ELMO_INIT(); /* of products: "float32", "bfloat16", "int8" */

  /* Sentences and tokens. Default: as the text that the model was trained on. */
  const char* tokenizer ELMO_INIT();      /* "ud", "moses", "icu" or a rule file */
  const char* locale ELMO_INIT();         /* a language tag, such as "de" */
  const char* contractions ELMO_INIT();   /* "keep", "expand" */
  const char* normalize ELMO_INIT();      /* "none", "nfc", "nfkc": the tokens' form of Unicode */
  int lines ELMO_INIT();                  /* each line of a text is one sentence */
  size_t max_sentence_tokens ELMO_INIT(); /* longer sentences are cut; default: 10,000 */

  /* Vectors. */
  const char* layers ELMO_INIT();        /* "all", "top", "average", "mix" */
  const float* mix_weights ELMO_INIT();  /* "mix": of layers 0 to L, before the softmax, */
  size_t mix_weight_count ELMO_INIT();   /* and their number, L + 1; default: all equal */
  float gamma ELMO_INIT();               /* "mix": the factor; default: 1 */
  int layer_norm ELMO_INIT();            /* "average", "mix": layers are normalized before */
  const char* initial_state ELMO_INIT(); /* "zero", "warm", "carry": between a call's sentences */
  int lanes ELMO_INIT();                 /* "carry": the distance of those; default: 1 */
  int boundaries ELMO_INIT();            /* `<S>` and `</S>` of sentences that have tokens, too */
  const char* pool ELMO_INIT();          /* of many tokens: "mean", "max", "first-last" */
  const char* pool_by ELMO_INIT();       /* of a "sentence", or a "document": a text */
  int unit_length ELMO_INIT();           /* pooled vectors are divided by their length */

  /* Computing. */
  int threads ELMO_INIT();     /* of each call; default: one for each processor */
  uint64_t memory ELMO_INIT(); /* in bytes, without model and results; default: half of all */
} elmo_settings;

typedef struct elmo_model elmo_model;

/* Opens a model, which the caller closes. `settings` may be NULL. Weights in HDF5 are first read by
 * a short-lived copy of the process (fork), because HDF5 crashes on some damaged files. The files
 * must not be truncated meanwhile; another file may replace one under its name. */
ELMO_FAILS elmo_error* elmo_open(const elmo_settings* settings, elmo_model** model);

/* Closes a model; NULL is allowed. Vectors that it has computed remain. */
ELMO_API void elmo_close(elmo_model* model);

typedef struct elmo_description {
  const char* name;        /* the model, as it was named or by default */
  const char* fingerprint; /* 32 hexadecimal digits: equal if models compute the same */
  const char* language;    /* a language tag; "" if it is not known */
  const char* tokenizer;   /* "ud, locale en" */
  const char* precision;
  size_t row_count;        /* R, the rows of a vector */
  const char* const* rows; /* their names: "x", "forward_1", "backward_1", …; or "top", … */
  size_t width;            /* W, the numbers of a row */
} elmo_description;

/* Describes a model. The result belongs to the model. */
ELMO_API const elmo_description* elmo_describe(const elmo_model* model);

/* ---- Vectors ---- */

/* Characters that need not end with NUL. */
typedef struct elmo_text {
  const char* data;
  size_t size; /* in bytes */
} elmo_text;

/* Bytes begin to end - 1 of a text. */
typedef struct elmo_span {
  uint64_t begin;
  uint64_t end;
} elmo_span;

/* The sentences of texts, and their vectors. Sentence s is in text t if text_begins[t] <= s <
 * text_begins[t + 1], and token n in sentence s if sentence_begins[s] <= n < sentence_begins[s +
 * 1].
 */
typedef struct elmo_vectors {
  size_t text_count;
  const size_t* text_begins; /* [text_count + 1] */
  size_t sentence_count;
  const size_t* sentence_begins; /* [sentence_count + 1] */
  size_t token_count;
  const char* const* tokens; /* [token_count], each ends with NUL */
  const elmo_span* spans;    /* [token_count], where they are in their texts */

  size_t vector_count; /* N: a vector for each token or, pooled, sentence or text; tokenized: 0 */
  size_t row_count;    /* R */
  size_t width;        /* W */
  const float* values; /* [N, R, W]: row r of vector n begins at (n * R + r) * W */
} elmo_vectors;

/* Embeds texts. Each has at least one sentence, which may have no tokens. Invalid UTF-8 is read as
 * U+FFFD. `texts` may be freed afterwards; the caller frees `vectors`. */
ELMO_FAILS elmo_error* elmo_embed(const elmo_model* model, const elmo_text* texts, size_t count,
                                  elmo_vectors** vectors);

/* Embeds sentences whose tokens are given: sentence s has the next sentence_sizes[s] of `tokens`.
 * Together they are one text. Spans are positions in a text that has each sentence as a line, with
 * a blank between tokens. Otherwise as elmo_embed(). */
ELMO_FAILS elmo_error* elmo_embed_tokens(const elmo_model* model, const elmo_text* tokens,
                                         const size_t* sentence_sizes, size_t sentence_count,
                                         elmo_vectors** vectors);

/* Finds the sentences and tokens that elmo_embed() would embed, without vectors and without `<S>`
 * and `</S>`. */
ELMO_FAILS elmo_error* elmo_tokenize(const elmo_model* model, const elmo_text* texts, size_t count,
                                     elmo_vectors** vectors);

/* Frees vectors; NULL is allowed. */
ELMO_API void elmo_vectors_free(elmo_vectors* vectors);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers,readability-identifier-naming) */

#endif
