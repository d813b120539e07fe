import LongestFirst from '../check/longest-first.mjs';

/** The reverse of the check's order: a run that ends with the first failing file ends sooner. */
export default class ShortestFirst extends LongestFirst {
  /** The files in the order in which they begin. */
  sort(tests) {
    return super.sort(tests).reverse();
  }
}
