import { Center, Modal, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from '../parts/loading.tsx';
import { ProblemBox } from '../parts/problem-box.tsx';
import { texts } from '../texts/texts.ts';
import { renewSession, useSessionState } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The provisioner believes a token for five minutes; it is renewed before. */
const renewalMs = 4 * 60_000;

/**
 * Shows its children to who is signed in, and the way in to everybody else. When a session ends the way in comes over
 * the page, which stays as it is beneath.
 */
export function SessionGate({ children }: { readonly children: ReactNode }): ReactNode {
  const state = useSessionState();
  const asked = useQuery({
    queryKey: ['session'],
    queryFn: renewSession,
    staleTime: 0, // whoever comes back to this window may have signed in, or out, in another
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
  if (state.status === 'signed-out') return <SignInPage oidc={state.oidc} />;
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

function SignInPage({ oidc }: { readonly oidc: string | null }): ReactNode {
  return (
    <Center mih="100vh" p="md" component="main">
      <title>{`${texts.session.heading} · ${texts.title}`}</title>
      <Paper withBorder p="xl" w="100%" maw="26rem">
        <Stack>
          <Title order={1} size="h3">
            {texts.title}
          </Title>
          <SignInForm oidc={oidc} />
        </Stack>
      </Paper>
    </Center>
  );
}

function Unreachable({ error, retry }: { readonly error: Error; readonly retry: () => unknown }): ReactNode {
  return (
    <main>
      <ProblemBox error={error} onRetry={() => void retry()} />
    </main>
  );
}
