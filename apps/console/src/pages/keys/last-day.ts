/** Returns the end of a day in the user's time zone, or null for an empty text. */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString();
}

/** Returns the day of an instant in the user's time zone, or an empty text for null. */
export function dayOf(end: string | null): string {
  if (end === null) return '';
  const at = new Date(end);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
