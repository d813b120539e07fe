import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { routes } from '../../api';
import { json, problem, renderApp, serve, to } from '../../testing';
import { ContactCard } from './contact-card';
import { MessageForm } from './message-form';

test('a message needs words, and stays until it was sent', async () => {
  const answers = [
    () => problem(503, 'unavailable', 'Later.'),
    () => problem(503, 'unknown_outcome', 'It is not known.'),
    () => json({ messageId: 'm1', position: '7', message: 'Message sent successfully!' }),
  ];
  const calls = serve({ [to(routes.sendMessage)]: () => answers.shift()!() });
  const { user } = renderApp(<MessageForm />);
  const send = () => user.click(screen.getByRole('button', { name: 'Send message' }));
  await send();
  expect(await screen.findByText('Please enter a message.')).toBeTruthy();
  expect(calls).toEqual([]);

  await user.type(screen.getByLabelText('Message'), 'When are they back?');
  for (const words of [
    'Something went wrong.',
    "We don't know yet whether this was done. Send it again: it is never done twice",
    'Message sent successfully!',
  ]) {
    await send();
    expect(await screen.findByText(words)).toBeTruthy();
  }
  expect(calls.map(({ body }) => body)).toEqual(
    Array(3).fill({ subject: '', message: 'When are they back?' }),
  );
  expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('');
});

test('shows how the operator is reached, that it can’t be had, or that there is no other way', async () => {
  let contact: object | undefined;
  const asked = () => (contact === undefined ? problem(503, 'unavailable', 'It is away.') : json(contact));
  serve({ [to(routes.contact)]: asked });
  const first = renderApp(<ContactCard />);
  expect(await screen.findByText('It is away.')).toBeTruthy();
  contact = { phoneNumber: null, email: 'help@lode.example', contactAddress: null };
  await first.user.click(screen.getByRole('button', { name: 'Retry' }));
  const link = await screen.findByRole('link', { name: 'help@lode.example' });
  expect(link.getAttribute('href')).toBe('mailto:help@lode.example');
  expect(screen.queryByText('Phone')).toBeNull();
  first.unmount();
  contact = { phoneNumber: null, email: null, contactAddress: null };
  renderApp(<ContactCard />);
  expect(await screen.findByText(/^The operator has given no other way\./)).toBeTruthy();
});
