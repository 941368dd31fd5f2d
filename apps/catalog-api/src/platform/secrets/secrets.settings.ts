import { Setting, type Settings } from '@rdc/settings';
import { IsOptional, IsString } from 'class-validator';
import { HttpSettings } from '../settings/http.settings.js';

const developmentSecret = 'development only: set KEY_HASH_SECRET';

/** The settings of the secret that protects keys, links, codes and second factors. */
export class SecretsSettings {
  @Setting({
    description:
      'Secret that protects stored keys, password links, recovery codes and second factors. Required in production. If it ' +
      'changes while `KEY_HASH_SECRET_PREVIOUS` is unset, all these secrets become invalid.',
    defaultText: 'a fixed value, for development only',
    secret: true,
  })
  @IsString()
  KEY_HASH_SECRET = developmentSecret;

  @Setting({
    description:
      'Previous value of `KEY_HASH_SECRET`. While it is set, keys, links, codes and second factors that were created under ' +
      'the previous value remain valid.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  KEY_HASH_SECRET_PREVIOUS?: string;

  /** Whether `KEY_HASH_SECRET` differs from the fixed value for development. */
  get hasKeyHashSecret(): boolean {
    return this.KEY_HASH_SECRET !== developmentSecret;
  }

  check(settings: Settings): string[] {
    const isMissing = settings.get(HttpSettings).isProduction && !this.hasKeyHashSecret;
    return isMissing ? ['KEY_HASH_SECRET must be set in production'] : [];
  }
}
