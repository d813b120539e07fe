import type { ApplicationParts } from './parts.js';
import { requestHandlers } from './requests/handlers.js';
import { settingsHandlers } from './settings/handlers.js';

/** Carries out one class of commands, or answers one class of queries; `@CommandHandler` or `@QueryHandler` names it. */
export type Handler = { readonly execute: (message: never) => Promise<unknown> };

/** Every handler of the application. Nest finds by their decorators which message each is for. */
export function applicationHandlers(parts: ApplicationParts): readonly Handler[] {
  return [...requestHandlers(parts), ...settingsHandlers(parts)];
}
