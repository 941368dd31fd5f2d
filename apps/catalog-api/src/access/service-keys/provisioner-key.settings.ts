import { isServiceKey, serviceKeyPrefix, serviceKeyRandomLength } from '@rdc/auth';
import { Setting } from '@rdc/settings';
import { IsOptional, ValidateBy } from 'class-validator';

/** The settings of the service key of the provisioner. */
export class ProvisionerKeySettings {
  @Setting({
    description:
      'Service key of the provisioner: `rdcs_` followed by 48 letters and digits. At start, the catalog registers the ' +
      'key with the scopes `storages:write` and `introspection`. Set `CATALOG_API_KEY` of the provisioner to the same ' +
      'value. If the value changes, the previous key remains valid for one hour.',
    secret: true,
  })
  @IsOptional()
  @ValidateBy({
    name: 'isServiceKey',
    validator: {
      validate: (value) => typeof value === 'string' && isServiceKey(value),
      defaultMessage: () =>
        `PROVISIONER_API_KEY must be ${serviceKeyPrefix} followed by ${String(serviceKeyRandomLength)} letters and digits`,
    },
  })
  PROVISIONER_API_KEY?: string;
}
