import { Injectable } from '@nestjs/common';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import type { SearchTerms, TermSearchResponse } from './search-terms.dto.js';
import { isTermCategory } from './term.entity.js';
import { TermsRepository } from './terms.repository.js';

/** The number of terms on a page. */
const pageSize = 25;

/** Searches the vocabularies. Every caller may. */
@Injectable()
export class TermsService {
  constructor(private readonly repository: TermsRepository) {}

  /**
   * Returns a page of matching terms.
   *
   * @throws UnknownRecordError if there is no such category
   * @throws InvalidInputError if the page is after the last page
   */
  async search(category: string, { search, page: number }: SearchTerms): Promise<TermSearchResponse> {
    if (!isTermCategory(category)) throw new UnknownRecordError('term category', category);
    const page = Number(number);
    const offset = (page - 1) * pageSize;
    const { results, total } = await this.repository.searchPage(category, search, pageSize, offset);
    const last = Math.max(1, Math.ceil(total / pageSize));
    if (page > last)
      throw new InvalidInputError([{ field: 'page', problem: `must be at most ${String(last)}, the last` }]);
    return { results, pagination: { more: page < last, page, total } };
  }
}
