import { Controller, Get, Header, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CallableByAnyone } from '@rdc/auth';
import { EntityTagInterceptor } from '../../publishing/documents/entity-tag.interceptor.js';
import { SearchTerms, TermSearchResponse } from './search-terms.dto.js';
import { ApiTaggedResponse } from '../../publishing/schemas/read-responses.decorator.js';
import { TermsService } from './terms.service.js';

/** Searches vocabularies. */
@Controller('api/termsearch')
@CallableByAnyone()
@ApiTags('terms')
export class TermsController {
  constructor(private readonly service: TermsService) {}

  @Get(':category')
  @ApiOperation({
    operationId: 'searchTerms',
    summary: 'Search the terms of a category, 25 on a page',
    description: 'No key is required. `page` is required and begins with 1.',
  })
  @ApiTaggedResponse(TermSearchResponse)
  @Header('Cache-Control', 'no-cache')
  @UseInterceptors(EntityTagInterceptor)
  search(@Param('category') category: string, @Query() query: SearchTerms): Promise<TermSearchResponse> {
    return this.service.search(category, query);
  }
}
