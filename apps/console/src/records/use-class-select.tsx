import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClassesQuery } from './use-classes.ts';

/** An input that selects a consent code by the code or by its label. Without the labels, it shows the codes. */
export function UseClassSelect({ codes, ...input }: SelectProps & { readonly codes: readonly string[] }): ReactNode {
  const { data = [] } = useQuery(useClassesQuery);
  const labels = new Map(data.map(({ code, label }) => [code, `${code}: ${label}`]));
  const options = codes.map((code) => ({ value: code, label: labels.get(code) ?? code }));
  return <Select {...input} data={options} searchable allowDeselect={false} />;
}
