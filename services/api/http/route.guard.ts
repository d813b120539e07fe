import { Inject, Injectable } from '@nestjs/common';
import {
  Bus,
  type AdminGate,
  passwordRequired,
  WaitForPosition,
  type Authenticate,
  type HeldStreams,
  type PasswordDuty,
  type SecondFactorDuty,
  type Session,
} from '#application';
import { routes, stepUpOf, type Route, type RouteName } from '#contracts';
import { LodeError, type Position } from '#kernel';
import type { FastifyReply } from 'fastify';
import '@fastify/multipart';
import { HELD_STREAMS, isHeld, whoseStreams } from './held.js';
import { refuseUndeclared } from './input.js';
import { preferredType } from './negotiate.js';
import { noteFile, noteShown, othersNamed } from './notes.js';
import { bearerOf, type LodeRequest } from './route.js';
import { LOG_SCOPE, staleHeaders, type LogScope } from './scope.js';

/** How long a query waits for the position that it was sent with, in milliseconds. */
const READ_YOUR_WRITES_MS = 2_000;

/** What routes answer with that give a file of whatever type was stored. */
const OCTETS = 'application/octet-stream';

/** Where Nest keeps what tells whose an access token is. */
export const AUTHENTICATE = Symbol('authenticate');

/** Where Nest keeps what tells who must set up a second factor first. */
export const SECOND_FACTOR_DUTY = Symbol('second factor duty');

/** Where Nest keeps what tells who must choose a password first. */
export const PASSWORD_DUTY = Symbol('password duty');

/** Where Nest keeps what is asked of admins. */
export const ADMIN_GATE = Symbol('admin gate');

/**
 * Lets a request through to its handler when the contract's table says that this caller may, and holds a query back
 * until the read models have the position it names.
 */
@Injectable()
export class RouteGuard {
  constructor(
    @Inject(Bus) private readonly bus: Pick<Bus, 'execute' | 'query'>,
    @Inject(AUTHENTICATE) private readonly authenticate: Authenticate,
    @Inject(LOG_SCOPE) private readonly scope: LogScope,
    @Inject(HELD_STREAMS) private readonly held: HeldStreams,
    @Inject(SECOND_FACTOR_DUTY) private readonly mustSetUp: SecondFactorDuty,
    @Inject(PASSWORD_DUTY) private readonly mustChoose: PasswordDuty,
    @Inject(ADMIN_GATE) private readonly gate: AdminGate,
  ) {}

  /** Refuses a request, or lets it through: at once when nothing has to be asked or waited for. */
  admit(name: RouteName, request: LodeRequest, reply: FastifyReply): void | Promise<void> {
    const route: Route = routes[name];
    // Its form would be read by nobody.
    if (route.upload === undefined && request.isMultipart()) {
      throw new LodeError('media_type', 'The body is not of the type that this route takes.');
    }
    refuseUnwanted(route, request);
    const { authorization } = request.headers;
    if (route.access === 'visitor' || (route.access === 'anyone' && authorization === undefined))
      return this.noted(name, request, reply);
    const session = this.authenticate(bearerOf(request), isGuarded(route, request) ? 'as stored' : undefined);
    if (session instanceof Promise) {
      return session.then((known) => this.admitAs(name, request, known, reply));
    }
    return this.admitAs(name, request, session, reply);
  }

  private admitAs(name: RouteName, request: LodeRequest, session: Session, reply: FastifyReply) {
    const route: Route = routes[name];
    request.caller = session;
    if (!mayCall(route, request, session)) throw new LodeError('not_permitted', 'You may not do this.');
    if (session.role === 'admin') return this.admitAdmin(name, request, session, reply);
    return this.admitCustomer(name, request, session, reply);
  }

  /** As `noted`, once a customer has a password of their own, where the route needs that. */
  private admitCustomer(
    name: RouteName,
    request: LodeRequest,
    session: Session,
    reply: FastifyReply,
  ): void | Promise<void> {
    const { beforeOwnPassword }: Route = routes[name];
    const isDue = beforeOwnPassword !== true && this.mustChoose(session);
    if (isDue instanceof Promise)
      return isDue.then((due) => {
        refuseGiven(due);
        return this.noted(name, request, reply);
      });
    refuseGiven(isDue);
    return this.noted(name, request, reply);
  }

  /** As `noted`, once an admin has all that the route needs of one. */
  private async admitAdmin(
    name: RouteName,
    request: LodeRequest,
    session: Session,
    reply: FastifyReply,
  ): Promise<void> {
    const route: Route = routes[name];
    if (route.beforeSecondFactor !== true) refuseDue(await this.mustSetUp(session));
    if (goesByLatestDuty(route, request)) await this.gate.requireLatest(session);
    await this.refuseOtherDuties(route, request, session);
    if (needsFreshProof(route, request)) await this.gate.requireFreshProof(session);
    await this.noted(name, request, reply);
  }

  /** Refuses with `duty_missing` an admin for whom it is not to do. */
  private async refuseOtherDuties(
    { access, may, mayOnAdmins }: Route,
    request: LodeRequest,
    session: Session,
  ): Promise<void> {
    const isOfOwn = isOwn(request, session);
    // What every owner of an account may do is no duty: an auditor may change their own name.
    if (may !== undefined && !(access === 'owner' && isOfOwn)) this.gate.requireDuty(session, may);
    const { userId } = request.params as { userId?: string };
    if (mayOnAdmins === undefined || isOfOwn || userId === undefined) return;
    if (await this.gate.isAdmin(userId)) this.gate.requireDuty(session, mayOnAdmins);
  }

