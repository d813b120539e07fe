/** The same work for all who ask for it while it is under way. */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return () =>
    (underWay ??= work().finally(() => {
      underWay = undefined;
    }));
}
