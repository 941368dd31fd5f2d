import { IsBoolean, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { type InvalidSettingsError, loadSettings, Settings, type SettingsClass } from './load-settings.js';
import { parseBoolean, parseList, parseNumber } from './parsers.js';
import { Setting, settingsOf } from './setting.decorator.js';

class ExampleSettings {
  @Setting({ description: 'Port to listen on.', parse: parseNumber })
  @IsInt()
  @Min(1)
  @Max(65535)
  PORT = 3000;

  @Setting({ description: 'Whether the webhook is on.', parse: parseBoolean })
  @IsBoolean()
  ENABLED = false;

  @Setting({ description: 'Who may call.', parse: parseList })
  ALLOWED: string[] = [];

  @Setting({ description: 'A key.', secret: true })
  @IsOptional()
  @Matches(/^[a-z]+$/, { message: 'KEY must be lower-case letters' })
  KEY?: string;

  check(): string[] {
    return this.ENABLED && this.ALLOWED.length === 0 ? ['ALLOWED must not be empty when ENABLED'] : [];
  }
}

describe(loadSettings.name, () => {
  it('should use the default of a setting when its text is missing or empty', () => {
    const settings = loadExample({ PORT: '8080', ENABLED: 'TRUE', ALLOWED: ' a, ,b ', KEY: ' ' });
    expect(settings).toEqual({ PORT: 8080, ENABLED: true, ALLOWED: ['a', 'b'], KEY: undefined });
    expect(loadExample({ PORT: '' }).PORT).toBe(3000);
  });

  it('should report all problems with their values, but no secret', () => {
    const problems = problemsOf({ PORT: '0x', ENABLED: 'yes', KEY: 'SECRET-VALUE' });
    expect(problems).toContain('PORT must be an integer number (it is "0x")');
    expect(problems).toContain('ENABLED must be a boolean value (it is "yes")');
    expect(problems).toContain('KEY must be lower-case letters');
    expect(problems.join()).not.toContain('SECRET-VALUE');
  });

  it('should report rules between settings', () => {
    expect(problemsOf({ ENABLED: 'true' })).toEqual(['ALLOWED must not be empty when ENABLED']);
  });

  it('should return an object that cannot be changed', () => {
    expect(() => {
      loadExample({}).PORT = 1;
    }).toThrow(TypeError);
  });
});

describe(Settings.name, () => {
  class OtherSettings {
    @Setting({ description: 'A name.' })
    @Matches(/^a/, { message: 'NAME must begin with a' })
    NAME = 'a';

    check(settings: Settings): string[] {
      return settings.get(ExampleSettings).ENABLED ? ['NAME must not be used when ENABLED'] : [];
    }
  }

  it('should return the object of each class', () => {
    const settings = loadSettings([ExampleSettings, OtherSettings], { PORT: '8080', NAME: 'ada' });
    expect([settings.get(ExampleSettings).PORT, settings.get(OtherSettings).NAME]).toEqual([8080, 'ada']);
  });

  it('should report the problems of all classes together when several are invalid', () => {
    expect(problemsOf({ ENABLED: 'true', KEY: 'A', NAME: 'b' }, [ExampleSettings, OtherSettings])).toEqual([
      'KEY must be lower-case letters',
      'NAME must begin with a (it is "b")',
      'ALLOWED must not be empty when ENABLED',
      'NAME must not be used when ENABLED',
    ]);
  });

  it('should throw when the class is not loaded', () => {
    expect(() => loadSettings([ExampleSettings], {}).get(OtherSettings)).toThrow('OtherSettings');
  });
});

describe(settingsOf.name, () => {
  it('should list the settings of a class in the order of their declaration', () => {
    expect(settingsOf(ExampleSettings).map(({ name, secret = false }) => [name, secret])).toEqual([
      ['PORT', false],
      ['ENABLED', false],
      ['ALLOWED', false],
      ['KEY', true],
    ]);
  });
});

function problemsOf(
  environment: Record<string, string>,
  classes: readonly SettingsClass[] = [ExampleSettings],
): readonly string[] {
  try {
    loadSettings(classes, environment);
  } catch (error) {
    return (error as InvalidSettingsError).problems;
  }
  throw new Error('these settings were accepted');
}

function loadExample(environment: Record<string, string>): ExampleSettings {
  return loadSettings([ExampleSettings], environment).get(ExampleSettings);
}
