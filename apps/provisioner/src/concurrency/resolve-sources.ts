/**
 * Lets a thread that runs from the TypeScript sources import its modules. Node erases types, but does not resolve `./a.js`
 * to `./a.ts`. The build does not load this module.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
