/** The end of a day that was chosen, in the time of who chose it, as the services take it; null for no day. */
export function endOfDay(day: string): string | null {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString();
}

/** The day, in the time of who looks, on which something ends; empty for no end. */
export function dayOf(end: string | null): string {
  if (end === null) return '';
  const at = new Date(end);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}
