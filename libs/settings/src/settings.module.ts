import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule, registerAs } from '@nestjs/config';
import { loadSettings, type Environment, type Settings, type SettingsClass } from './load-settings.js';

/** Provides the settings objects of the application, which are loaded and validated together once at start. */
@Module({})
export class SettingsModule {
  /** Loads the settings from the environment. Each class is the injection token of its object. */
  static forRoot(classes: readonly SettingsClass[], environment: Environment = process.env): DynamicModule {
    let loaded: Settings | undefined;
    const load = (): Settings => (loaded ??= loadSettings(classes, environment));
    const sources = classes.map((each) => registerAs(each.name, () => load().get(each)));
    return {
      module: SettingsModule,
      global: true,
      imports: [ConfigModule.forRoot({ ignoreEnvFile: true, load: sources })],
      providers: sources.map(({ KEY }, index) => ({ provide: classes[index] ?? KEY, useExisting: KEY })),
      exports: [...classes],
    };
  }
}
