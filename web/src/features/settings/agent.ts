import { knownAgent } from '#contracts';

/** What a person calls a program that calls itself `agent`. */
export function nameOfAgent(agent: string): string {
  return knownAgent(agent) ?? (agent === '' ? 'A program that gave no name' : agent.slice(0, 60));
}
