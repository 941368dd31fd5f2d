import { useMatch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RecordEditPage } from '../../records/record-edit-page.tsx';
import type { RecordList } from '../../records/record-lists.ts';

/** The form of an existing record, at the address `/<list>/<id>/edit`. */
export default function EditRecord(): ReactNode {
  const { fullPath }: { readonly fullPath: string } = useMatch({ strict: false });
  const [, list] = fullPath.split('/');
  return <RecordEditPage list={list as RecordList} />;
}
