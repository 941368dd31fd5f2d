import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Page } from '../../parts/page.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { KeyDialog } from '../keys/key-dialog.tsx';
import { createEndpoint, getEndpoint, removeEndpoint, updateEndpoint } from './calls.ts';
import { EndpointExposures } from './endpoint-exposures.tsx';
import { EndpointForm, type EndpointValues } from './endpoint-form.tsx';
import { EndpointKeys } from './endpoint-keys.tsx';

const words = texts.people.endpoints;

/** The page of a new or existing endpoint. */
export default function EndpointPage(): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewEndpoint /> : <ExistingEndpoint key={id} id={id} />;
}

/** A form for a new endpoint. After the dialog with the key is closed, the endpoint's page opens. */
function NewEndpoint(): ReactNode {
  const navigate = useNavigate();
  const changed = useChanged();
  const [made, setMade] = useState<Awaited<ReturnType<typeof createEndpoint>>>();
  const create = async ({ key, ...endpoint }: EndpointValues): Promise<void> => {
    setMade(await createEndpoint({ ...endpoint, ...(key && { key }) }));
    await changed();
  };
  return (
    <Page title={words.create}>
      <EndpointForm onSave={create} />
      <KeyDialog
        holder={made?.name ?? ''}
        issued={made?.key}
        onClose={() => {
          void navigate({ to: '/endpoints/$id', params: { id: String(made?.id) }, ignoreBlocker: true });
        }}
      />
    </Page>
  );
}

function ExistingEndpoint({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['endpoints', 'record', id], queryFn: ({ signal }) => getEndpoint(id, signal) });
  const changed = useChanged();
  const endpoint = query.data;
  const removal = endpoint && (
    <RemoveButton words={words.remove} name={endpoint.name} list="endpoints" remove={() => removeEndpoint(endpoint)} />
  );
  return (
    <Page title={endpoint?.name ?? words.one} actions={removal}>
      <Asked query={query}>
        {(found) => (
          <>
            <Section title={texts.people.users.sections.details}>
              <EndpointForm
                endpoint={found}
                onSave={async ({ name, url_pattern, public: isPublic }) => {
                  await updateEndpoint(found, { name, url_pattern, public: isPublic });
                  notifications.show({ message: texts.form.saved });
                  await changed();
                }}
              />
            </Section>
            <EndpointKeys endpoint={found} onChanged={changed} />
            <EndpointExposures endpoint={found} />
          </>
        )}
      </Asked>
    </Page>
  );
}

/** Returns a function that invalidates the cached endpoints after a write. */
function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['endpoints'] });
}
