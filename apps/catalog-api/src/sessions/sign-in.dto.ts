import type { Role } from '@rdc/auth';
import { IsString, MaxLength } from 'class-validator';
import { maxPasswordLength } from './password.js';

/** The body of `POST /api/session`. */
export class SignIn {
  /** E-mail address of the account, in any case. */
  @IsString()
  @MaxLength(254)
  login!: string;

  @IsString()
  @MaxLength(maxPasswordLength)
  password!: string;
}

/** Who is signed in. */
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
  /** What the page sends as `X-CSRF-Token` with each write. */
  readonly csrf: string;
}
