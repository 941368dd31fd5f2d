import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode, SubmitEvent } from 'react';
import { ProblemBox } from '../parts/problem-box.tsx';
import { servicesUrl } from '../place.ts';
import { texts } from '../texts/texts.ts';
import { refusal } from './refusal.ts';
import { signIn } from './session.ts';

/** How somebody signs in. */
export interface SignInFormProps {
  /** Where to go to sign in at the identity provider, when there is one. */
  readonly oidc: string | null;
  /** Whether their session has ended while they were working. */
  readonly again?: boolean;
}

/** Signs in with a password, or sends the browser to the identity provider, which sends it back to this page. */
export function SignInForm({ oidc, again = false }: SignInFormProps): ReactNode {
  const login = useMutation({ mutationFn: ({ name, password }: Credentials) => signIn(name, password) });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    login.mutate({ name: textOf(data, 'login'), password: textOf(data, 'password') });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {again && <Alert color="yellow">{texts.session.ended}</Alert>}
        {!again && refusal !== undefined && !login.isError && (
          <Alert color="red" variant="light" title={texts.session.refused} role="alert">
            {refusal}
          </Alert>
        )}
        {login.isError && <ProblemBox error={login.error} />}
        {oidc !== null && <OtherLogin oidc={oidc} again={again} />}
        <TextInput name="login" label={texts.session.login} type="email" autoComplete="username" required autoFocus />
        <PasswordInput
          name="password"
          label={texts.session.password}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': texts.session.showPassword }}
        />
        <Button type="submit" loading={login.isPending}>
          {texts.session.submit}
        </Button>
      </Stack>
    </form>
  );
}

interface Credentials {
  readonly name: string;
  readonly password: string;
}

interface OtherLoginProps {
  readonly oidc: string;
  readonly again: boolean;
}

/** Whoever signs in again does so in another window, for this one holds their work; it is asked when they come back to it. */
function OtherLogin({ oidc, again }: OtherLoginProps): ReactNode {
  const here = location.pathname + location.search;
  return (
    <>
      <Anchor
        href={`${servicesUrl}${oidc}?return_to=${encodeURIComponent(here)}`}
        {...(again && { target: '_blank', rel: 'noopener' })}
      >
        {again ? texts.session.oidcAgain : texts.session.oidc}
      </Anchor>
      <Divider label={texts.session.or} />
    </>
  );
}

function textOf(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
}
