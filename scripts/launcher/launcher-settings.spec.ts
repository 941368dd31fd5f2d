import { ForwardingHeaders } from '../gateway/forwarding-headers.ts';
import { readLauncherSettings } from './launcher-settings.ts';

describe(readLauncherSettings.name, () => {
  const proxies = (text: string): readonly string[] =>
    readLauncherSettings({ TRUSTED_PROXIES: text }, '/').trustedProxies;

  it('should read TRUSTED_PROXIES as a list separated by commas', () => {
    expect(proxies(' 10.0.0.0/8, ,::1')).toEqual(['10.0.0.0/8', '::1']);
    expect(proxies('')).toEqual([]);
    expect(() => new ForwardingHeaders('secret', proxies('10.0.0.1 10.0.0.2'))).toThrow('TRUSTED_PROXIES');
  });
});
