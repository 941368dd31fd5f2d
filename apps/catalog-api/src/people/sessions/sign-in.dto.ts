import type { Role } from '@rdc/auth';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { maxPasswordLength } from '../../platform/settings/password-length.js';

/** The longest code of a second factor: a recovery code with its hyphens, and some spaces. */
export const maxCodeLength = 40;

/** The body of `POST /api/session`. */
export class SignIn {
  /** E-mail address of the account, in any case. */
  @IsString()
  @MaxLength(254)
  login!: string;

  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;

  /** A code of the second factor, or a recovery code; needed if the account has a second factor. */
  @IsOptional()
  @IsString()
  @MaxLength(maxCodeLength)
  code?: string;
}

/** The person who is signed in. */
export interface SessionResponse {
  readonly user: {
    readonly id: number;
    /** Their identifier at the identity provider. */
    readonly subject: string | null;
    readonly email: string | null;
    readonly first_name: string;
    readonly last_name: string;
  };
  readonly roles: readonly Role[];
  /** The value that a page sends as `X-CSRF-Token` with each write. */
  readonly csrf: string;
}
