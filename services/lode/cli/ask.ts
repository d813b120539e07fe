import { createInterface } from 'node:readline';

/** Asks whoever sits at the terminal for a line; undefined when they leave it. */
export function askAtTerminal(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
