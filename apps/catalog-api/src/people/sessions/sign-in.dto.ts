import type { Role } from '@rdc/auth';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { maxPasswordLength } from './password-length.js';

/** The longest code of a second factor: a recovery code with hyphens and some spaces. */
export const maxCodeLength = 40;

/** The body of `POST /api/session`. */
export class SignIn {
  /** The e-mail address of the account; case is ignored. */
  @IsString()
  @MaxLength(254)
  login!: string;

  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;

  /** A code of the second factor, or a recovery code. Required if the account has a second factor. */
  @IsOptional()
  @IsString()
  @MaxLength(maxCodeLength)
  code?: string;
}

/** The person who is signed in. */
export interface SessionResponse {
  readonly user: {
    readonly id: number;
    /** The identifier at the identity provider. */
    readonly subject: string | null;
    readonly email: string | null;
    readonly first_name: string;
    readonly last_name: string;
  };
  readonly roles: readonly Role[];
  /** The value of the header `X-CSRF-Token` that a page sends with each write. */
  readonly csrf: string;
}
