import { applyDecorators, Header } from '@nestjs/common';

/** Marks a response that depends on the caller. Only the client may store the response, and must revalidate it. */
export const PrivateResponse = (): MethodDecorator =>
  applyDecorators(Header('Cache-Control', 'private, no-cache'), Header('Vary', 'X-API-Key, Cookie'));
