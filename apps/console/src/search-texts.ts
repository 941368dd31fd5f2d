/** The search parameters of an address, as texts. Other values are absent. */
export type SearchTexts = Readonly<Record<string, string | undefined>>;

/** Returns the search parameters of an address that are texts. */
export function textsOf(search: Record<string, unknown>): SearchTexts {
  const texts = Object.entries(search).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}
