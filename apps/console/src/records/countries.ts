const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes that the browser names and that ISO 3166-1 does not assign to a country. */
const unassigned =
  'AC AN BU CP CQ CS CT DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO RH SU TA TP UK UN VD WK XA XB XK YD YU ZR ZZ'.split(
    ' ',
  );

/** Returns the name of a country, or the code if it has no name. */
export function countryName(code: string): string {
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}

/** Returns all countries as options of an input, by name. */
export function countryOptions(): { readonly value: string; readonly label: string }[] {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !unassigned.includes(code) && names.of(code) !== undefined)
    .map((code) => ({ value: code, label: `${countryName(code)} (${code})` }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}
