import { beforeEach, describe, expect, test } from '@jest/globals';
import { createOpenOutcomes, type OpenOutcomes } from '#commands';
import { InvariantViolation, LodeError, type Actor } from '#kernel';
import { Bus, type BusMeter, type MayAnswer } from './bus.js';
import { sentBy } from './command.js';
import { dispatchTo, handledBy, Query } from './message.js';

/** A value for which the handler can't reach what it needs. */
const AWAY = 1_000_000;
const ADMIN: Actor = { kind: 'person', id: 'ann', role: 'admin' };

class Double extends sentBy('admin', 'operator')<number> {
  constructor(
    override readonly context: { readonly actor: Actor; readonly commandId?: string },
    readonly value: number,
  ) {
    super();
  }
}

class DoubleHandler {
  carriedOut = 0;

  async execute({ value }: Double): Promise<number> {
    this.carriedOut += 1;
    if (value < 0) throw new LodeError('amount_invalid', 'below zero');
    if (value === AWAY) throw new LodeError('unavailable', 'away');
    return value * 2;
  }
}

class GetName extends Query<string> {}

class GetNameHandler {
  async execute(): Promise<string> {
    return 'Lode';
  }
}

describe('the bus', () => {
  const handler = new DoubleHandler();
  let bus: Bus;
  let heard: Parameters<BusMeter['record']>[];
  let outcomes: OpenOutcomes;
  let mayAnswer: MayAnswer;
  beforeEach(() => {
    let seconds = 0;
    heard = [];
    outcomes = createOpenOutcomes();
    handler.carriedOut = 0;
    mayAnswer = async () => undefined;
    const meter: BusMeter = { now: () => (seconds += 1), record: (...what) => void heard.push(what) };
    const handlers = dispatchTo([handledBy(Double, handler), handledBy(GetName, new GetNameHandler())]);
    bus = new Bus(handlers, { meter, outcomes, mayAnswer: () => mayAnswer() });
  });

  test('gives a command to its handler, and the result has its type', async () => {
    const result: number = await bus.execute(new Double({ actor: ADMIN }, 21));
    expect(result).toBe(42);
    expect(heard).toEqual([[{ name: 'Double', isCommand: true }, 'done', 1]]);
  });

  test('gives a query to its handler, and the result has its type', async () => {
    const result: string = await bus.query(new GetName());
    expect(result).toBe('Lode');
    expect(heard).toEqual([[{ name: 'GetName', isCommand: false }, 'done', 1]]);
  });

  test('carries out no command where nothing may be done any more, and says of none that it was done', async () => {
    mayAnswer = async () => {
      throw new LodeError('unavailable', 'it was moved');
    };
    const command = new Double({ actor: ADMIN }, 21);
    await expect(bus.execute(command)).rejects.toMatchObject({ code: 'unavailable' });
    expect(handler.carriedOut).toBe(0);
    let asked = 0;
    mayAnswer = async () => {
      asked += 1;
      if (asked === 2) throw new LodeError('unavailable', 'it was moved');
    };
    await expect(bus.execute(command)).rejects.toMatchObject({ code: 'unknown_outcome' });
    expect(handler.carriedOut).toBe(1);
    expect(await bus.query(new GetName())).toBe('Lode');
    expect(heard.map(([, outcome]) => outcome)).toEqual(['unavailable', 'unknown_outcome', 'done']);
  });

  test('has one handler for each class of messages', async () => {
    class GetNothing extends Query<string> {}
    await expect(bus.query(new GetNothing())).rejects.toBeInstanceOf(InvariantViolation);
    const one = handledBy(GetName, new GetNameHandler());
    expect(() => dispatchTo([one, one])).toThrow(InvariantViolation);
  });

  test('carries out nothing that it is asked as a query', async () => {
    // @ts-expect-error A command is no query.
    await expect(bus.query(new Double({ actor: ADMIN }, 21))).rejects.toBeInstanceOf(InvariantViolation);
    expect(handler.carriedOut).toBe(0);
  });

  test('passes a refusal on, and counts it by its code', async () => {
    await expect(bus.execute(new Double({ actor: ADMIN }, -1))).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    expect(heard).toEqual([[{ name: 'Double', isCommand: true }, 'amount_invalid', 1]]);
  });

  test('says of a command that may have been done that nobody knows, whatever its handler met', async () => {
    outcomes.open(['k1']);
    const send = (commandId: string, value: number) =>
      bus.execute(new Double({ actor: ADMIN, commandId }, value));
    await expect(send('k1', AWAY)).rejects.toMatchObject({ code: 'unknown_outcome' });
    await expect(send('k2', AWAY)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await send('k1', 2)).toBe(4);
    expect(heard.map(([, outcome]) => outcome)).toEqual(['unknown_outcome', 'unavailable', 'done']);
  });

  test.each<Actor>([
    { kind: 'person', id: 'eve', role: 'user' },
    { kind: 'person', id: 'visitor', role: 'visitor' },
    { kind: 'system', id: 'tick', role: 'system' },
  ])('stops a command of a sender that its class does not name: $kind $role', async (actor) => {
    await expect(bus.execute(new Double({ actor }, 21))).rejects.toBeInstanceOf(InvariantViolation);
    expect(handler.carriedOut).toBe(0);
    expect(heard).toEqual([[{ name: 'Double', isCommand: true }, 'internal', 1]]);
  });

  test('lets whoever has the machine send what its class names', async () => {
    const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
    expect(await bus.execute(new Double({ actor }, 2))).toBe(4);
  });
});
