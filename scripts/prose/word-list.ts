import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A pattern that prose should not contain, and the replacement. */
export interface Rule {
  readonly pattern: RegExp;
  readonly use: string;
}

/** A rule about the first words of sentences. `anywhere` finds these words in every position, and is fast. */
export interface Openings extends Rule {
  readonly anywhere: RegExp;
}

export interface WordList {
  readonly words: readonly Rule[];
  readonly openings: Openings;
}

interface ListFile {
  readonly words: Readonly<Record<string, string>>;
  readonly openings: { readonly words: readonly string[]; readonly use: string };
}

/** Reads the word list from a YAML file. */
export function readWordList(file: string): WordList {
  const { words, openings } = parse(readFileSync(file, 'utf8')) as ListFile;
  const openingWords = openings.words.join('|');
  return {
    words: Object.entries(words).map(([pattern, use]) => ({ pattern: wholeWords(pattern), use })),
    openings: {
      pattern: atStartOfSentence(openingWords),
      anywhere: new RegExp(
        String.raw`\b(?:${openingWords})\b|@(?:returns|throws)\s.*\b(?:${openingWords.toLowerCase()})\b`,
      ),
      use: openings.use,
    },
  };
}

function wholeWords(source: string): RegExp {
  return new RegExp(String.raw`(?<![\w-])(?:${source.replaceAll(' ', String.raw`\s+`)})(?![\w-])`, 'gi');
}

/** Returns a pattern of first words, and of first words of a tag. A question may begin with each of them. */
function atStartOfSentence(words: string): RegExp {
  const first = String.raw`(?<=^[*_]*|[.!?:]["”)]?\s+)(?:${words})`;
  const inTag = String.raw`(?<=@(?:returns|throws)\s+(?:[A-Z]\w+\s+)?)(?:${words.toLowerCase()})`;
  return new RegExp(String.raw`(?:${first}|${inTag})(?![\w-])(?![^.?!]*\?)`, 'g');
}
