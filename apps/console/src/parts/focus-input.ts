/**
 * Focuses the input of a member in the forms of the page. If the member has no input, the input of the member that
 * contains it is focused, or the button that adds an entry to its list.
 *
 * @param field as the services write it, e.g. `data_declarations[].data_types`
 */
export function focusInput(field: string): void {
  const steps = field.replaceAll('[]', '.0').split('.');
  for (let length = steps.length; length > 0; length -= 1) {
    const path = steps.slice(0, length).join('.');
    const input = document.querySelector<HTMLElement>(
      `[data-path="${path}"], [data-path="${path}.0.name"], [data-member="${path}"]`,
    );
    if (!input) continue;
    input.scrollIntoView({ block: 'center' });
    input.focus();
    return;
  }
}
