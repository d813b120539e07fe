import { Controller, Inject, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AskForOwnData,
  Bus,
  callerContext,
  CloseAccount,
  GetAccount,
  GetEmailChange,
  GetSecondFactor,
  ListFilesOf,
  ListFundRequests,
  ListMails,
  ListMessages,
  ListNotifications,
  ListOwnEvents,
  ListReceivedTransfers,
  ListSecurityEvents,
  ListSessions,
  ListTransactions,
  ListTransfers,
  ListWithdrawals,
  type Session,
} from '#application';
import { PAGE_SIZE_MAX } from '#contracts';
import { clearRefreshToken } from '../access/cookie.js';
import { factorView, pendingView, sessionView } from '../access/views.js';
import { urlOf } from '../files/urls.js';
import { clientOf } from '../http/client.js';
import { Downloads } from '../http/downloads.js';
import { BodyOf, Caller, Req, Res, Route, type AnswerOf } from '../http/route.js';
import { SETTINGS, type ApiSettings } from '../settings.js';
import { ownDataFile, type LongLists, type ShortParts } from './own-data.js';

const FILE = {
  type: 'application/json; charset=utf-8',
  disposition: 'attachment; filename="lode-data.json"',
};

/** What people do with all that is kept about them: take it away, or have it forgotten. */
@Controller()
export class OwnAccountController {
  constructor(
    private readonly bus: Bus,
    private readonly downloads: Downloads,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  @Route('downloadOwnData')
  downloadOwnData(
    @BodyOf('downloadOwnData') { proof }: BodyOf<'downloadOwnData'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const context = callerContext(caller, clientOf(request));
    return this.downloads.send(caller.userId, FILE, async () => {
      // A list that can't be read now would break the file off, and a code works once.
      for (const read of Object.values(this.longLists(caller.userId, 1))) await read(undefined);
      const { upTo, at } = await this.bus.execute(new AskForOwnData(context, proof, 'downloadOwnData'));
      const short = await this.shortParts(caller, { madeAt: new Date(at).toISOString(), upTo });
      return ownDataFile(short, this.longLists(caller.userId, PAGE_SIZE_MAX));
    });
  }

  @Route('closeAccount')
  async closeAccount(
    @BodyOf('closeAccount') { proof }: BodyOf<'closeAccount'>,
    @Caller() caller: Session,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AnswerOf<'closeAccount'>> {
    const context = callerContext(caller, clientOf(request));
    const { isErased } = await this.bus.execute(new CloseAccount(context, proof));
    clearRefreshToken(reply, this.settings.secure);
    return {
      message: isErased
        ? 'Your account is closed.'
        : 'Your account is closed. What is left of your data is erased in the next minutes.',
    };
  }

  private async shortParts(
    { userId, sessionId }: Session,
    asked: Pick<ShortParts, 'madeAt' | 'upTo'>,
  ): Promise<ShortParts> {
    const account = await this.bus.query(new GetAccount(userId));
    const factor = await this.bus.query(new GetSecondFactor(userId));
    const pending = await this.bus.query(new GetEmailChange(userId));
    const sessions = await this.bus.query(new ListSessions(userId));
    const { isOn, hasApp, recoveryCodesLeft, passkeys } = factorView(factor);
    return {
      ...asked,
      account,
      secondFactor: { isOn, hasApp, recoveryCodesLeft, passkeys },
      pendingEmail: pending === undefined ? null : pendingView(pending),
      sessions: sessions.map((session) => sessionView(session, sessionId)),
    };
  }

  private longLists(userId: string, limit: number): LongLists {
    const { bus } = this;
    const page = (cursor: string | undefined) => ({ userId, cursor, limit });
    const slice = (from: string | undefined) => ({
      order: 'newest' as const,
      limit,
      ...(from === undefined ? {} : { from: Number(from) }),
    });
    return {
      transactions: (next) => bus.query(new ListTransactions(page(next))),
      fundRequests: (next) => bus.query(new ListFundRequests(page(next))),
      withdrawals: (next) => bus.query(new ListWithdrawals(page(next))),
      transfers: (next) => bus.query(new ListTransfers(page(next))),
      receivedTransfers: (next) => bus.query(new ListReceivedTransfers(page(next))),
      notifications: (next) => bus.query(new ListNotifications(page(next))),
      messages: async (cursor) => {
        const { items, next } = await bus.query(new ListMessages(page(cursor)));
        return { items: items.map(({ isRead: _, ...message }) => message), next };
      },
      mails: async (cursor) => {
        const { items, next } = await bus.query(new ListMails(page(cursor)));
        return {
          items: items.map(({ mailId, kind, to, state, queuedAt, at }) => ({
            mailId,
            kind,
            to,
            state,
            queuedAt,
            at,
          })),
          next,
        };
      },
      files: async (after) => {
        const { items, next } = await bus.query(new ListFilesOf(userId, after));
        const files = items.map(({ ownerId: _, ...file }) => ({
          ...file,
          url: urlOf[file.purpose]({ ...file, ownerId: userId }),
        }));
        return { items: files, next };
      },
      security: async (from) => {
        const { events, next } = await bus.query(new ListSecurityEvents(userId, slice(from)));
        return { items: events, next: next === null ? null : String(next) };
      },
      events: async (from) => {
        const { events, next } = await bus.query(new ListOwnEvents(userId, slice(from)));
        return { items: events, next: next === null ? null : String(next) };
      },
    };
  }
}
