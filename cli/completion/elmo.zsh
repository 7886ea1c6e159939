#compdef elmo
# Made by `make docs` from the options' definitions.

_elmo() {
  local -a commands=(
    'embed:Compute the activations of every token of a text'
    'perplexity:Measure how well a model predicts a text'
    'tokenize:Print what the tokenizer makes of a text, one sentence a line'
    'info:Say what a model, a shard or a run is, and what it costs'
    'verify:Check every shard of a run\: checksums, counts, offsets, finite values'
    'merge:Join the parts that `embed --parts` has written\: an index over all of them'
    'init:Make a random model, initialised as published models were'
    'convert:Write a model in the layout of AllenNLP and bilm-tf, as far as that can hold it'
    'train:Train a model from text alone'
    'finetune:Train a model further, on other text'
    'plot:Draw loss and score of training runs'
    'senses:Tell word senses by the nearest labelled occurrence'
    'neighbors:Find the nearest occurrences of a word in context, and its nearest words'
    'mix:Mix the layers of a run into one vector a token, without computing them again'
    'export:Turn a run into arrays for NumPy and PyTorch, or into a stream'
    'task:Train models for labelled data on the layers of a biLM'
    'probe:Measure what each layer knows of the labels of tokens'
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
        '--dry-run[Compute a short sample only, and say what the whole run would take, by what is chosen]' \
        '--json[Print what a dry run finds as JSON]' \
        '--quiet[Show errors only, no progress and no summary]' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu)' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '--parts=[Read the input in N parts of about the same size, on as many machines as there are]:N: ' \
        '--part=[The part of --parts to embed, from 0]:K: ' \
        '--words=[Write the vectors of these tokens only]:FILE|WORD,...: ' \
        '--match=[Likewise those that this regular expression (ICU) matches from their first to their last character, beside those of --words]:REGEX: ' \
        '--ignore-case[Take words that differ in case for the same (--words, --match)]' \
        '--sample=[Write the vectors of so many tokens, drawn at random, each as likely as any other]:N: ' \
        '--seed=[The same seed draws the same sample of the same text]:N: ' \
        '--layers=[Layers that are written]:word:(all top average mix)' \
        '--mix-weights=[Weight of each layer in a mix, before the softmax, the token layer first]:W0,...,WL: ' \
        '--mix=[Folder of a task model, whose learned weights, gamma and layer normalisation are taken]:DIR:_files -/' \
        '--place=[Which mixture of a task model that has two]:word:(input output)' \
        '--gamma=[Factor of the whole mix]:G: ' \
        '--layer-norm[Normalise each layer over the sentence, boundaries left out, before it is averaged or mixed]' \
        '--boundaries[Keep the vectors of <S> and </S>, as tokens of the sentence]' \
        '--initial-state=[State that a sentence begins from]:word:(zero warm carry)' \
        '--lanes=[Sentences that carry their states side by side (--initial-state carry)]:N: ' \
        '--max-sentence-tokens=[Longer sentences are cut into pieces of so many tokens, each a sentence of its own]:TOKENS: ' \
        '--pool=[One row a sentence instead of one a token]:word:(mean max first-last)' \
        '--pool-by=[What gets a row with --pool]:word:(sentence document)' \
        '--average-words[One vector for each word of the text, the mean over all its places, to the file -o in a format of word2vec, by its name]' \
        '--min-count=[Words that occur more rarely are left out (--average-words)]:N: ' \
        '(-o --output)-o+[Folder for the shards, made where it is missing]:PATH:_files' \
        '(-o --output)--output=[Folder for the shards, made where it is missing]:PATH:_files' \
        '--format=[Instead of -o]:word:(jsonl npy word2vec-text word2vec-binary)' \
        '--layout=[Form of the files]:word:(shards allennlp)' \
        '--dtype=[Numbers in the output]:word:(float32 float16 bfloat16 int8)' \
        '--compression=[Compression of the shards, after a shuffle of its bytes]:word:(none gzip zstd)' \
        '--shard-size=[Activations in a shard, at most, in bytes before compression]:BYTES: ' \
        '--forget-sentences[Leave out sentence_to_index (layout allennlp)]' \
        '--resume[Go on where the run in PATH was stopped]' \
        '--overwrite[Replace the run or the file that PATH holds]' \
        '--precision=[Numbers that are multiplied]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '--workers=[Jobs computed at once, sharing the threads]:N: ' \
        '--memory=[Memory for all that is in work, beside the model, in bytes]:BYTES: ' \
        '--batch-tokens=[Tokens computed together, at most]:TOKENS: ' \
        '*:FILE:_files' ;;
    perplexity)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--json[Print JSON, with numbers in full]' \
        '--per-token[Print a JSON object a sentence]' \
        '--initial-state=[State that a sentence begins from]:word:(zero warm carry)' \
        '--lanes=[Sentences that carry their states side by side (--initial-state carry)]:N: ' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '--quiet[Show errors and the result only]' \
        '--model=[Folder or zip archive of a model with its softmax (softmax.hdf5 and vocabulary.txt), as train leaves it]:PATH:_files' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu)' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '*:FILE:_files' ;;
    tokenize)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--format=[Form of the output]:word:(tokens jsonl)' \
        '--quiet[Say nothing about repairs on standard error]' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu)' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '*:FILE:_files' ;;
    info)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--json[Print JSON, with counts in full]' \
        '1:PATH:_files' ;;
    verify)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Say nothing of files that are sound]' \
        '1:DIR:_files -/' ;;
    merge)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Show errors only]' \
        '1:DIR:_files -/' ;;
    init)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--preset=[Architecture of that name]:word:(tiny small medium original)' \
        '--options=[Instead of --preset]:FILE:_files' \
        '--seed=[The same seed makes the same model]:N: ' \
        '(-o --output)-o+[Folder for options.json and weights.hdf5]:DIR:_files -/' \
        '(-o --output)--output=[Folder for options.json and weights.hdf5]:DIR:_files -/' \
        '--overwrite[Replace a model that is in DIR already]' \
        '--quiet[Say nothing where all is well]' ;;
    convert)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--vocab=[Make a word-level model that knows these words only, one a line, <S>, </S> and <UNK> among them, with the vectors that the model makes of their characters]:FILE:_files' \
        '(-o --output)-o+[Folder for options.json, weights.hdf5 and what else the model has]:DIR:_files -/' \
        '(-o --output)--output=[Folder for options.json, weights.hdf5 and what else the model has]:DIR:_files -/' \
        '--dtype=[Numbers of the weights]:word:(float32 float16)' \
        '--overwrite[Replace a model that is in DIR already]' \
        '--quiet[Say nothing where all is well]' \
        '1:MODEL: ' ;;
    train)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--preset=[Architecture of that name]:word:(tiny small medium original)' \
        '--options=[Instead of --preset]:FILE:_files' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu)' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '--vocab=[Words, one a line, with <S>, </S> and <UNK> among them]:FILE:_files' \
        '--min-count=[Words that occur less often are <UNK>]:N: ' \
        '--max-vocab=[Words at most, the most frequent ones]:N: ' \
        '--epochs=[Times to go through the text]:E: ' \
        '--steps=[Instead of --epochs]:N: ' \
        '--initial-state=[State that a sentence begins from]:word:(zero carry)' \
        '--batch=[Sentences side by side]:N: ' \
        '--unroll=[Tokens of each of them in a step]:TOKENS: ' \
        '--samples=[Words that a step'\''s softmax is estimated from]:N: ' \
        '--dropout=[Share of each layer'\''s inputs that is dropped]:RATE: ' \
        '--optimizer=[How gradients change the parameters]:word:(adam adagrad)' \
        '--learning-rate=[Learning rate at its peak]:RATE: ' \
        '--weight-decay=[Decay of the weights, decoupled from the gradient]:RATE: ' \
        '--decay=[What becomes of the learning rate after the warm-up]:word:(cosine linear none)' \
        '--warmup-steps=[Steps over which the learning rate grows]:N: ' \
        '--gradient-clip=[Norm that the gradient is shrunk to where it is larger]:NORM: ' \
        '--seed=[Seed of all that is random]:N: ' \
        '--precision=[Numbers that are multiplied]:word:(float32 bfloat16)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '(-o --output)-o+[Folder for the model, its softmax and vocabulary, the checkpoints and progress.jsonl]:DIR:_files -/' \
        '(-o --output)--output=[Folder for the model, its softmax and vocabulary, the checkpoints and progress.jsonl]:DIR:_files -/' \
        '--valid=[Text that is not trained on and whose perplexity is told]:FILE:_files' \
        '--valid-every=[Validate, and save the model, after so many steps, and at the end]:STEPS: ' \
        '--valid-tokens=[So much of the text is used then]:TOKENS: ' \
        '--checkpoint-every=[Time between checkpoints, 30s, 10m, 2h, or a number of steps]:TIME|STEPS: ' \
        '--keep=[Checkpoints that are kept]:N: ' \
        '--max-steps=[Stop after so many steps of this run, before the plan ends]:N: ' \
        '--max-minutes=[Stop after so much time, likewise]:MINUTES: ' \
        '--resume[Go on from the last checkpoint in DIR]' \
        '--overwrite[Replace the run or the model in DIR]' \
        '--dtype=[Numbers of the saved model]:word:(float32 float16)' \
        '--plot[Draw the curves, DIR/curves.svg, at every validation]' \
        '--dry-run[Compute a few steps only, write nothing, and say what the plan would take]' \
        '--json[Print what a dry run finds as JSON]' \
        '--quiet[Show errors only, no progress and no summary]' \
        '*:FILE:_files' ;;
    finetune)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--model=[Model to begin from]:PATH:_files' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu)' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '--vocab=[Words, one a line, with <S>, </S> and <UNK> among them]:FILE:_files' \
        '--min-count=[Words that occur less often are <UNK>]:N: ' \
        '--max-vocab=[Words at most, the most frequent ones]:N: ' \
        '--epochs=[Times to go through the text]:E: ' \
        '--steps=[Instead of --epochs]:N: ' \
        '--initial-state=[State that a sentence begins from]:word:(zero carry)' \
        '--batch=[Sentences side by side]:N: ' \
        '--unroll=[Tokens of each of them in a step]:TOKENS: ' \
        '--samples=[Words that a step'\''s softmax is estimated from]:N: ' \
        '--dropout=[Share of each layer'\''s inputs that is dropped]:RATE: ' \
        '--optimizer=[How gradients change the parameters]:word:(adam adagrad)' \
        '--learning-rate=[Learning rate at its peak]:RATE: ' \
        '--weight-decay=[Decay of the weights, decoupled from the gradient]:RATE: ' \
        '--decay=[What becomes of the learning rate after the warm-up]:word:(cosine linear none)' \
        '--warmup-steps=[Steps over which the learning rate grows]:N: ' \
        '--gradient-clip=[Norm that the gradient is shrunk to where it is larger]:NORM: ' \
        '--seed=[Seed of all that is random]:N: ' \
        '--precision=[Numbers that are multiplied]:word:(float32 bfloat16)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '--softmax-steps=[Steps that train a new softmax alone, before all is trained]:N: ' \
        '(-o --output)-o+[Folder for the model, its softmax and vocabulary, the checkpoints and progress.jsonl]:DIR:_files -/' \
        '(-o --output)--output=[Folder for the model, its softmax and vocabulary, the checkpoints and progress.jsonl]:DIR:_files -/' \
        '--valid=[Text that is not trained on and whose perplexity is told]:FILE:_files' \
        '--valid-every=[Validate, and save the model, after so many steps, and at the end]:STEPS: ' \
        '--valid-tokens=[So much of the text is used then]:TOKENS: ' \
        '--checkpoint-every=[Time between checkpoints, 30s, 10m, 2h, or a number of steps]:TIME|STEPS: ' \
        '--keep=[Checkpoints that are kept]:N: ' \
        '--max-steps=[Stop after so many steps of this run, before the plan ends]:N: ' \
        '--max-minutes=[Stop after so much time, likewise]:MINUTES: ' \
        '--resume[Go on from the last checkpoint in DIR]' \
        '--overwrite[Replace the run or the model in DIR]' \
        '--dtype=[Numbers of the saved model]:word:(float32 float16)' \
        '--plot[Draw the curves, DIR/curves.svg, at every validation]' \
        '--dry-run[Compute a few steps only, write nothing, and say what the plan would take]' \
        '--json[Print what a dry run finds as JSON]' \
        '--quiet[Show errors only, no progress and no summary]' \
        '*:FILE:_files' ;;
    plot)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '(-o --output)-o+[SVG file to write, replacing what is there]:FILE:_files' \
        '(-o --output)--output=[SVG file to write, replacing what is there]:FILE:_files' \
        '--quiet[Say nothing where all is well]' \
        '*:DIR:_files -/' ;;
    senses)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--train=[Labelled sentences to learn from]:FILE:_files' \
        '--test=[Labelled sentences whose senses are told and compared, in the same form, one file or several]:FILE:_files' \
        '--candidates=[Senses that words may have, the first one taken where training has none]:FILE:_files' \
        '--predict=[File to write, replacing what is there]:FILE:_files' \
        '--layer=[Layer that --predict takes]:LAYER: ' \
        '--by=[What --predict holds an instance against]:word:(average exemplar)' \
        '--prior=[Add this times the logarithm of a sense'\''s count in training to its cosine]:BETA: ' \
        '--json[Print JSON, with numbers in full]' \
        '--quiet[Show errors and results only]' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--features=[Folder of the activations]:DIR:_files -/' \
        '--features-dtype=[Numbers in which computed activations are kept]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' ;;
    neighbors)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--corpus=[What is searched]:PATH:_files' \
        '(-k --count)-k+[Occurrences and words that are told of each query]:N: ' \
        '(-k --count)--count=[Occurrences and words that are told of each query]:N: ' \
        '--layer=[Layer that is compared]:LAYER: ' \
        '--same-word[Occurrences of the query'\''s word only, capitals aside]' \
        '--other-words[Occurrences of other words only]' \
        '--format=[Form of the output]:word:(jsonl table)' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '--quiet[Show errors and the result only]' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu)' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '1:QUERY: ' ;;
    mix)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '(-o --output)-o+[Folder for the shards, one for each of the run]:DIR:_files -/' \
        '(-o --output)--output=[Folder for the shards, one for each of the run]:DIR:_files -/' \
        '--weights=[Weight of each layer, before the softmax, the token layer first]:W0,...,WL: ' \
        '--task=[Folder of a task model, whose learned weights, gamma and layer normalisation are taken]:DIR:_files -/' \
        '--place=[Which mixture of a task model that has two]:word:(input output)' \
        '--gamma=[Factor of the whole mix]:G: ' \
        '--layer-norm[Normalise each layer over the sentence, boundaries left out, before it is mixed]' \
        '--dtype=[Numbers in the output]:word:(float32 float16 bfloat16 int8)' \
        '--compression=[Compression of the shards, after a shuffle of its bytes]:word:(none gzip zstd)' \
        '--resume[Go on where the run in DIR was stopped]' \
        '--overwrite[Replace the run that DIR holds]' \
        '--quiet[Show errors only, no progress and no summary]' \
        '1:RUN: ' ;;
    export)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--format=[npy]:word:(npy jsonl safetensors)' \
        '(-o --output)-o+[File to write]:PATH:_files' \
        '(-o --output)--output=[File to write]:PATH:_files' \
        '--dtype=[Numbers in the output]:word:(float32 float16 bfloat16 int8)' \
        '--overwrite[Replace files of these names]' \
        '--quiet[Show errors only, no progress and no summary]' \
        '--layers=[Layers that are written, of a run that has all, as of embed]:word:(all top average mix)' \
        '--mix-weights=[Weight of each layer in a mix, before the softmax, the token layer first]:W0,...,WL: ' \
        '--mix=[Folder of a task model, whose learned weights, gamma and layer normalisation are taken]:DIR:_files -/' \
        '--place=[Which mixture of a task model that has two]:word:(input output)' \
        '--gamma=[Factor of the whole mix]:G: ' \
        '--layer-norm[Normalise each layer over the sentence, boundaries left out, before it is averaged or mixed]' \
        '1:DIR:_files -/' ;;
    task\ train)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--kind=[What is labelled]:word:(tag classify pair)' \
        '--train=[Labelled data]:FILE:_files' \
        '--dev=[Labelled data that scores are told on]:FILE:_files' \
        '(-o --output)-o+[Folder of the run and of the model that it trains]:DIR:_files -/' \
        '(-o --output)--output=[Folder of the run and of the model that it trains]:DIR:_files -/' \
        '--column=[The column of CoNLL-U that holds the labels of tokens]:word:(lemma upos xpos feats head deprel deps misc)' \
        '--locale=[Language whose rules segment labelled texts, such as de or pt-BR]:LOCALE: ' \
        '--test=[Labelled data that the trained model is scored on at the end]:FILE:_files' \
        '--quiet[Show errors and results only]' \
        '--elmo=[Where the mixed layers stand]:word:(none input output both)' \
        '--mix=[How layers are mixed]:MIX: ' \
        '--lambda=[λ‖w‖² is added to the loss where the shares, softmax(w), are learned]:λ: ' \
        '--elmo-dropout=[Share of the mix that is dropped, before --dropout]:RATE: ' \
        '--layer-norm[Bring each layer to mean 0 and variance 1 over the sentence before it is mixed]' \
        '--layers=[biLSTMs one above the other]:N: ' \
        '--hidden=[Units of a direction of a biLSTM]:N: ' \
        '--word-dim=[Numbers of a word'\''s vector, which is trained with the task]:N: ' \
        '--words=[Word vectors to begin with, in the text format of GloVe and word2vec]:FILE:_files' \
        '--char-filters=[Filters of the character CNN]:N: ' \
        '--dropout=[Share of each biLSTM'\''s inputs and outputs that is dropped]:RATE: ' \
        '--batch=[Examples of a step]:N: ' \
        '--learning-rate=[Learning rate of Adam]:RATE: ' \
        '--weight-decay=[Decay of the weights, decoupled from the gradient]:RATE: ' \
        '--gradient-clip=[Longer gradients are shortened to this norm]:NORM: ' \
        '--evaluations=[Evaluations on --dev at most, an epoch apart]:N: ' \
        '--min-steps=[No run ends before this step]:N: ' \
        '--patience=[Evaluations without a better score that end the run]:N: ' \
        '--decay=[What the learning rate is multiplied by where scores do not get better]:FACTOR: ' \
        '--decay-patience=[Evaluations without a better score that lower the rate]:N: ' \
        '--average=[What is evaluated and kept is a moving average of the weights, which decays so much a step]:DECAY: ' \
        '--seed=[Of initial weights, dropout and the order of examples]:N: ' \
        '--seeds=[Train once with each seed, in a folder seed-N of the output each, and tell the scores'\'' mean and standard deviation]:N,N…: ' \
        '--resume[Go on with the run that the folder holds]' \
        '--overwrite[Replace what the folder holds]' \
        '--checkpoint-steps=[Steps between checkpoints]:N: ' \
        '--max-steps=[Stop after so many steps of this process, to be resumed]:N: ' \
        '--json[Print the scores as JSON]' \
        '--plot[Draw losses and scores in curves.svg of the output at every evaluation]' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--features=[Folder of the activations]:DIR:_files -/' \
        '--features-dtype=[Numbers in which computed activations are kept]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' ;;
    task\ predict)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Show errors and results only]' \
        '--format=[Form of the output]:word:(columns conllu jsonl)' \
        '--column=[The column of CoNLL-U that holds the labels of tokens]:word:(lemma upos xpos feats head deprel deps misc)' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '--lines[Each line is one sentence (text, jsonl)]' \
        '--locale=[Language whose rules segment the text, such as de or pt-BR (text, jsonl)]:LOCALE: ' \
        '--strict[Invalid UTF-8 is an error that names the byte]' \
        '--text-field=[Field that holds the text of a record (jsonl)]:NAME: ' \
        '--id-field=[Field that holds the id of a record (jsonl)]:NAME: ' \
        '--skip-bad-records[Leave malformed records out and count them (jsonl)]' \
        '--input-format=[Form of the input]:word:(text tokens jsonl conllu columns)' \
        '1:DIR:_files -/' \
        '*:FILE:_files' ;;
    task\ evaluate)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--quiet[Show errors and results only]' \
        '--column=[The column of CoNLL-U that holds the labels of tokens]:word:(lemma upos xpos feats head deprel deps misc)' \
        '--locale=[Language whose rules segment labelled texts, such as de or pt-BR]:LOCALE: ' \
        '--json[Print JSON, with numbers in full]' \
        '--differences[Print first, for each label that is not the expected one, file and line, the token or the texts, the expected label and the model'\''s]' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '1:DIR:_files -/' \
        '1:FILE:_files' ;;
    task\ compare)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--kind=[What is labelled]:word:(tag classify pair)' \
        '--train=[Labelled data]:FILE:_files' \
        '--dev=[Labelled data that scores are told on]:FILE:_files' \
        '(-o --output)-o+[Folder of the comparison, its tables and its pictures]:DIR:_files -/' \
        '(-o --output)--output=[Folder of the comparison, its tables and its pictures]:DIR:_files -/' \
        '--column=[The column of CoNLL-U that holds the labels of tokens]:word:(lemma upos xpos feats head deprel deps misc)' \
        '--locale=[Language whose rules segment labelled texts, such as de or pt-BR]:LOCALE: ' \
        '--quiet[Show errors and results only]' \
        '--lambda=[λ‖w‖² is added to the loss where the shares, softmax(w), are learned]:λ: ' \
        '--elmo-dropout=[Share of the mix that is dropped, before --dropout]:RATE: ' \
        '--layer-norm[Bring each layer to mean 0 and variance 1 over the sentence before it is mixed]' \
        '--layers=[biLSTMs one above the other]:N: ' \
        '--hidden=[Units of a direction of a biLSTM]:N: ' \
        '--word-dim=[Numbers of a word'\''s vector, which is trained with the task]:N: ' \
        '--words=[Word vectors to begin with, in the text format of GloVe and word2vec]:FILE:_files' \
        '--char-filters=[Filters of the character CNN]:N: ' \
        '--dropout=[Share of each biLSTM'\''s inputs and outputs that is dropped]:RATE: ' \
        '--batch=[Examples of a step]:N: ' \
        '--learning-rate=[Learning rate of Adam]:RATE: ' \
        '--weight-decay=[Decay of the weights, decoupled from the gradient]:RATE: ' \
        '--gradient-clip=[Longer gradients are shortened to this norm]:NORM: ' \
        '--evaluations=[Evaluations on --dev at most, an epoch apart]:N: ' \
        '--min-steps=[No run ends before this step]:N: ' \
        '--patience=[Evaluations without a better score that end the run]:N: ' \
        '--decay=[What the learning rate is multiplied by where scores do not get better]:FACTOR: ' \
        '--decay-patience=[Evaluations without a better score that lower the rate]:N: ' \
        '--average=[What is evaluated and kept is a moving average of the weights, which decays so much a step]:DECAY: ' \
        '--seed=[Of initial weights, dropout and the order of examples]:N: ' \
        '--seeds=[Train each model once with each seed, and tell the scores'\'' mean and standard deviation]:N,N…: ' \
        '--resume[Go on with the run that the folder holds]' \
        '--overwrite[Replace what the folder holds]' \
        '--checkpoint-steps=[Steps between checkpoints]:N: ' \
        '--max-steps=[Stop after so many steps of this process, to be resumed]:N: ' \
        '--json[Print the scores as JSON]' \
        '--plot[Draw losses and scores in curves.svg of the output at every evaluation]' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--features=[Folder of the activations]:DIR:_files -/' \
        '--features-dtype=[Numbers in which computed activations are kept]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' \
        '--settings=[Settings to compare]:NAME,NAME...: ' \
        '--fractions=[Parts of the training examples, drawn by the seed, to train none and input on, too]:F,F...: ' ;;
    probe)
      _arguments -s -S \
        '(-h --help)-h[Print the options of a command with their ranges and defaults, and exit]' \
        '(-h --help)--help[Print the options of a command with their ranges and defaults, and exit]' \
        '--train=[Labelled sentences to learn from]:FILE:_files' \
        '--dev=[Labelled sentences that choose epoch and regularisation]:FILE:_files' \
        '--test=[Labelled sentences that choose nothing]:FILE:_files' \
        '(-o --output)-o+[SVG file for a picture of the accuracies, replacing what is there]:FILE:_files' \
        '(-o --output)--output=[SVG file for a picture of the accuracies, replacing what is there]:FILE:_files' \
        '--json[Print JSON, with numbers in full]' \
        '--quiet[Show errors and results only]' \
        '--column=[Column of CoNLL-U that holds the labels]:NAME: ' \
        '--format=[Format of all labelled files]:word:(columns conllu jsonl)' \
        '--epochs=[Times to go through the training data]:N: ' \
        '--batch-tokens=[Tokens of a step]:tokens: ' \
        '--learning-rate=[Adam'\''s learning rate at first]:RATE: ' \
        '--weight-decay=[Regularisation]:RATE,...: ' \
        '--seed=[Decides the order of the tokens and the bootstrap'\''s samples]:N: ' \
        '--model=[Folder or zip archive that holds options.json and weights.hdf5 (or model.hdf5), NAME_options.json and NAME_weights.hdf5, or a model of ELMoForManyLangs, encoder.pkl and token_embedder.pkl]:PATH:_files' \
        '--options=[Instead of --model, with --weights]:FILE:_files' \
        '--weights=[Instead of --model, with --options]:FILE:_files' \
        '--vocab=[Words that a model without characters reads, one a line]:FILE:_files' \
        '--features=[Folder of the activations]:DIR:_files -/' \
        '--features-dtype=[Numbers in which computed activations are kept]:word:(float32 float16 bfloat16 int8)' \
        '--precision=[Numbers that the biLM multiplies]:word:(float32 bfloat16 int8)' \
        '--threads=[Threads that compute, in all]:N: ' ;;
  esac
}

_elmo "$@"
