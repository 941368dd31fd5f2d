import { Injectable } from '@nestjs/common';
import { InvalidInputError } from '@rdc/errors';
import { PasswordRules, type PasswordOwner } from './password-rules.js';
import { hashPassword } from './password.js';
import { LoginThrottle } from './login-throttle.js';

/** Checks and hashes passwords that people choose. */
@Injectable()
export class NewPasswords {
  private readonly rules = new PasswordRules();

  constructor(private readonly throttle: LoginThrottle) {}

  /** Checks a new password. @throws InvalidInputError for `field` if the password is not accepted */
  check(field: string, password: string, owner: PasswordOwner): void {
    const problem = this.rules.problemOf(password, owner);
    if (problem !== null) throw new InvalidInputError([{ field, problem }]);
  }

  /** Hashes a checked password. Concurrency is limited, because each hash needs 32 MiB. */
  hash(password: string): Promise<string> {
    return this.throttle.run(() => hashPassword(password));
  }
}
