import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { catalogSettings } from '../../app/catalog.settings.js';
import { KeysModule } from './keys.module.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';

describe(KeysModule.name, () => {
  function warningsWith(key: string): unknown[] {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    new KeysModule(
      catalogSettings({ DATABASE_URL: 'postgres://localhost/catalog', GLOBAL_API_KEY: key }).get(HttpSettings),
    ).onModuleInit();
    const said = warn.mock.calls.map(([message]) => message as unknown);
    warn.mockRestore();
    return said;
  }

  it('should warn at start when the global key is missing or short, without logging the key', () => {
    expect(warningsWith('')).toEqual([expect.stringContaining('GLOBAL_API_KEY is not set')]);
    expect(warningsWith('short key')).toEqual(['GLOBAL_API_KEY has 9 characters; use at least 32.']);
  });

  it('should log no warning about a long global key', () => {
    expect(warningsWith('a global key that is long enough to be left alone')).toEqual([]);
  });
});
