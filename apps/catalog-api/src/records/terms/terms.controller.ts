import { Controller, Get, Header, Param, Query, UseInterceptors } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { EntityTagInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { SearchTerms, type TermSearchResponse } from './search-terms.dto.js';
import { ApiTaggedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { arraySchema, integerSchema, objectSchema, textSchema } from '../../publishing/schemas/response-schemas.js';
import { TermsService } from './terms.service.js';

const termsSchema = objectSchema({
  results: arraySchema(objectSchema({ id: integerSchema, text: textSchema, term_id: textSchema })),
  pagination: objectSchema({ more: { type: 'boolean' }, page: integerSchema, total: integerSchema }),
});

const termsExample = {
  results: [{ id: 41, text: 'Seizure', term_id: 'HP:0001250' }],
  pagination: { more: false, page: 1, total: 1 },
};

/** Searches vocabularies. */
@Controller('api/termsearch')
@CallableByAnyone()
export class TermsController {
  constructor(private readonly service: TermsService) {}

  /** Returns the matching terms of a category, 25 on a page. */
  @Get(':category')
  @ApiTaggedResponse(termsSchema, termsExample)
  @Header('Cache-Control', 'no-cache')
  @UseInterceptors(EntityTagInterceptor)
  search(@Param('category') category: string, @Query() query: SearchTerms): Promise<TermSearchResponse> {
    return this.service.search(category, query);
  }
}
