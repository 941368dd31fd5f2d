import { Center, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from '../parts/loading.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { texts } from '../texts/texts.ts';
import { Entrance } from './entrance.tsx';
import { renewSession, useSessionState } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Shorter than the five minutes for which the provisioner accepts a token. */
const renewalMs = 4 * 60_000;

/**
 * The content for a signed-in user, or the form for signing in. If a session ends, the form covers the page, whose
 * inputs are kept.
 */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const state = useSessionState();
  const asked = useQuery({
    queryKey: ['session'],
    queryFn: renewSession,
    staleTime: 0, // the user may have signed in or out in another window
    refetchInterval: renewalMs,
    retry: false,
  });
  if (state.status === 'unknown') {
    return (
      <Center mih="100vh">
        {asked.isError ? <Unreachable retry={asked.refetch} error={asked.error} /> : <Loading />}
      </Center>
    );
  }
  if (state.status === 'signed-out') {
    return (
      <Entrance title={texts.session.heading} heading={texts.title}>
        <SignInForm oidc={state.oidc} />
      </Entrance>
    );
  }
  return (
    <>
      {children}
      <Modal
        opened={state.status === 'ended'}
        onClose={() => undefined}
        withCloseButton={false}
        title={texts.session.heading}
      >
        {state.status === 'ended' && <SignInForm oidc={state.oidc} again />}
      </Modal>
    </>
  );
}

function Unreachable({ error, retry }: { readonly error: Error; readonly retry: () => unknown }): ReactNode {
  return (
    <main>
      <ProblemBox error={error} onRetry={() => void retry()} />
    </main>
  );
}
