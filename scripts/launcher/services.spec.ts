import { readFileSync } from 'node:fs';
import { DataFolder } from './data-folder.ts';
import { provisionerV8Options, serviceEnvironment, type ServiceDefaults } from './services.ts';

describe(serviceEnvironment, () => {
  const environment = (own: Readonly<Record<string, string>>): NodeJS.ProcessEnv =>
    serviceEnvironment(own, {} as ServiceDefaults, new DataFolder('/data'), 'secret');

  it("should limit malloc to as many arenas as the provisioner's image", () => {
    expect(environment({})['MALLOC_ARENA_MAX']).toBe('2');
  });

  it('should keep a setting of the environment unless it is blank', () => {
    expect(environment({ MALLOC_ARENA_MAX: '4' })['MALLOC_ARENA_MAX']).toBe('4');
    expect(environment({ MALLOC_ARENA_MAX: ' ' })['MALLOC_ARENA_MAX']).toBe('2');
  });
});

describe('provisionerV8Options', () => {
  it("should be the options in the provisioner's image", () => {
    const dockerfile = readFileSync(new URL('../../apps/provisioner/Dockerfile', import.meta.url), 'utf8');
    const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(entrypoint)).toEqual(['node', ...provisionerV8Options]);
  });
});
