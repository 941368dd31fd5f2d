import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RecordEditPage } from '../../records/record-edit-page.tsx';
import type { RecordList } from '../../records/record-lists.ts';

/** The form of an existing record, at the address `/<list>/<id>/edit`. */
export default function EditRecord(): ReactNode {
  const list = useLocation({ select: ({ pathname }) => pathname.split('/').at(-3) });
  return <RecordEditPage list={list as RecordList} />;
}
