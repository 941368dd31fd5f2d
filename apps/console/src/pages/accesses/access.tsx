import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { texts } from '../../texts/texts.ts';
import { AccessButtons } from './access-buttons.tsx';
import { AccessEnd, AccessState, originOf } from './access-columns.tsx';
import { type Access, getAccess, personOf } from './calls.ts';
import { GiveAccess } from './give-access.tsx';

const words = texts.people.accesses;

/** The page of an existing access, or the form for a new access. */
export default function AccessPage(): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <GiveAccess /> : <ExistingAccess key={id} id={id} />;
}

function ExistingAccess({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['accesses', 'record', id], queryFn: ({ signal }) => getAccess(id, signal) });
  const access = query.data;
  return (
    <Page
      title={access ? words.oneOf(personOf(access), access.dataset_name) : words.one}
      actions={access && <AccessButtons access={access} />}
    >
      <Asked query={query}>{(found) => <AccessFacts access={found} />}</Asked>
    </Page>
  );
}

function AccessFacts({ access }: { readonly access: Access }): ReactNode {
  const { user_id: user, dataset_id: dataset, waits_for: waitsFor, granted_at: given, notes } = access;
  return (
    <Facts
      label={words.one}
      lines={[
        [
          words.person,
          user === null ? personOf(access) : <PersonLink key="person" id={user} name={personOf(access)} />,
        ],
        [
          words.dataset,
          <Anchor
            key="dataset"
            renderRoot={(props) => <Link to="/datasets/$id" params={{ id: String(dataset) }} {...props} />}
          >
            {access.dataset_name}
          </Anchor>,
        ],
        [words.state, <AccessState key="state" access={access} />],
        [words.waiting, waitsFor && words.waitsFor[waitsFor]],
        [words.given, given !== null && <Moment at={given} />],
        [words.ends, <AccessEnd key="end" access={access} />],
        [words.from, originOf(access)],
        [words.prolong.label, access.application !== null && words.endElsewhere],
        [words.notes, notes],
      ]}
    />
  );
}

function PersonLink({ id, name }: { readonly id: number; readonly name: string }): ReactNode {
  return (
    <Anchor renderRoot={(props) => <Link to="/users/$id" params={{ id: String(id) }} {...props} />}>{name}</Anchor>
  );
}
