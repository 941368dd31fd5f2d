import { Alert, Anchor, Button, PasswordInput, type PasswordInputProps, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { bodyOf, catalog } from '../api/client.ts';
import { ProblemBox } from '../parts/problem-box.tsx';
import { consolePath } from '../place.ts';
import { texts } from '../texts/texts.ts';
import { Entrance } from './entrance.tsx';
import { linkToken } from './set-password-token.ts';

/** The page of a one-time link, on which a person sets a password. */
export default function SetPassword(): ReactNode {
  const [isDone, setDone] = useState(false);
  return (
    <Entrance title={texts.setPassword.heading} heading={texts.setPassword.heading}>
      <Content
        isDone={isDone}
        onDone={() => {
          setDone(true);
        }}
      />
    </Entrance>
  );
}

function Content({ isDone, onDone }: { readonly isDone: boolean; readonly onDone: () => void }): ReactNode {
  if (isDone) {
    return (
      <>
        <Alert color="green" variant="light" role="status">
          {texts.setPassword.done}
        </Alert>
        <Anchor href={consolePath}>{texts.setPassword.signIn}</Anchor>
      </>
    );
  }
  if (linkToken === '') return <Alert color="yellow">{texts.setPassword.noToken}</Alert>;
  return <PasswordForm onDone={onDone} />;
}

function PasswordForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [differ, setDiffer] = useState(false);
  const setting = useMutation({
    mutationFn: (password: string) =>
      bodyOf(catalog.POST('/api/session/password-link', { body: { token: linkToken, password } })),
    onSuccess: onDone,
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const password = data.get('password');
    const isSame = password === data.get('again');
    setDiffer(!isSame);
    if (isSame && typeof password === 'string') setting.mutate(password);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{texts.setPassword.hint}</Text>
        {setting.isError && <ProblemBox error={setting.error} />}
        <NewPasswordInput name="password" label={texts.setPassword.password} autoFocus />
        <NewPasswordInput name="again" label={texts.setPassword.again} error={differ && texts.setPassword.differ} />
        <Button type="submit" loading={setting.isPending}>
          {texts.setPassword.submit}
        </Button>
      </Stack>
    </form>
  );
}

type NewPasswordInputProps = Pick<PasswordInputProps, 'name' | 'label' | 'error' | 'autoFocus'>;

function NewPasswordInput(props: NewPasswordInputProps): ReactNode {
  return (
    <PasswordInput
      {...props}
      autoComplete="new-password"
      minLength={12}
      required
      visibilityToggleButtonProps={{ 'aria-label': texts.session.showPassword }}
    />
  );
}
