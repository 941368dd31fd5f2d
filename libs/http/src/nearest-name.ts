/** Maximum length of a name that is compared. */
const maxLength = 64;

/**
 * Returns the name with the smallest edit distance from a misspelled name; undefined if every distance is greater than
 * a third of the name's length. The comparison ignores case and treats `-` as `_`.
 */
export function nearestName(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > maxLength) return undefined;
  const allowance = Math.max(1, Math.floor(wrong.length / 3));
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - wrong.length) > allowance) continue;
    const distance = editDistance(folded(wrong), folded(name));
    if (distance <= allowance && distance < (nearest?.distance ?? wrong.length)) nearest = { name, distance };
  }
  return nearest?.name;
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

/** Returns the Levenshtein distance of two texts. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line++) {
    const above = row;
    row = [line];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (one[line - 1] === other[column - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1));
    }
  }
  return row[other.length] ?? 0;
}
