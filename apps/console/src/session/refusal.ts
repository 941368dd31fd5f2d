import { texts } from '../texts/texts.ts';

const { refusals } = texts.session;
const mark = /^#sign-in=(\w+)$/;

/** Why a sign-in at the identity provider came to nothing just now; undefined when there was none. */
export const refusal: string | undefined = takeRefusal();

/** Reads it out of the address, where catalog-api left it, and takes it away there. */
function takeRefusal(): string | undefined {
  const [, reason] = mark.exec(location.hash) ?? [];
  if (reason === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return (refusals as Readonly<Record<string, string>>)[reason] ?? refusals.answer;
}
