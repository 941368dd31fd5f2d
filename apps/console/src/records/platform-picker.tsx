import { type ReactNode, useContext } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import { NamePicker, type NamePickerProps, type NameSource } from '../parts/name-picker.tsx';
import { NamesNew } from './names-new.ts';

const platforms: NameSource = {
  queryKey: 'platforms',
  find: async (q, signal) => {
    const query = { ...(q && { q }) };
    const { items } = await bodyOf(catalog.GET('/api/admin/platforms', { params: { query }, signal }));
    return items.map(({ name }) => name);
  },
};

/** An input that selects a storage platform. A new name creates a platform when the form is saved. */
export function PlatformPicker(props: NamePickerProps): ReactNode {
  return <NamePicker {...props} source={platforms} onNew={useContext(NamesNew)} />;
}
