/** Parses `true` and `false` in any case. Returns any other text unchanged, so that the validator refuses it. */
export function parseBoolean(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : text;
}

/** Parses a decimal number. Returns NaN for any other text, so that the validator refuses it. */
export function parseNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** Parses a comma-separated list. Trims the entries and drops empty entries. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const bytesPerUnit: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Parses a size such as `1048576`, `16M` or `2GiB` and returns bytes, or NaN for any other text. */
export function parseBytes(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text);
  const unit = bytesPerUnit[match?.[2]?.toLowerCase() ?? ''];
  return match?.[1] && unit ? Math.round(Number(match[1]) * unit) : Number.NaN;
}
