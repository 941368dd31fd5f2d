import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { servicesUrl } from '../place.ts';
import { texts } from '../texts/texts.ts';
import { refusal } from './refusal.ts';
import { type Credentials, signIn } from './session.ts';

export interface SignInFormProps {
  /** The address for signing in at the identity provider, or null without a provider. */
  readonly oidc: string | null;
  /** Whether a session has ended and the page still contains the work of its user. */
  readonly again?: boolean;
}

/**
 * A form for signing in with a password or at the identity provider. If the service reports that the account needs a
 * second factor, the form requests a code.
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

/** A field for a code of the second factor. The field takes the focus when it appears. */
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

/** Returns whether the service accepted the password and requires a code. */
function isSecondFactor(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'login.second_factor';
}

interface OtherLoginProps {
  readonly oidc: string;
  readonly again: boolean;
}

/**
 * A link for signing in. After the end of a session, the link opens another window, because this window contains
 * unsaved work. When the user returns to this window, the console reads the session again.
 */
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
