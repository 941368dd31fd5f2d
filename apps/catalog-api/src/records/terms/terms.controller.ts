import { Controller, Get, Header, Param, Query, UseInterceptors } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { TaggedInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { SearchTerms, type TermSearchResponse } from './search-terms.dto.js';
import { TermsService } from './terms.service.js';

/** Term search (catalog interface, section 5). */
@Controller('api/termsearch')
@CallableByAnyone()
export class TermsController {
  constructor(private readonly service: TermsService) {}

  /** Terms of a category that match, 25 a page. */
  @Get(':category')
  @Header('Cache-Control', 'no-cache')
  @UseInterceptors(TaggedInterceptor)
  search(@Param('category') category: string, @Query() query: SearchTerms): Promise<TermSearchResponse> {
    return this.service.search(category, query);
  }
}
