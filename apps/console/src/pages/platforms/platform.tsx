import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../../parts/asked.tsx';
import { Page } from '../../parts/page.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { texts } from '../../texts/texts.ts';
import { createPlatform, getPlatform, removePlatform, updatePlatform } from './calls.ts';
import { PlatformForm } from './platform-form.tsx';

const words = texts.catalog.platforms;

/** The page of a new or existing platform. */
export default function PlatformPage(): ReactNode {
  const { id = 'new' } = useParams({ strict: false });
  return id === 'new' ? <NewPlatform /> : <ExistingPlatform key={id} id={id} />;
}

function NewPlatform(): ReactNode {
  const goToList = useGoToList();
  return (
    <Page title={words.create}>
      <PlatformForm
        onSave={async (values) => {
          await createPlatform(values);
          await goToList();
        }}
      />
    </Page>
  );
}

function ExistingPlatform({ id }: { readonly id: string }): ReactNode {
  const query = useQuery({ queryKey: ['platforms', 'record', id], queryFn: ({ signal }) => getPlatform(id, signal) });
  const goToList = useGoToList();
  const platform = query.data;
  const removal = platform && (
    <RemoveButton
      words={{ ...texts.catalog.remove, text: words.removeText }}
      name={platform.name}
      list="platforms"
      remove={() => removePlatform(platform)}
    />
  );
  return (
    <Page title={platform?.name ?? words.one} actions={removal}>
      <Asked query={query}>
        {(found) => (
          <PlatformForm
            platform={found}
            onSave={async (values) => {
              await updatePlatform(found, values);
              notifications.show({ message: texts.form.saved });
              await goToList();
            }}
          />
        )}
      </Asked>
    </Page>
  );
}

/** Returns a function that opens the list of platforms after a write and invalidates the cached platforms. */
function useGoToList(): () => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    await navigate({ to: '/platforms', ignoreBlocker: true });
    await queries.invalidateQueries({ queryKey: ['platforms'] });
  };
}
