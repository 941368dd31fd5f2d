/**
 * Lets a thread that runs from the sources import its modules. Node erases the types of a `.ts` file, but does not
 * resolve `./a.js` to `./a.ts`. The build does not load this module.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
