import { texts } from '../texts/texts.ts';

const { refusals } = texts.session;
const mark = /^#sign-in=(\w+)$/;

/** The reason why the sign-in at the identity provider was refused, or undefined if no sign-in was refused. */
export const refusal: string | undefined = takeRefusal();

/** Reads the reason from the address, where catalog-api left its code, and removes the code from the address. */
function takeRefusal(): string | undefined {
  const [, reason] = mark.exec(location.hash) ?? [];
  if (reason === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return (refusals as Readonly<Record<string, string>>)[reason] ?? refusals.answer;
}
