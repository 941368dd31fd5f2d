/** The part of class-transformer that knows which class `@Type` names. The package's own types leave it out. */
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: unknown, property: string): { typeFunction(): unknown } | undefined;
  };
}
