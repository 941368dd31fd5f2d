const stems = ['card', 'neur', 'oste', 'hepat', 'derm', 'gastr', 'nephr', 'my', 'angi', 'arthr', 'encephal', 'cyt'];
const middles = ['io', 'o', 'al', 'ic', 'omo', 'ato', 'eno', 'ino', 'opto', 'ulo', 'ermo', 'ato'];
const endings = ['pathy', 'itis', 'megaly', 'genesis', 'plasia', 'penia', 'trophy', 'sclerosis', 'algia', 'ase', 'in'];

/** Search texts as people type them: three or more letters, frequent, rare or without a match. */
export const termQueries = [
  ...['neu', 'cardio', 'osteo', 'pathy', 'hepatoitis', 'gene%2074', 'scler', 'TERM:0001234', 'type%2012'],
  ...['derm', 'angi', 'encephal', 'opto', 'megaly', 'arthralgia', 'nothing%20like%20it', 'cyto', 'nephritis'],
];

/** Fills the vocabulary of genes with as many labels as all real vocabularies together, each with a synonym. */
export function manyTerms(count: number): string {
  const list = (words: readonly string[]): string => `ARRAY['${words.join("','")}']`;
  const word = (words: readonly string[], of: string): string =>
    `(${list(words)})[1 + (${of})::integer % ${String(words.length)}]`;
  return `
    INSERT INTO terms (category, term_id, label, synonyms)
    SELECT 'gene', 'TERM:' || lpad(n::text, 7, '0'),
           ${word(stems, 'n')} || ${word(middles, 'n / 7')} || ${word(endings, 'n / 13')} || ' type ' || n % 997,
           ARRAY['gene ' || n || ' ' || ${word(stems, 'n / 3')} || ${word(endings, 'n')}]
      FROM generate_series(1, ${String(count)}) AS n;
    ANALYZE terms`;
}
