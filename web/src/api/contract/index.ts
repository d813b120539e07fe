export { callOf, pathOf, type ApiCall } from './call';
export { mutation, pagedQuery, query } from './endpoints';
export { adminRoutes } from './admin-routes';
export { routes } from './routes';
export type { AnswerOf, ArgsOf, FailureOf, PathArgs, RouteTo } from './shapes';
