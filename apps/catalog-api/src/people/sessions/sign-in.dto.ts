import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { roles, type Role } from '@rdc/auth';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { maxPasswordLength } from './password-length.js';

/** The longest code of a second factor: a recovery code with hyphens and some spaces. */
export const maxCodeLength = 40;

/** Declares the code of a second factor as a property that accounts without a second factor omit. */
export function SecondFactorCode(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      maxLength: maxCodeLength,
      description: 'A code of the second factor, or a recovery code. Required if the account has a second factor.',
    }),
    IsOptional(),
    IsString(),
    MaxLength(maxCodeLength),
  );
}

/** The body of `POST /api/session`. */
export class SignIn {
  @ApiProperty({ maxLength: 254, description: 'The e-mail address of the account. Case is ignored.' })
  @IsString()
  @MaxLength(254)
  login!: string;

  @ApiProperty({ maxLength: maxPasswordLength })
  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;

  @SecondFactorCode()
  code?: string;
}

/** The user of a session. */
export class SessionUser {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Identifier at the identity provider.' })
  subject!: string | null;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty()
  first_name!: string;

  @ApiProperty()
  last_name!: string;
}

/** The session of the caller. */
export class SessionResponse {
  @ApiProperty()
  user!: SessionUser;

  @ApiProperty({ enum: roles, isArray: true })
  roles!: readonly Role[];

  @ApiProperty({ description: 'The value of the header `X-CSRF-Token` of each write.' })
  csrf!: string;
}
