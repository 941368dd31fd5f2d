import { parseNumber, Setting } from '@rdc/settings';
import { IsInt, Max, Min } from 'class-validator';

/** The settings of one-time links to set a password. */
export class PasswordLinksSettings {
  @Setting({
    description: 'Hours for which a one-time link to set a password is valid.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(720)
  PASSWORD_LINK_HOURS = 24;
}
