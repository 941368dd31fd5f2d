/** `true`/`false` in any case; anything else is kept, for the validator to refuse by name. */
export function parseBoolean(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : text;
}

/** A decimal number; anything else becomes NaN, for the validator to refuse. */
export function parseNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** A comma list: entries trimmed, empty ones dropped. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

const bytesPerUnit: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** A size such as `1048576`, `16M` or `2GiB`, in bytes; anything else becomes NaN, for the validator to refuse. */
export function parseBytes(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text);
  const unit = bytesPerUnit[match?.[2]?.toLowerCase() ?? ''];
  return match?.[1] && unit ? Math.round(Number(match[1]) * unit) : Number.NaN;
}
