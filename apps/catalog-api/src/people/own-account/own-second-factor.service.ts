import { Injectable } from '@nestjs/common';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import type { PasswordHolder } from '../sessions/passwords.repository.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import type {
  ConfirmSecondFactor,
  NewSecondFactor,
  PasswordProof,
  NewRecoveryCodes,
  SecondFactorState,
} from './own-account.dto.js';
import { Reauthentication } from './reauthentication.js';

/** Manages the caller's own second factor. Each change needs the password, and a code if the factor is on. */
@Injectable()
export class OwnSecondFactorService {
  constructor(
    private readonly reauthentication: Reauthentication,
    private readonly factors: SecondFactors,
  ) {}

  async get(request: RequestOrigin): Promise<SecondFactorState> {
    const { id } = await this.reauthentication.accountOf(request.caller);
    const factor = await this.factors.find(id);
    if (!factor) return { state: 'off', recovery_codes: 0 };
    return { state: factor.isConfirmed ? 'on' : 'unconfirmed', recovery_codes: factor.recoveryCodes };
  }

  /** Creates a secret, which a code has to confirm. @throws SecondFactorStateError if the factor is on */
  async begin(proof: PasswordProof, request: RequestOrigin): Promise<NewSecondFactor> {
    const { id, email } = await this.prove(proof, request);
    return this.factors.begin(id, email ?? `user ${String(id)}`);
  }

  /**
   * Turns the factor on.
   *
   * @throws SecondFactorError if the code is wrong
   * @throws SecondFactorStateError if there is no unconfirmed factor
   */
  async confirm({ code }: ConfirmSecondFactor, request: RequestOrigin): Promise<NewRecoveryCodes> {
    const { id } = await this.reauthentication.accountOf(request.caller);
    return { recovery_codes: await this.factors.confirm(id, code, actorOf(request.caller)) };
  }

  /** Replaces the recovery codes. @throws SecondFactorStateError if the factor is not on */
  async renewRecoveryCodes(proof: PasswordProof, request: RequestOrigin): Promise<NewRecoveryCodes> {
    const { id } = await this.prove(proof, request);
    return { recovery_codes: await this.factors.renewRecoveryCodes(id, actorOf(request.caller)) };
  }

  /** Removes the factor. */
  async remove(proof: PasswordProof, request: RequestOrigin): Promise<void> {
    const { id } = await this.prove(proof, request);
    await this.factors.remove(id, actorOf(request.caller));
  }

  private async prove(proof: PasswordProof, request: RequestOrigin): Promise<PasswordHolder> {
    const account = await this.reauthentication.accountOf(request.caller);
    await this.reauthentication.prove(account, proof, request.address);
    return account;
  }
}
