import { Injectable } from '@nestjs/common';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import type { SearchTerms, TermSearchResponse } from './search-terms.dto.js';
import { isTermCategory } from './term.entity.js';
import { TermsRepository } from './terms.repository.js';

/** Terms on one page. */
const pageSize = 25;

/** Searching the vocabularies. Anyone may. */
@Injectable()
export class TermsService {
  constructor(private readonly repository: TermsRepository) {}

  /**
   * @throws UnknownRecordError when there is no such category
   * @throws InvalidInputError when the page is past the last
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
