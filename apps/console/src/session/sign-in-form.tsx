import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { servicesUrl } from '../place.ts';
import { texts } from '../texts/texts.ts';
import { refusal } from './refusal.ts';
import { type Credentials, signIn } from './session.ts';

/** How somebody signs in. */
export interface SignInFormProps {
  /** Where to go to sign in at the identity provider, when there is one. */
  readonly oidc: string | null;
  /** Whether their session has ended while they were working. */
  readonly again?: boolean;
}

/**
 * Signs in with a password, or sends the browser to the identity provider, which sends it back to this page. The form
 * requests a code of the second factor once the service has answered that the account needs one.
 */
export function SignInForm({ oidc, again = false }: SignInFormProps): ReactNode {
  const login = useMutation({ mutationFn: signIn });
  const [needsCode, setNeedsCode] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    login.mutate(credentialsOf(new FormData(event.currentTarget)), {
      onError: (error) => {
        setNeedsCode(isSecondFactor(error));
      },
    });
  };
  const isFirstRequest = isSecondFactor(login.error) && login.error.more['reason'] === 'missing';
  return (
    <form onSubmit={submit}>
      <Stack>
        {again && <Alert color="yellow">{texts.session.ended}</Alert>}
        {!again && refusal !== undefined && !login.isError && (
          <Alert color="red" variant="light" title={texts.session.refused} role="alert">
            {refusal}
          </Alert>
        )}
        {login.isError && !isFirstRequest && <ProblemBox error={login.error} />}
        {oidc !== null && <OtherLogin oidc={oidc} again={again} />}
        <TextInput name="login" label={texts.session.login} type="email" autoComplete="username" required autoFocus />
        <PasswordInput
          name="password"
          label={texts.session.password}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': texts.session.showPassword }}
        />
        {needsCode && <CodeInput />}
        <Button type="submit" loading={login.isPending}>
          {texts.session.submit}
        </Button>
      </Stack>
    </form>
  );
}

/** The field for a code of the second factor; it takes the focus when it appears. */
function CodeInput(): ReactNode {
  return (
    <TextInput
      name="code"
      label={texts.session.code}
      description={texts.session.codeHint}
      autoComplete="one-time-code"
      maxLength={40}
      required
      autoFocus
    />
  );
}

function credentialsOf(data: FormData): Credentials {
  const code = textOf(data, 'code');
  return { login: textOf(data, 'login'), password: textOf(data, 'password'), ...(code !== '' && { code }) };
}

/** Whether the service answered that the password is right and a code is needed. */
function isSecondFactor(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'login.second_factor';
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
