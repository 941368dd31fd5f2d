import { ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import type { statusByCode } from '@rdc/errors';

/** Documents a status of an operation, and the error codes that its response can have. */
export const ApiErrors = (
  status: number,
  description: string,
  ...codes: readonly (keyof typeof statusByCode)[]
): MethodDecorator & ClassDecorator =>
  ApiResponse({ status, description, 'x-error-codes': codes } as unknown as ApiResponseOptions);
