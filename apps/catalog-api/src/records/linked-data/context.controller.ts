import { Controller, Get, Header } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { context } from './context.js';
import { linkedDataLabel } from './linked-data.js';

/** Serves the JSON-LD context, which every document also contains. */
@Controller('schemas/context.jsonld')
@CallableByAnyone()
export class ContextController {
  @Get()
  @Header('Cache-Control', 'public, max-age=3600')
  @Header('Content-Type', linkedDataLabel)
  get(): object {
    return { '@context': context };
  }
}
