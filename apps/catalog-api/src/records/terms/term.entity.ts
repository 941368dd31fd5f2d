import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Row, Words } from '../../platform/database/record.entity.js';

/** The four vocabularies. */
export const termCategories = ['disease', 'phenotype', 'study', 'gene'] as const;

/** One of the four vocabularies. */
export type TermCategory = (typeof termCategories)[number];

/** Whether a text names one of the four vocabularies. */
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

  /** Its identifier in the ontology, e.g. `HP:0001250`. */
  @Column({ type: 'varchar', length: 200 })
  termId!: string;

  @Column({ type: 'varchar', length: 1000 })
  label!: string;

  @Words()
  synonyms!: string[];

  /** All that it is found by, in the form in which text is compared, each between line breaks. Kept by a trigger. */
  @Column({ type: 'text', default: '' })
  entries!: string;

  /** An obsolete term stays, so that what refers to it keeps its meaning, but is never found. */
  @Column({ type: 'boolean', default: false })
  obsolete!: boolean;
}
