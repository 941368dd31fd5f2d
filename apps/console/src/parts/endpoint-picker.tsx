import type { ReactNode } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import { NamePicker, type NamePickerProps, type NameSource } from './name-picker.tsx';

const endpoints: NameSource = {
  queryKey: 'endpoints',
  find: async (q, signal) => {
    const query = { ...(q && { q }) };
    const { items } = await bodyOf(catalog.GET('/api/admin/endpoints', { params: { query }, signal }));
    return items.map(({ name }) => name);
  },
};

/** An input that selects an endpoint. */
export function EndpointPicker(props: NamePickerProps): ReactNode {
  return <NamePicker {...props} source={endpoints} />;
}
