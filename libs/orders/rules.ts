import { LodeError } from '#kernel';

/** The refusal of one order too many. */
export function tooManyOrders(): LodeError {
  return new LodeError('overloaded', 'Too many orders wait for the program that is to carry them out.');
}
