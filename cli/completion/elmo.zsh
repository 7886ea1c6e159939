#compdef elmo
# Made by `make docs` from the options' definitions.

_elmo() {
  local -a commands=(
    'embed:Compute the activations of every token of a text'
    'tokenize:Print the sentences and tokens of a text, one sentence per line'
    'mix:Mix the layers of a run into one vector per token'
    'export:Convert a run to NumPy or safetensors arrays, or to a stream'
    'merge:Join the parts written by `embed --parts` under one index'
    'verify:Check every shard of a run\: checksums, counts, offsets, finite values'
    'perplexity:Measure how well a model predicts text'
    'surprisal:Compute how surprising each word of a text is, and compare minimal pairs'
    'substitutes:Find the words that a model expects in place of a word'
    'neighbors:Find occurrences similar to a word in context, and similar words'
    'senses:Word sense disambiguation by nearest labeled occurrence'
    'similarity:Compare pairs of uses of words, and score each layer'
    'change:Measure how far the use of words differs between two corpora'
    'probe:Measure how well each layer predicts token labels'
    'train:Train a model on raw text'
    'finetune:Train a model further on new text'
    'plot:Draw loss and score of training runs'
    'task:Train, apply and score task models on a biLM'\''s layers'
    'info:Describe a model, a shard or a run, and its cost'
    'init:Create a random model, initialized like published ones'
    'convert:Convert a model to the layout of AllenNLP and bilm-tf'
  )
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then
      _arguments \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--version[Print the version and exit]'
    else
      _describe -t commands command commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  if [[ $command == task ]]; then
    if (( CURRENT == 2 )); then
      compadd train predict evaluate compare
      return
    fi
    command+=" $words[2]"
    shift words
    (( CURRENT-- ))
  fi
  case $command in
    embed)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--dry-run[Compute a sample and estimate tokens, bytes and time of the whole run]' \
        '--json[Print the estimate as JSON]' \
        '--quiet[Print only errors]' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '--parts=[Divide the input into N parts of similar size]:N: ' \
        '--part=[Number of the part to embed, from 0]:K: ' \
        '--words=[Keep only these tokens]:FILE|WORD,...:_files' \
        '--match=[Keep tokens that match this ICU regular expression as a whole, in addition to --words]:REGEX: ' \
        '--ignore-case[Ignore case in --words and --match]' \
        '--sample=[Keep a random sample of N tokens, of all or of those selected by --words and --match]:N: ' \
        '--seed=[Random seed of --sample]:N: ' \
        '--layers=[Layers to write]:word:(all top average mix)' \
        '--mix-weights=[Layer weights before the softmax, token layer first]:W0,...,WL: ' \
        '--mix=[Task model whose layer weights, gamma and layer normalization to use]:DIR:_files -/' \
        '--place=[Mix to use if the task model has two]:word:(input output)' \
        '--gamma=[Factor gamma of the mix]:G: ' \
        '--layer-norm[Normalize each layer over the sentence, without boundaries, before averaging or mixing]' \
        '--boundaries[Keep <S> and </S> as tokens of the sentence]' \
        '--initial-state=[Initial state of a sentence]:word:(zero warm carry)' \
        '--lanes=[Number of parallel state lanes (--initial-state carry)]:N: ' \
        '--max-sentence-tokens=[Maximum tokens per sentence]:TOKENS: ' \
        '--pool=[Pool the tokens of a sentence into one row]:word:(mean max first-last)' \
        '--pool-by=[Unit that --pool makes a row of]:word:(sentence document)' \
        '--unit-length[Divide each vector of a pooled row by its length (L2)]' \
        '--average-words[Write each word'\''s mean vector]' \
        '--min-count=[Minimum count of a word (--average-words)]:N: ' \
        '(-o --output)-o+[Output folder for shards, or file with --layout allennlp or --average-words]:PATH:_files' \
        '(-o --output)--output=[Output folder for shards, or file with --layout allennlp or --average-words]:PATH:_files' \
        '--format=[Write to standard output instead of -o]:word:(jsonl npy arrow word2vec-text word2vec-binary words-arrow)' \
        '--layout=[File layout]:word:(shards allennlp)' \
        '--dtype=[Type of the output'\''s numbers]:word:(float32 float16 bfloat16 int8)' \
        '--compression=[Compression of the shards, after a byte shuffle]:word:(none gzip zstd)' \
        '--shard-size=[Maximum size of a shard'\''s activations before compression, in bytes]:BYTES: ' \
        '--forget-sentences[Omit sentence_to_index (--layout allennlp)]' \
        '--resume[Resume the run in PATH, if any]' \
        '--overwrite[Replace the run or file at PATH]' \
        '--precision=[Precision of the arithmetic (products), not of the output]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--workers=[Number of workers]:N: ' \
        '--memory=[Memory limit besides the model, in bytes]:BYTES: ' \
        '--batch-tokens=[Maximum tokens per batch]:TOKENS: ' \
        '*:FILE:_files' ;;
    tokenize)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--model=[Model whose tokenizer is used]:PATH:_files' \
        '--format=[Output format]:word:(tokens jsonl conllu)' \
        '--quiet[Print no warnings about repairs]' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '*:FILE:_files' ;;
    mix)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '(-o --output)-o+[Output folder for shards, created if missing]:DIR:_files -/' \
        '(-o --output)--output=[Output folder for shards, created if missing]:DIR:_files -/' \
        '--weights=[Layer weights before the softmax, token layer first]:W0,...,WL: ' \
        '--task=[Task model whose layer weights, gamma and layer normalization to use]:DIR:_files -/' \
        '--place=[Mix to use if the task model has two]:word:(input output)' \
        '--gamma=[Factor gamma of the mix]:G: ' \
        '--layer-norm[Normalize each layer over the sentence, without boundaries, before mixing]' \
        '--dtype=[Output type]:word:(float32 float16 bfloat16 int8)' \
        '--compression=[Compression of the shards, after a byte shuffle]:word:(none gzip zstd)' \
        '--resume[Resume the run in DIR, if any]' \
        '--overwrite[Replace the run in DIR]' \
        '--quiet[Print only errors]' \
        '1:RUN:_files -/' ;;
    export)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--format=[Output format]:word:(jsonl npy safetensors arrow)' \
        '(-o --output)-o+[Output file]:PATH:_files' \
        '(-o --output)--output=[Output file]:PATH:_files' \
        '--dtype=[Output type]:word:(float32 float16 bfloat16 int8)' \
        '--overwrite[Replace existing files]' \
        '--quiet[Print only errors]' \
        '--layers=[Layers to write, as in embed]:word:(all top average mix)' \
        '--mix-weights=[Layer weights before the softmax, token layer first]:W0,...,WL: ' \
        '--mix=[Task model whose layer weights, gamma and layer normalization to use]:DIR:_files -/' \
        '--place=[Mix to use if the task model has two]:word:(input output)' \
        '--gamma=[Factor gamma of the mix]:G: ' \
        '--layer-norm[Normalize each layer over the sentence, without boundaries, before averaging or mixing]' \
        '1:DIR:_files -/' ;;
    merge)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Print only errors]' \
        '1:DIR:_files -/' ;;
    verify)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Print only problems]' \
        '1:DIR:_files -/' ;;
    perplexity)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--json[Print JSON with exact numbers]' \
        '--initial-state=[Initial state of a sentence]:word:(zero warm carry)' \
        '--lanes=[Number of parallel state lanes (--initial-state carry)]:N: ' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--quiet[Print only errors and the result]' \
        '--model=[Model with softmax, as written by train]:PATH:_files' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '*:FILE:_files' ;;
    surprisal)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--base=[Base of the logarithm]:word:(2 e 10)' \
        '--boundaries[Report <S>, which backward predicts, and </S>, which forward predicts]' \
        '--by-sentence[Report the sums of each sentence instead of its words]' \
        '--format=[Output format]:word:(tsv jsonl)' \
        '--initial-state=[Initial state of a sentence]:word:(zero warm carry)' \
        '--lanes=[Number of parallel state lanes (--initial-state carry)]:N: ' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--quiet[Print only errors and the result]' \
        '--model=[Model with softmax, as written by train]:PATH:_files' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '--pairs[Read pairs of an acceptable and an unacceptable sentence, and print in how many the acceptable one is more probable, in percent]' \
        '--good=[Field of the acceptable sentence]:FIELD: ' \
        '--bad=[Field of the unacceptable sentence]:FIELD: ' \
        '--by=[Fields to count by]:FIELD,...: ' \
        '*:FILE:_files' ;;
    substitutes)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '(-k --count)-k+[Number of substitutes per list]:N: ' \
        '(-k --count)--count=[Number of substitutes per list]:N: ' \
        '--all[Find substitutes of each word of a sentence, which has no brackets]' \
        '--format=[Output format]:word:(jsonl table)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--model=[Model with softmax, as written by train]:PATH:_files' \
        '--input-format=[Format of a line]:word:(text tokens jsonl)' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '1:SENTENCE: ' ;;
    neighbors)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--corpus=[Run written by embed, or text files and folders, which are embedded once]:PATH:_files' \
        '(-k --count)-k+[Number of results per query, or of central sentences per cluster]:N: ' \
        '(-k --count)--count=[Number of results per query, or of central sentences per cluster]:N: ' \
        '--layer=[Layer to compare]:LAYER: ' \
        '--same-word[Search only occurrences of the query'\''s word, ignoring case]' \
        '--other-words[Search only other words]' \
        '--format=[Output format]:word:(jsonl table)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--quiet[Print only errors and the result]' \
        '--map=[HTML page to write or replace]:FILE:_files' \
        '--clusters=[Color points by K clusters of their vectors (average linkage on cosine distance), which --format jsonl prints]:auto|K: ' \
        '--sample=[Maximum number of occurrences]:N: ' \
        '--seed=[Random seed of the sample]:N: ' \
        '--labels=[Color points by the labels in this file, not by document]:FILE:_files' \
        '--column=[Column of CoNLL-U that holds the labels, by name or number]:NAME: ' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '1:QUERY: ' ;;
    senses)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--train=[Labeled training sentences]:FILE:_files' \
        '--test=[Labeled test sentences in the same format]:FILE:_files' \
        '--candidates=[Candidate senses]:FILE:_files' \
        '--predict=[File of predictions to write or replace]:FILE:_files' \
        '--layer=[Layer of --predict]:LAYER: ' \
        '--by=[Comparison of --predict]:word:(average exemplar)' \
        '--prior=[Weight of the log training count of a sense, added to its cosine]:BETA: ' \
        '--json[Print JSON with exact numbers]' \
        '--quiet[Print only errors and results]' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--features=[Folder of cached activations, with a run for each labeled file]:DIR:_files -/' \
        '--features-dtype=[Type of stored activations]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' ;;
    similarity)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--input-format=[Sentences with brackets]:word:(text tokens)' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--format=[Output format]:word:(tsv jsonl)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--quiet[Print only errors and the result]' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '1:FILE:_files' ;;
    change)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--words=[Words to compare, separated by commas, or a file with one per line, which a tab and its forms may follow]:FILE|WORD,...:_files' \
        '--ignore-case[Ignore case in --words]' \
        '--layer=[Layer to compare]:LAYER: ' \
        '--format=[Output format]:word:(tsv jsonl)' \
        '--quiet[Print only errors and the result]' \
        '1:RUN1: ' \
        '1:RUN2: ' ;;
    probe)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--train=[Labeled training sentences]:FILE:_files' \
        '(--dev --valid)--dev=[Labeled sentences that select epoch and weight decay]:FILE:_files' \
        '(--dev --valid)--valid=[Labeled sentences that select epoch and weight decay]:FILE:_files' \
        '--test=[Labeled sentences for the final score only]:FILE:_files' \
        '(-o --output)-o+[SVG plot of the accuracies, to write or replace]:FILE:_files' \
        '(-o --output)--output=[SVG plot of the accuracies, to write or replace]:FILE:_files' \
        '--json[Print JSON with exact numbers]' \
        '--quiet[Print only errors and results]' \
        '--column=[Column of CoNLL-U that holds the labels, by name or number]:NAME: ' \
        '--format=[Format of labeled files]:word:(columns conllu jsonl)' \
        '--epochs=[Number of epochs]:N: ' \
        '--batch-tokens=[Tokens of a step]:TOKENS: ' \
        '--learning-rate=[Initial learning rate of Adam]:RATE: ' \
        '--weight-decay=[Weight decay rates to try (AdamW)]:RATE,...: ' \
        '--seed=[Random seed of token order and bootstrap]:N: ' \
        '--width=[Width of the picture in millimeters]:MM: ' \
        '--font-size=[Font size of the picture in points]:PT: ' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--features=[Folder of cached activations, with a run for each labeled file]:DIR:_files -/' \
        '--features-dtype=[Type of stored activations]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' ;;
    train)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--preset=[Architecture]:word:(tiny small medium original)' \
        '--options=[Architecture from an options.json, instead of --preset]:FILE:_files' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '--vocab=[Word list, one per line, including <S>, </S> and <UNK>]:FILE:_files' \
        '--min-count=[Minimum count of a word]:N: ' \
        '--max-vocab=[Maximum number of words]:N: ' \
        '--epochs=[Number of epochs]:E: ' \
        '--steps=[Number of steps, instead of --epochs]:N: ' \
        '--initial-state=[Initial state of a sentence]:word:(zero carry)' \
        '--batch=[Sentences per batch]:N: ' \
        '--unroll=[Tokens per sentence and step]:TOKENS: ' \
        '--samples=[Sampled words per step for the softmax]:N: ' \
        '--dropout=[Dropout of each layer'\''s inputs]:RATE: ' \
        '--optimizer=[Optimizer of the parameters]:word:(adam adagrad)' \
        '--learning-rate=[Peak learning rate]:RATE: ' \
        '--weight-decay=[Weight decay, decoupled from the gradient]:RATE: ' \
        '--decay=[Learning rate schedule after warm-up]:word:(cosine linear none)' \
        '--warmup-steps=[Warm-up steps of the learning rate]:N: ' \
        '--gradient-clip=[Maximum gradient norm]:NORM: ' \
        '--seed=[Seed of random numbers]:N: ' \
        '--precision=[Precision of the arithmetic (products)]:word:(float32 bfloat16)' \
        '--threads=[Number of compute threads]:N: ' \
        '(-o --output)-o+[Output folder for the model, checkpoints and progress.jsonl]:DIR:_files -/' \
        '(-o --output)--output=[Output folder for the model, checkpoints and progress.jsonl]:DIR:_files -/' \
        '(--valid --dev)--valid=[Held-out text for validation]:FILE:_files' \
        '(--valid --dev)--dev=[Held-out text for validation]:FILE:_files' \
        '--valid-every=[Steps between validations]:STEPS: ' \
        '--valid-tokens=[Tokens per validation]:TOKENS: ' \
        '--checkpoint-every=[Interval between checkpoints]:TIME|STEPS: ' \
        '--keep=[Number of checkpoints to keep]:N: ' \
        '--max-steps=[Stop after N steps of this run]:N: ' \
        '--max-minutes=[Stop after N minutes]:MINUTES: ' \
        '--resume[Resume from the last checkpoint in DIR, if any]' \
        '--overwrite[Replace the run or model in DIR]' \
        '--dtype=[Type of the saved weights]:word:(float32 float16)' \
        '--plot[Plot DIR/curves.svg at every validation]' \
        '--dry-run[Run a few steps, write nothing, and estimate tokens, steps, memory and time of the whole run]' \
        '--json[Print the estimate as JSON]' \
        '--quiet[Print only errors]' \
        '*:FILE:_files' ;;
    finetune)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--model=[Model to start from]:PATH:_files' \
        '--new-vocab[Make a new vocabulary from the text, with its tokenizer]' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu vertical fasta)' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--word-column=[Column of the tokens (vertical)]:N: ' \
        '--vocab=[Word list, one per line, including <S>, </S> and <UNK>]:FILE:_files' \
        '--min-count=[Minimum count of a word]:N: ' \
        '--max-vocab=[Maximum number of words]:N: ' \
        '--epochs=[Number of epochs]:E: ' \
        '--steps=[Number of steps, instead of --epochs]:N: ' \
        '--initial-state=[Initial state of a sentence]:word:(zero carry)' \
        '--batch=[Sentences per batch]:N: ' \
        '--unroll=[Tokens per sentence and step]:TOKENS: ' \
        '--samples=[Sampled words per step for the softmax]:N: ' \
        '--dropout=[Dropout of each layer'\''s inputs]:RATE: ' \
        '--optimizer=[Optimizer of the parameters]:word:(adam adagrad)' \
        '--learning-rate=[Peak learning rate]:RATE: ' \
        '--weight-decay=[Weight decay, decoupled from the gradient]:RATE: ' \
        '--decay=[Learning rate schedule after warm-up]:word:(cosine linear none)' \
        '--warmup-steps=[Warm-up steps of the learning rate]:N: ' \
        '--gradient-clip=[Maximum gradient norm]:NORM: ' \
        '--seed=[Seed of random numbers]:N: ' \
        '--precision=[Precision of the arithmetic (products)]:word:(float32 bfloat16)' \
        '--threads=[Number of compute threads]:N: ' \
        '--softmax-steps=[Steps that train only a new softmax first, if the model has none or gets a new vocabulary]:N: ' \
        '(-o --output)-o+[Output folder for the model, checkpoints and progress.jsonl]:DIR:_files -/' \
        '(-o --output)--output=[Output folder for the model, checkpoints and progress.jsonl]:DIR:_files -/' \
        '(--valid --dev)--valid=[Held-out text for validation]:FILE:_files' \
        '(--valid --dev)--dev=[Held-out text for validation]:FILE:_files' \
        '--valid-every=[Steps between validations]:STEPS: ' \
        '--valid-tokens=[Tokens per validation]:TOKENS: ' \
        '--checkpoint-every=[Interval between checkpoints]:TIME|STEPS: ' \
        '--keep=[Number of checkpoints to keep]:N: ' \
        '--max-steps=[Stop after N steps of this run]:N: ' \
        '--max-minutes=[Stop after N minutes]:MINUTES: ' \
        '--resume[Resume from the last checkpoint in DIR, if any]' \
        '--overwrite[Replace the run or model in DIR]' \
        '--dtype=[Type of the saved weights]:word:(float32 float16)' \
        '--plot[Plot DIR/curves.svg at every validation]' \
        '--dry-run[Run a few steps, write nothing, and estimate tokens, steps, memory and time of the whole run]' \
        '--json[Print the estimate as JSON]' \
        '--quiet[Print only errors]' \
        '*:FILE:_files' ;;
    plot)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '(-o --output)-o+[SVG file to write or replace]:FILE:_files' \
        '(-o --output)--output=[SVG file to write or replace]:FILE:_files' \
        '--quiet[Print only errors]' \
        '--width=[Width of the picture in millimeters]:MM: ' \
        '--font-size=[Font size of the picture in points]:PT: ' \
        '*:DIR:_files -/' ;;
    task\ train)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--kind=[What is labeled]:word:(tag classify pair qa srl coref)' \
        '--preset=[Sizes and training settings]:word:(default paper)' \
        '--train=[Labeled training data]:FILE:_files' \
        '(--dev --valid)--dev=[Labeled data for evaluation, in the same formats]:FILE:_files' \
        '(--dev --valid)--valid=[Labeled data for evaluation, in the same formats]:FILE:_files' \
        '(-o --output)-o+[Folder for the run and its model]:DIR:_files -/' \
        '(-o --output)--output=[Folder for the run and its model]:DIR:_files -/' \
        '--column=[Column of CoNLL-U that holds the labels, by name or number]:NAME: ' \
        '--text-column=[Column of the texts in a table (TSV or CSV) whose first line names the columns]:NAME: ' \
        '--label-column=[Column of the labels in such a table]:NAME: ' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--skip-unanswerable[Skip and count questions without an answer, which SQuAD 2.0 has (qa)]' \
        '--test=[Test data, scored once after training]:FILE:_files' \
        '--quiet[Print only errors and results]' \
        '--elmo=[Where the layers enter]:word:(none input output both)' \
        '--mix=[Layer mix]:MIX: ' \
        '--lambda=[Weight penalty λ‖w‖² of learned mixes]:λ: ' \
        '--elmo-dropout=[Dropout of the mix or concatenation, before --dropout]:RATE: ' \
        '--layer-norm[Normalize each layer over the sentence first]' \
        '--layers=[Number of biLSTM layers]:N: ' \
        '--hidden=[LSTM units per direction]:N: ' \
        '--word-dim=[Width of the trained word vectors]:N: ' \
        '--words=[Pretrained word vectors in the text format of GloVe or word2vec, which stay as they are]:FILE:_files' \
        '--train-words[Train the vectors of --words, too]' \
        '--char-filters=[Filters of the character CNN]:N: ' \
        '--dropout=[Dropout of biLSTM inputs and outputs]:RATE: ' \
        '--batch=[Examples per step]:N: ' \
        '--learning-rate=[Learning rate of Adam]:RATE: ' \
        '--weight-decay=[Weight decay, decoupled from the gradient]:RATE: ' \
        '--label-weights=[Weights of examples]:word:(equal dev)' \
        '--gradient-clip=[Maximum gradient norm]:NORM: ' \
        '--evaluations=[Maximum number of evaluations on --dev, one per epoch]:N: ' \
        '--min-steps=[No run ends before this step]:N: ' \
        '--patience=[Evaluations without improvement before training stops]:N: ' \
        '--decay=[Factor of the learning rate when scores stop improving]:FACTOR: ' \
        '--decay-patience=[Evaluations without improvement before the learning rate drops]:N: ' \
        '--average=[Decay per step of the moving average of weights that is evaluated and kept]:DECAY: ' \
        '--seed=[Random seed of weights, dropout and example order]:N: ' \
        '--seeds=[Train once per seed, in folders seed-N]:N,N…: ' \
        '--resume[Resume the run in the folder]' \
        '--overwrite[Replace the run in the folder]' \
        '--checkpoint-steps=[Steps between checkpoints]:N: ' \
        '--max-steps=[Stop each model after N steps of this process]:N: ' \
        '--json[Print the scores as JSON]' \
        '--plot[Plot losses and scores to curves.svg at every evaluation]' \
        '--dry-run[Run a few steps on a sample, write nothing, and estimate activations, steps, memory and time of the whole run]' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--features=[Folder of cached activations, with a run for each labeled file]:DIR:_files -/' \
        '--features-dtype=[Type of stored activations]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' ;;
    task\ predict)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Print only errors and results]' \
        '--format=[Output format]:word:(columns conllu jsonl squad)' \
        '--column=[Column of CoNLL-U that holds the labels, by name or number]:NAME: ' \
        '--text-column=[Column of the texts in a table (TSV or CSV) whose first line names the columns]:NAME: ' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--lines[Read each line as one sentence (text, jsonl)]' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--strict[Reject invalid UTF-8 instead of reading it as U+FFFD]' \
        '--text-field=[JSON field of the text (jsonl)]:NAME: ' \
        '--id-field=[JSON field of the id (jsonl)]:NAME: ' \
        '--skip-bad-records[Skip and count malformed records (jsonl)]' \
        '--input-format=[Input format]:word:(text tokens jsonl conllu columns)' \
        '1:DIR:_files -/' \
        '*:FILE:_files' ;;
    task\ evaluate)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Print only errors and results]' \
        '--column=[Column of CoNLL-U that holds the labels, by name or number]:NAME: ' \
        '--text-column=[Column of the texts in a table (TSV or CSV) whose first line names the columns]:NAME: ' \
        '--label-column=[Column of the labels in such a table]:NAME: ' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--skip-unanswerable[Skip and count questions without an answer, which SQuAD 2.0 has (qa)]' \
        '--json[Print JSON with exact numbers]' \
        '--differences[Print each wrong label first (tag, classify, pair, srl)]' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '1:DIR:_files -/' \
        '1:FILE:_files' ;;
    task\ compare)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--kind=[What is labeled]:word:(tag classify pair qa srl coref)' \
        '--preset=[Sizes and training settings]:word:(default paper)' \
        '--train=[Labeled training data]:FILE:_files' \
        '(--dev --valid)--dev=[Labeled data for evaluation, in the same formats]:FILE:_files' \
        '(--dev --valid)--valid=[Labeled data for evaluation, in the same formats]:FILE:_files' \
        '(-o --output)-o+[Folder for tables and pictures]:DIR:_files -/' \
        '(-o --output)--output=[Folder for tables and pictures]:DIR:_files -/' \
        '--column=[Column of CoNLL-U that holds the labels, by name or number]:NAME: ' \
        '--text-column=[Column of the texts in a table (TSV or CSV) whose first line names the columns]:NAME: ' \
        '--label-column=[Column of the labels in such a table]:NAME: ' \
        '--tokenizer=[Tokenizer of raw text]:NAME|FILE:_files' \
        '--locale=[Language of raw text, for the tokenizer, e.g]:LOCALE: ' \
        '--contractions=[Contractions of de, es, fr, it and pt in the tokens of ud]:word:(keep expand)' \
        '--normalize=[Form of Unicode in which the model reads tokens]:word:(none nfc nfkc)' \
        '--skip-unanswerable[Skip and count questions without an answer, which SQuAD 2.0 has (qa)]' \
        '--quiet[Print only errors and results]' \
        '--lambda=[Weight penalty λ‖w‖² of learned mixes]:λ: ' \
        '--elmo-dropout=[Dropout of the mix or concatenation, before --dropout]:RATE: ' \
        '--layer-norm[Normalize each layer over the sentence first]' \
        '--layers=[Number of biLSTM layers]:N: ' \
        '--hidden=[LSTM units per direction]:N: ' \
        '--word-dim=[Width of the trained word vectors]:N: ' \
        '--words=[Pretrained word vectors in the text format of GloVe or word2vec, which stay as they are]:FILE:_files' \
        '--train-words[Train the vectors of --words, too]' \
        '--char-filters=[Filters of the character CNN]:N: ' \
        '--dropout=[Dropout of biLSTM inputs and outputs]:RATE: ' \
        '--batch=[Examples per step]:N: ' \
        '--learning-rate=[Learning rate of Adam]:RATE: ' \
        '--weight-decay=[Weight decay, decoupled from the gradient]:RATE: ' \
        '--label-weights=[Weights of examples]:word:(equal dev)' \
        '--gradient-clip=[Maximum gradient norm]:NORM: ' \
        '--evaluations=[Maximum number of evaluations on --dev, one per epoch]:N: ' \
        '--min-steps=[No run ends before this step]:N: ' \
        '--patience=[Evaluations without improvement before training stops]:N: ' \
        '--decay=[Factor of the learning rate when scores stop improving]:FACTOR: ' \
        '--decay-patience=[Evaluations without improvement before the learning rate drops]:N: ' \
        '--average=[Decay per step of the moving average of weights that is evaluated and kept]:DECAY: ' \
        '--seed=[Random seed of weights, dropout and example order]:N: ' \
        '--seeds=[Train each model once per seed]:N,N…: ' \
        '--resume[Resume the run in the folder]' \
        '--overwrite[Replace the run in the folder]' \
        '--checkpoint-steps=[Steps between checkpoints]:N: ' \
        '--max-steps=[Stop each model after N steps of this process]:N: ' \
        '--json[Print the scores as JSON]' \
        '--model=[Model folder, zip archive or installed model]:PATH:_files' \
        '--options=[Options file to use with --weights instead of --model]:FILE:_files' \
        '--weights=[Weights to use with --options instead of --model]:FILE:_files' \
        '--vocab=[Input words of a model without characters, one per line]:FILE:_files' \
        '--features=[Folder of cached activations, with a run for each labeled file]:DIR:_files -/' \
        '--features-dtype=[Type of stored activations]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Precision of the biLM'\''s arithmetic (products)]:word:(float32 bfloat16 int8)' \
        '--threads=[Number of compute threads]:N: ' \
        '--settings=[Settings to compare]:NAME,NAME...: ' \
        '--fractions=[Also train none and input on these fractions of the training data, sampled by seed (more than 0, at most 1)]:F,F...: ' \
        '--width=[Width of the picture in millimeters]:MM: ' \
        '--font-size=[Font size of the picture in points]:PT: ' ;;
    info)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--check[Check a model]' \
        '--json[Print JSON with exact counts]' \
        '1:PATH:_files' ;;
    init)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--preset=[Architecture]:word:(tiny small medium original)' \
        '--options=[Architecture from an options.json, instead of --preset]:FILE:_files' \
        '--seed=[Seed of the random weights]:N: ' \
        '(-o --output)-o+[Output folder, created if missing]:DIR:_files -/' \
        '(-o --output)--output=[Output folder, created if missing]:DIR:_files -/' \
        '--overwrite[Replace the model in DIR]' \
        '--quiet[Print only errors]' ;;
    convert)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--vocab=[Make a word-level model of these words, one per line, including <S>, </S> and <UNK>]:FILE:_files' \
        '(-o --output)-o+[Output folder, created if missing]:DIR:_files -/' \
        '(-o --output)--output=[Output folder, created if missing]:DIR:_files -/' \
        '--dtype=[Type of the stored weights]:word:(float32 float16)' \
        '--overwrite[Replace the model in DIR]' \
        '--quiet[Print only errors]' \
        '1:MODEL:_files' ;;
  esac
}

_elmo "$@"
