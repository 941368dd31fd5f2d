import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Row, Words } from '../../platform/database/record.entity.js';

/** The four vocabularies. */
export const termCategories = ['disease', 'phenotype', 'study', 'gene'] as const;

/** One of the four vocabularies. */
export type TermCategory = (typeof termCategories)[number];

/** Whether a text is the name of a vocabulary. */
export function isTermCategory(text: string): text is TermCategory {
  return (termCategories as readonly string[]).includes(text);
}

/** A term of an ontology. */
@Entity('terms')
@Unique(['category', 'termId'])
@Check('terms_category_check', `category IN ('${termCategories.join("', '")}')`)
@Index('terms_search_idx', { synchronize: false }) // trigrams of the entries
export class Term extends Row {
  @Column({ type: 'varchar', length: 20 })
  category!: TermCategory;

  /** The identifier of the term in its ontology, e.g. `HP:0001250`. */
  @Column({ type: 'varchar', length: 200 })
  termId!: string;

  @Column({ type: 'varchar', length: 1000 })
  label!: string;

  @Words()
  synonyms!: string[];

  /** The searchable texts of the term, normalised and separated by line breaks. A trigger maintains this column. */
  @Column({ type: 'text', default: '' })
  entries!: string;

  /** Whether the term is obsolete. An obsolete term stays for existing references, but no search returns it. */
  @Column({ type: 'boolean', default: false })
  obsolete!: boolean;
}
