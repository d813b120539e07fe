import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '#contracts';
import { isLodeError } from '#kernel';
import { DEMO_PASSWORD, demoAdmin, demoCustomers, type DemoPerson, type DemoStep } from './demo-people.js';
import { run } from './run.js';
import { readSettings } from './settings.js';
import { stopWhenTold } from './stop.js';

/** A receipt as small as a PDF can be. */
const RECEIPT = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n';

type Session = { readonly accessToken: string; readonly user: { readonly userId: string } };

/** The product's own API, from outside. */
function client(address: string) {
  let keys = 0;
  const call = async <Answer>(path: string, body: unknown, session?: Session): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const response = await fetch(address + path, {
      method: 'POST',
      headers: {
        'Idempotency-Key': `demo-${(keys += 1)}`,
        ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        ...(session === undefined ? {} : { Authorization: `Bearer ${session.accessToken}` }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const at = (path: string, values: Readonly<Record<string, string>>) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '');

  return {
    async join(person: Omit<DemoPerson, 'steps'>, invitation?: string): Promise<Session> {
      const { firstname, lastname, email, phone } = person;
      const profile = { firstname, lastname, email, phone };
      await call(routes.register.path, {
        ...profile,
        password: DEMO_PASSWORD,
        ...(invitation === undefined ? {} : { invitation }),
      });
      return call<Session>(routes.signIn.path, { email, password: DEMO_PASSWORD });
    },
    async carryOut(step: DemoStep, customer: Session, admin: Session): Promise<void> {
      const { userId } = customer.user;
      if ('adjust' in step) {
        const amounts = { [step.currency]: step.adjust };
        await call(at(routes.adjustWallet.path, { userId }), { amounts, reason: step.reason }, admin);
        return;
      }
      const form = new FormData();
      form.set('file', new Blob([RECEIPT], { type: 'application/pdf' }), 'receipt.pdf');
      const { fileId } = await call<{ fileId: string }>(routes.uploadEvidence.path, form, customer);
      const request = { amount: step.fund, currency: step.currency, evidenceId: fileId };
      const { requestId } = await call<{ requestId: string }>(routes.requestFunding.path, request, customer);
      if (step.then === 'wait') return;
      const route = step.then === 'confirm' ? routes.confirmFunding : routes.rejectFunding;
      await call(at(route.path, { userId, requestId }), { reason: step.reason }, admin);
    },
  };
}

/* The product on a folder that is thrown away, with customers, requests and a history made by real commands. */
const folder = await mkdtemp(join(tmpdir(), 'lode-demo-'));
try {
  const running = await run(readSettings(process.env, folder), (step) => console.log(step));
  stopWhenTold({
    stop: async () => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
    underWay: running.underWay,
    say: console.log,
  });
  console.log('Making the demonstration’s customers and their history …');
  const { join: register, carryOut } = client(running.address);
  const admin = await register(demoAdmin, running.firstAdminPath?.split('invitation=')[1]);
  for (const person of demoCustomers) {
    const customer = await register(person);
    for (const step of person.steps) await carryOut(step, customer, admin);
  }
  console.log(`Lode is ready at ${running.address}/login. Everything in it goes when it stops.`);
  console.log(`  admin     ${demoAdmin.email}`);
  for (const { email } of demoCustomers) console.log(`  customer  ${email}`);
  console.log(`  password  ${DEMO_PASSWORD} (everybody’s)`);
} catch (error) {
  await rm(folder, { recursive: true, force: true });
  console.error(isLodeError(error) ? error.message : error);
  process.exit(1);
}