  /** As `current`, once what is not given without a note is noted, whoever asks. */
  private noted(name: RouteName, request: LodeRequest, reply: FastifyReply): void | Promise<void> {
    const noted = this.note(name, request, reply);
    if (noted === undefined) return this.current(name, request, reply);
    return noted.then(() => this.current(name, request, reply));
  }

  /** A list as a file, and what an admin reads of people whom the address names: neither is given when it can't be noted. */
  private note(name: RouteName, request: LodeRequest, reply: FastifyReply): Promise<void> | undefined {
    const { method, params }: Route = routes[name];
    // What the route takes no such address of is refused by it.
    if (method !== 'GET' || params?.safeParse(request.params).success === false) return undefined;
    const people = othersNamed(request);
    if (isFile(routes[name], request)) {
      // The file has what was so when it was asked for, its own note too: read models are behind the log.
      return noteFile(this.bus, request, name, people).then((at) => this.waitFor(at, reply));
    }
    return people.length === 0 ? undefined : noteShown(this.bus, request, people);
  }

  /** Refuses what the route takes nothing of. Of a query, waits until it can be answered as of where it is asked for. */
  private current(name: RouteName, request: LodeRequest, reply: FastifyReply): void | Promise<void> {
    const route: Route = routes[name];
    refuseUndeclared(route, request);
    if (route.method !== 'GET') return undefined;
    const reached = this.reached(name, request, reply);
    if (reached instanceof Promise) return reached.then(() => this.tellHeld(name, request, reply));
    return this.tellHeld(name, request, reply);
  }

  /** Read your writes: waits for the position in `Lode-Position`, and says so when it has not come in time. */
  private reached(name: RouteName, request: LodeRequest, reply: FastifyReply): Promise<void> | undefined {
    const header = request.headers['lode-position'];
    if (header === undefined) return undefined;
    const position = this.scope.readPosition(String(header));
    if (position === undefined) throw new LodeError('validation_failed', 'Lode-Position is not a position.');
    if (position === 'of another log') {
      void reply.headers(staleHeaders(this.scope));
      return undefined;
    }
    return this.waitFor(position, reply, whoseStreams(name, request));
  }

  /** Waits until queries see everything up to a position, or all of one person, and says so when they have not in time. */
  private async waitFor(position: Position, reply: FastifyReply, userId?: string): Promise<void> {
    const isReached = await this.bus.query(new WaitForPosition(position, READ_YOUR_WRITES_MS, userId));
    if (!isReached) void reply.header('Lode-Stale', 'true');
  }

  /** Says of what is from before an event that can't be read that it is. */
  private tellHeld(name: RouteName, request: LodeRequest, reply: FastifyReply): void | Promise<void> {
    const tell = (held: boolean) => {
      if (held) void reply.header('Lode-Held', 'true');
    };
    const held = isHeld(this.held, name, request);
    if (held instanceof Promise) return held.then(tell);
    tell(held);
    return undefined;
  }
}

/** Refuses whoever has to set up a second factor first (`second_factor_required`). */
export function refuseDue(isDue: boolean): void {
  if (isDue) throw new LodeError('second_factor_required', 'Please set up your second factor first.');
}

/** Refuses whoever has to choose a password of their own first (`password_change_required`). */
function refuseGiven(isDue: boolean): void {
  if (isDue) throw passwordRequired();
}

/** Whether an admin has to have proved lately who they are. */
function needsFreshProof(route: Route, request: LodeRequest): boolean {
  const stepUp = stepUpOf(route);
  return stepUp === 'always' || (stepUp === 'as a file' && isFile(route, request));
}

/**
 * Whether an admin's duty has to be the one of this moment, whichever program gave it: where they change anything, and what
 * needs a fresh proof. All others only look, which is every duty's.
 */
function goesByLatestDuty(route: Route, request: LodeRequest): boolean {
  const { method, may = 'read' } = route;
  return (method !== 'GET' && may !== 'read') || needsFreshProof(route, request);
}

/**
 * What nobody does with a session that has ended, not even a moment later: whatever changes something, as money or what
 * somebody may do, and what is taken along: lists as files, and files that were uploaded.
 */
function isGuarded(route: Route, request: LodeRequest): boolean {
  if (route.method !== 'GET' || route.answer === OCTETS) return true;
  return stepUpOf(route) === 'always' || isFile(route, request);
}

function isFile({ files = [] }: Route, { query, headers }: LodeRequest): boolean {
  if (files.length === 0) return false;
  const json = 'application/json';
  const { format } = query as { format?: string };
  if (format !== undefined) return format !== 'json';
  return preferredType(headers.accept, [json, ...files]) !== json;
}

/** Refuses a client that takes none of the types that the route answers with; a query for a format asks for that. */
function refuseUnwanted({ answer, files = [] }: Route, { headers, query }: LodeRequest): void {
  // Files are of whatever type was stored.
  if (answer === OCTETS || Object.hasOwn(query as object, 'format')) return;
  const types = [typeof answer === 'string' ? answer : 'application/json', ...files];
  if (preferredType(headers.accept, types) === undefined)
    throw new LodeError('not_acceptable', `This address answers with ${types.join(' or ')}.`);
}

function mayCall(route: Route, request: LodeRequest, session: Session): boolean {
  switch (route.access) {
    case 'visitor':
    case 'anyone':
    case 'signed-in':
      return true;
    case 'user':
    case 'admin':
      return session.role === route.access;
    case 'self':
      return isOwn(request, session);
    case 'owner':
      return session.role === 'admin' || isOwn(request, session);
  }
}

/** Whether the path is of whoever asks. */
function isOwn({ params }: LodeRequest, { userId }: Session): boolean {
  return (params as { userId?: string }).userId === userId;
}
