import { applyDecorators, Header } from '@nestjs/common';

/** For answers that depend on who asks: only the caller may keep them, and asks again before they are used. */
export const PrivateAnswer = (): MethodDecorator =>
  applyDecorators(Header('Cache-Control', 'private, no-cache'), Header('Vary', 'X-API-Key, Cookie'));
