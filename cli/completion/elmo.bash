# Bash completion for elmo. Made by `make docs` from the options' definitions.

_elmo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= words= kind= word
  if [[ $current == = ]]; then  # bash takes --option=value for three words
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && continue
    command=${command:+$command }$word
    case $command in task) ;; *) break ;; esac
  done

  case "$command $previous" in
    'embed --model' | 'embed --options' | 'embed --weights' | 'embed --vocab' | 'embed --tokenizer' | 'embed --words' | 'embed -o' | 'embed --output' | 'tokenize --model' | 'tokenize --tokenizer' | 'export -o' | 'export --output' | 'perplexity --model' | 'perplexity --tokenizer' | 'surprisal --model' | 'surprisal --tokenizer' | 'substitutes --model' | 'substitutes --tokenizer' | 'neighbors --corpus' | 'neighbors --map' | 'neighbors --labels' | 'neighbors --model' | 'neighbors --options' | 'neighbors --weights' | 'neighbors --vocab' | 'neighbors --tokenizer' | 'senses --train' | 'senses --test' | 'senses --candidates' | 'senses --predict' | 'senses --model' | 'senses --options' | 'senses --weights' | 'senses --vocab' | 'similarity --tokenizer' | 'similarity --model' | 'similarity --options' | 'similarity --weights' | 'similarity --vocab' | 'change --words' | 'probe --train' | 'probe --dev' | 'probe --valid' | 'probe --test' | 'probe -o' | 'probe --output' | 'probe --model' | 'probe --options' | 'probe --weights' | 'probe --vocab' | 'train --options' | 'train --tokenizer' | 'train --vocab' | 'train --valid' | 'train --dev' | 'finetune --model' | 'finetune --tokenizer' | 'finetune --vocab' | 'finetune --valid' | 'finetune --dev' | 'plot -o' | 'plot --output' | 'task train --train' | 'task train --dev' | 'task train --valid' | 'task train --tokenizer' | 'task train --test' | 'task train --words' | 'task train --model' | 'task train --options' | 'task train --weights' | 'task train --vocab' | 'task predict --model' | 'task predict --options' | 'task predict --weights' | 'task predict --vocab' | 'task predict --tokenizer' | 'task evaluate --tokenizer' | 'task evaluate --model' | 'task evaluate --options' | 'task evaluate --weights' | 'task evaluate --vocab' | 'task compare --train' | 'task compare --dev' | 'task compare --valid' | 'task compare --tokenizer' | 'task compare --words' | 'task compare --model' | 'task compare --options' | 'task compare --weights' | 'task compare --vocab' | 'init --options' | 'convert --vocab')
      kind=files ;;
    'embed --mix' | 'mix -o' | 'mix --output' | 'mix --task' | 'export --mix' | 'senses --features' | 'probe --features' | 'train -o' | 'train --output' | 'finetune -o' | 'finetune --output' | 'task train -o' | 'task train --output' | 'task train --features' | 'task compare -o' | 'task compare --output' | 'task compare --features' | 'init -o' | 'init --output' | 'convert -o' | 'convert --output')
      kind=folders ;;
    'embed --locale' | 'embed --text-field' | 'embed --id-field' | 'embed --word-column' | 'embed --parts' | 'embed --part' | 'embed --match' | 'embed --sample' | 'embed --seed' | 'embed --mix-weights' | 'embed --gamma' | 'embed --lanes' | 'embed --max-sentence-tokens' | 'embed --min-count' | 'embed --shard-size' | 'embed --threads' | 'embed --workers' | 'embed --memory' | 'embed --batch-tokens' | 'tokenize --locale' | 'tokenize --text-field' | 'tokenize --id-field' | 'tokenize --word-column' | 'mix --weights' | 'mix --gamma' | 'export --mix-weights' | 'export --gamma' | 'perplexity --lanes' | 'perplexity --threads' | 'perplexity --locale' | 'perplexity --text-field' | 'perplexity --id-field' | 'perplexity --word-column' | 'surprisal --lanes' | 'surprisal --threads' | 'surprisal --locale' | 'surprisal --text-field' | 'surprisal --id-field' | 'surprisal --word-column' | 'surprisal --good' | 'surprisal --bad' | 'surprisal --by' | 'substitutes -k' | 'substitutes --count' | 'substitutes --threads' | 'substitutes --locale' | 'neighbors -k' | 'neighbors --count' | 'neighbors --layer' | 'neighbors --threads' | 'neighbors --clusters' | 'neighbors --sample' | 'neighbors --seed' | 'neighbors --column' | 'neighbors --locale' | 'neighbors --text-field' | 'neighbors --id-field' | 'neighbors --word-column' | 'senses --layer' | 'senses --prior' | 'senses --threads' | 'similarity --locale' | 'similarity --threads' | 'change --layer' | 'probe --column' | 'probe --epochs' | 'probe --batch-tokens' | 'probe --learning-rate' | 'probe --weight-decay' | 'probe --seed' | 'probe --width' | 'probe --font-size' | 'probe --threads' | 'train --locale' | 'train --text-field' | 'train --id-field' | 'train --word-column' | 'train --min-count' | 'train --max-vocab' | 'train --epochs' | 'train --steps' | 'train --batch' | 'train --unroll' | 'train --samples' | 'train --dropout' | 'train --learning-rate' | 'train --weight-decay' | 'train --warmup-steps' | 'train --gradient-clip' | 'train --seed' | 'train --threads' | 'train --valid-every' | 'train --valid-tokens' | 'train --checkpoint-every' | 'train --keep' | 'train --max-steps' | 'train --max-minutes' | 'finetune --locale' | 'finetune --text-field' | 'finetune --id-field' | 'finetune --word-column' | 'finetune --min-count' | 'finetune --max-vocab' | 'finetune --epochs' | 'finetune --steps' | 'finetune --batch' | 'finetune --unroll' | 'finetune --samples' | 'finetune --dropout' | 'finetune --learning-rate' | 'finetune --weight-decay' | 'finetune --warmup-steps' | 'finetune --gradient-clip' | 'finetune --seed' | 'finetune --threads' | 'finetune --softmax-steps' | 'finetune --valid-every' | 'finetune --valid-tokens' | 'finetune --checkpoint-every' | 'finetune --keep' | 'finetune --max-steps' | 'finetune --max-minutes' | 'plot --width' | 'plot --font-size' | 'task train --column' | 'task train --text-column' | 'task train --label-column' | 'task train --locale' | 'task train --mix' | 'task train --lambda' | 'task train --elmo-dropout' | 'task train --layers' | 'task train --hidden' | 'task train --word-dim' | 'task train --char-filters' | 'task train --dropout' | 'task train --batch' | 'task train --learning-rate' | 'task train --weight-decay' | 'task train --gradient-clip' | 'task train --evaluations' | 'task train --min-steps' | 'task train --patience' | 'task train --decay' | 'task train --decay-patience' | 'task train --average' | 'task train --seed' | 'task train --seeds' | 'task train --checkpoint-steps' | 'task train --max-steps' | 'task train --threads' | 'task predict --column' | 'task predict --text-column' | 'task predict --threads' | 'task predict --locale' | 'task predict --text-field' | 'task predict --id-field' | 'task evaluate --column' | 'task evaluate --text-column' | 'task evaluate --label-column' | 'task evaluate --locale' | 'task evaluate --threads' | 'task compare --column' | 'task compare --text-column' | 'task compare --label-column' | 'task compare --locale' | 'task compare --lambda' | 'task compare --elmo-dropout' | 'task compare --layers' | 'task compare --hidden' | 'task compare --word-dim' | 'task compare --char-filters' | 'task compare --dropout' | 'task compare --batch' | 'task compare --learning-rate' | 'task compare --weight-decay' | 'task compare --gradient-clip' | 'task compare --evaluations' | 'task compare --min-steps' | 'task compare --patience' | 'task compare --decay' | 'task compare --decay-patience' | 'task compare --average' | 'task compare --seed' | 'task compare --seeds' | 'task compare --checkpoint-steps' | 'task compare --max-steps' | 'task compare --threads' | 'task compare --settings' | 'task compare --fractions' | 'task compare --width' | 'task compare --font-size' | 'init --seed')
      words= ;;
    'surprisal --base')
      words='2 e 10' ;;
    'train --optimizer' | 'finetune --optimizer')
      words='adam adagrad' ;;
    'embed --layers' | 'export --layers')
      words='all top average mix' ;;
    'senses --by')
      words='average exemplar' ;;
    'task predict --format')
      words='columns conllu jsonl squad' ;;
    'probe --format')
      words='columns conllu jsonl' ;;
    'train --decay' | 'finetune --decay')
      words='cosine linear none' ;;
    'task train --preset' | 'task compare --preset')
      words='default paper' ;;
    'task train --label-weights' | 'task compare --label-weights')
      words='equal dev' ;;
    'embed --precision' | 'perplexity --precision' | 'surprisal --precision' | 'substitutes --precision' | 'neighbors --precision' | 'senses --precision' | 'similarity --precision' | 'probe --precision' | 'task train --precision' | 'task predict --precision' | 'task evaluate --precision' | 'task compare --precision')
      words='float32 bfloat16 int8' ;;
    'train --precision' | 'finetune --precision')
      words='float32 bfloat16' ;;
    'embed --dtype' | 'mix --dtype' | 'export --dtype' | 'senses --features-dtype' | 'probe --features-dtype' | 'task train --features-dtype' | 'task compare --features-dtype')
      words='float32 float16 bfloat16 int8' ;;
    'train --dtype' | 'finetune --dtype' | 'convert --dtype')
      words='float32 float16' ;;
    'embed --place' | 'mix --place' | 'export --place')
      words='input output' ;;
    'embed --format')
      words='jsonl npy arrow word2vec-text word2vec-binary words-arrow' ;;
    'export --format')
      words='jsonl npy safetensors arrow' ;;
    'substitutes --format' | 'neighbors --format')
      words='jsonl table' ;;
    'embed --contractions' | 'tokenize --contractions' | 'perplexity --contractions' | 'surprisal --contractions' | 'substitutes --contractions' | 'neighbors --contractions' | 'similarity --contractions' | 'train --contractions' | 'finetune --contractions' | 'task train --contractions' | 'task predict --contractions' | 'task evaluate --contractions' | 'task compare --contractions')
      words='keep expand' ;;
    'embed --pool')
      words='mean max first-last' ;;
    'embed --compression' | 'mix --compression')
      words='none gzip zstd' ;;
    'task train --elmo')
      words='none input output both' ;;
    'embed --normalize' | 'tokenize --normalize' | 'perplexity --normalize' | 'surprisal --normalize' | 'substitutes --normalize' | 'neighbors --normalize' | 'similarity --normalize' | 'train --normalize' | 'finetune --normalize' | 'task train --normalize' | 'task predict --normalize' | 'task evaluate --normalize' | 'task compare --normalize')
      words='none nfc nfkc' ;;
    'embed --pool-by')
      words='sentence document' ;;
    'embed --layout')
      words='shards allennlp' ;;
    'task train --kind' | 'task compare --kind')
      words='tag classify pair qa srl coref' ;;
    'task predict --input-format')
      words='text tokens jsonl conllu columns' ;;
    'embed --input-format' | 'tokenize --input-format' | 'perplexity --input-format' | 'surprisal --input-format' | 'neighbors --input-format' | 'train --input-format' | 'finetune --input-format')
      words='text tokens jsonl conllu vertical fasta' ;;
    'substitutes --input-format')
      words='text tokens jsonl' ;;
    'similarity --input-format')
      words='text tokens' ;;
    'train --preset' | 'init --preset')
      words='tiny small medium original' ;;
    'tokenize --format')
      words='tokens jsonl conllu' ;;
    'surprisal --format' | 'similarity --format' | 'change --format')
      words='tsv jsonl' ;;
    'train --initial-state' | 'finetune --initial-state')
      words='zero carry' ;;
    'embed --initial-state' | 'perplexity --initial-state' | 'surprisal --initial-state')
      words='zero warm carry' ;;
    *)
      if [[ -z $command && $current == -* ]]; then
        words='--help --version'
      elif [[ -z $command ]]; then
        words='embed tokenize mix export merge verify perplexity surprisal substitutes neighbors senses similarity change probe train finetune plot task info init convert'
      elif [[ $command == task && $current != -* ]]; then
        words='train predict evaluate compare'
      elif [[ $current == -* ]]; then
        case $command in
          'embed') words='--help --version --dry-run --json --quiet --model --options --weights --vocab --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column --parts --part --words --match --ignore-case --sample --seed --layers --mix-weights --mix --place --gamma --layer-norm --boundaries --initial-state --lanes --max-sentence-tokens --pool --pool-by --unit-length --average-words --min-count --output --format --layout --dtype --compression --shard-size --forget-sentences --resume --overwrite --precision --threads --workers --memory --batch-tokens' ;;
          'tokenize') words='--help --version --model --format --quiet --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column' ;;
          'mix') words='--help --version --output --weights --task --place --gamma --layer-norm --dtype --compression --resume --overwrite --quiet' ;;
          'export') words='--help --version --format --output --dtype --overwrite --quiet --layers --mix-weights --mix --place --gamma --layer-norm' ;;
          'merge') words='--help --version --quiet' ;;
          'verify') words='--help --version --quiet' ;;
          'perplexity') words='--help --version --json --initial-state --lanes --precision --threads --quiet --model --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column' ;;
          'surprisal') words='--help --version --base --boundaries --by-sentence --format --initial-state --lanes --precision --threads --quiet --model --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column --pairs --good --bad --by' ;;
          'substitutes') words='--help --version --count --all --format --precision --threads --model --input-format --tokenizer --locale --contractions --normalize' ;;
          'neighbors') words='--help --version --corpus --count --layer --same-word --other-words --format --precision --threads --quiet --map --clusters --sample --seed --labels --column --model --options --weights --vocab --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column' ;;
          'senses') words='--help --version --train --test --candidates --predict --layer --by --prior --json --quiet --model --options --weights --vocab --features --features-dtype --precision --threads' ;;
          'similarity') words='--help --version --input-format --tokenizer --locale --contractions --normalize --format --precision --threads --quiet --model --options --weights --vocab' ;;
          'change') words='--help --version --words --ignore-case --layer --format --quiet' ;;
          'probe') words='--help --version --train --dev --valid --test --output --json --quiet --column --format --epochs --batch-tokens --learning-rate --weight-decay --seed --width --font-size --model --options --weights --vocab --features --features-dtype --precision --threads' ;;
          'train') words='--help --version --preset --options --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column --vocab --min-count --max-vocab --epochs --steps --initial-state --batch --unroll --samples --dropout --optimizer --learning-rate --weight-decay --decay --warmup-steps --gradient-clip --seed --precision --threads --output --valid --dev --valid-every --valid-tokens --checkpoint-every --keep --max-steps --max-minutes --resume --overwrite --dtype --plot --dry-run --json --quiet' ;;
          'finetune') words='--help --version --model --new-vocab --input-format --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --word-column --vocab --min-count --max-vocab --epochs --steps --initial-state --batch --unroll --samples --dropout --optimizer --learning-rate --weight-decay --decay --warmup-steps --gradient-clip --seed --precision --threads --softmax-steps --output --valid --dev --valid-every --valid-tokens --checkpoint-every --keep --max-steps --max-minutes --resume --overwrite --dtype --plot --dry-run --json --quiet' ;;
          'plot') words='--help --version --output --quiet --width --font-size' ;;
          'task train') words='--help --version --kind --preset --train --dev --valid --output --column --text-column --label-column --tokenizer --locale --contractions --normalize --skip-unanswerable --test --quiet --elmo --mix --lambda --elmo-dropout --layer-norm --layers --hidden --word-dim --words --train-words --char-filters --dropout --batch --learning-rate --weight-decay --label-weights --gradient-clip --evaluations --min-steps --patience --decay --decay-patience --average --seed --seeds --resume --overwrite --checkpoint-steps --max-steps --json --plot --dry-run --model --options --weights --vocab --features --features-dtype --precision --threads' ;;
          'task predict') words='--help --version --quiet --format --column --text-column --model --options --weights --vocab --precision --threads --lines --tokenizer --locale --contractions --normalize --strict --text-field --id-field --skip-bad-records --input-format' ;;
          'task evaluate') words='--help --version --quiet --column --text-column --label-column --tokenizer --locale --contractions --normalize --skip-unanswerable --json --differences --model --options --weights --vocab --precision --threads' ;;
          'task compare') words='--help --version --kind --preset --train --dev --valid --output --column --text-column --label-column --tokenizer --locale --contractions --normalize --skip-unanswerable --quiet --lambda --elmo-dropout --layer-norm --layers --hidden --word-dim --words --train-words --char-filters --dropout --batch --learning-rate --weight-decay --label-weights --gradient-clip --evaluations --min-steps --patience --decay --decay-patience --average --seed --seeds --resume --overwrite --checkpoint-steps --max-steps --json --model --options --weights --vocab --features --features-dtype --precision --threads --settings --fractions --width --font-size' ;;
          'info') words='--help --version --check --json' ;;
          'init') words='--help --version --preset --options --seed --output --overwrite --quiet' ;;
          'convert') words='--help --version --vocab --output --dtype --overwrite --quiet' ;;
        esac
      else
        case $command in
          'embed') kind=files ;;
          'tokenize') kind=files ;;
          'mix') kind=folders ;;
          'export') kind=folders ;;
          'merge') kind=folders ;;
          'verify') kind=folders ;;
          'perplexity') kind=files ;;
          'surprisal') kind=files ;;
          'substitutes') words= ;;
          'neighbors') words= ;;
          'similarity') kind=files ;;
          'change') words= ;;
          'train') kind=files ;;
          'finetune') kind=files ;;
          'plot') kind=folders ;;
          'task predict') kind=files ;;
          'task evaluate') kind=files ;;
          'info') kind=files ;;
          'convert') kind=files ;;
        esac
      fi ;;
  esac

  COMPREPLY=()
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ $kind == files ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif [[ $kind == folders ]]; then
    compopt -o filenames 2> /dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  fi
}

complete -F _elmo elmo
