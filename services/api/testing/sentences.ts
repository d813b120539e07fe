/**
 * Every sentence that the specification says a person is shown (its section 8), in its own words; what stands in braces
 * varies.
 */
export const sentences = [
  'Email and password are required',
  'Login successful',
  'Login failed: {reason}',
  'Account suspended. Please contact admin.',
  'User data not found. Please contact admin.',
  'Transaction Closed',
  'Transaction approved successfully!',
  'Failed to approve the transaction.',
  'Transaction rejected successfully!',
  'Failed to reject the transaction.',
  'Transaction already confirmed',
  'User blocked successfully!',
  'Failed to block the user.',
  'Mining stopped successfully',
  'Mining restarted successfully',
  'Wallet updated successfully.',
  'Insufficient wallet balance',
  'Insufficient {currency} wallet balance!',
  'Data submitted successfully!',
  'Something went wrong.',
  'Passwords do not match',
  'Incomplete information',
  'User already exists',
  'Registration successful. Redirecting to login...',
  'Registration successful',
  'Message sent successfully!',
  'Your request has been submitted successfully!',
  'There was an error submitting your request. Please try again.',
  'Please enter a valid amount and upload payment evidence.',
  'Please enter a valid upload payment evidence.',
  'Product uploaded successfully!',
  'Error uploading product',
  'Product updated successfully!',
  'Product deleted successfully!',
  'Transfer submitted successfully!',
  'Failed to submit transfer. Please try again.',
  'No user found with this account number.',
  'User data is incomplete.',
  'Error fetching account information.',
  'User info updated successfully!',
  'Failed to update user info.',
  'Profile image updated successfully!',
  'Failed to upload image.',
  'wallet address updated',
  'Error updating wallet address. Try again.',
  'Password updated successfully!',
  'Failed to reset password.',
  'Dollar rate updated successfully.',
  'Failed to update dollar rate.',
  'No rate available. Please set one.',
  'Error loading wallet data',
  'User not found',
  'User does not exist',
  'No logs available.',
  'Unexpected Application Error!',
] as const;

export type Sentence = (typeof sentences)[number];

/** Whether `text` is the sentence, whatever stands where its braces are. */
export function isSentence(sentence: Sentence, text: string): boolean {
  const [before = '', after] = sentence.split(/\{\w+\}/);
  if (after === undefined) return text === sentence;
  return text.length > before.length + after.length && text.startsWith(before) && text.endsWith(after);
}
