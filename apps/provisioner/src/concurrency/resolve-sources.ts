/**
 * Lets a thread that runs from the sources import its modules: Node erases their types, but takes `./a.js` for a file of
 * that name and not for `./a.ts`. The build does not load this module.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
