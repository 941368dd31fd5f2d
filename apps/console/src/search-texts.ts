/** Parameters of an address, each as text; what is left out or not text is absent. */
export type SearchTexts = Readonly<Record<string, string | undefined>>;

/** What a page is given of the search of its address. */
export function textsOf(search: Record<string, unknown>): SearchTexts {
  const texts = Object.entries(search).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}
