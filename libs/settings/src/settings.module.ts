import { Module, type DynamicModule } from '@nestjs/common';
import { ConfigModule, registerAs, type ConfigType } from '@nestjs/config';
import { loadSettings, type Environment } from './load-settings.js';

/** Provides the settings object of the application, which is loaded and validated once at start. */
@Module({})
export class SettingsModule {
  /** Loads the settings from the environment. The class is the injection token. */
  static forRoot(settingsClass: new () => object, environment: Environment = process.env): DynamicModule {
    const source = registerAs(settingsClass.name, () => loadSettings(settingsClass, environment));
    return {
      module: SettingsModule,
      global: true,
      imports: [ConfigModule.forRoot({ ignoreEnvFile: true, load: [source] })],
      providers: [
        { provide: settingsClass, useFactory: (value: ConfigType<typeof source>) => value, inject: [source.KEY] },
      ],
      exports: [settingsClass],
    };
  }
}
