/** JSON over lines, in the order in which members came. Texts keep their quotes, so that `"10.00"` is not taken for a number. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
