import type { ErrorCode } from '#kernel';

/** When each code is answered, and what to do then, for the reference and for where a problem's `type` leads. */
export const meanings: Readonly<Record<ErrorCode, string>> = {
  amount_invalid:
    'The amount is no decimal, has too many decimals, is zero or negative, or is too large. Correct it.',
  evidence_missing:
    'The payment evidence that the request names does not exist or is another person’s. Upload it first.',
  evidence_in_use:
    'The payment evidence belongs to another request, which is open or was confirmed. Upload the evidence of this payment.',
  account_not_found: 'There is no account of this person.',
  account_exists: 'The account is open already, with other particulars.',
  account_suspended: 'The account is suspended: its owner can’t sign in. An admin can activate it.',
  account_closed: 'The account was closed for ever.',
  deposit_address_changed:
    'A fund request names a deposit address that is not the one in force. Look it up again, show it, and ask anew with it.',
  terms_changed:
    'Somebody was shown other texts than whoever registers accepts now. Show those, and register anew with their hashes.',
  account_not_empty:
    'An account with money or open requests can not be closed. Decide the requests and pay out the money first.',
  email_unverified:
    'The customer has not verified the e-mail address yet, which the operator asks for first. Use the link that was sent to it, or ask for another one.',
  request_not_found: 'The account has no such request.',
  request_exists: 'The id is taken by another request.',
  already_approved: 'This admin has approved it already, and that still counts: another one has to.',
  approval_expired: 'The adjustment waited longer than approvals count: it has to be asked for again.',
  request_closed: 'The request was decided, or the transfer is not under way: nothing changes it any more.',
  request_already_confirmed: 'The request was confirmed already.',
  insufficient_balance:
    'The movement would make a balance negative, or leave less than must stay. Ask for less.',
  wallet_address_missing: 'A withdrawal was requested before a wallet address was saved. Save one first.',
  wallet_address_differs:
    'A withdrawal names another address than the one in force for its currency. Save it first: a change counts after the waiting time.',
  wallet_address_in_force: 'The address that was to be canceled is in force already.',
  transfer_to_self: 'A transfer names the account it comes from.',
  account_number_unknown: 'No customer has this account number.',
  account_number_unusable: 'The account number’s customer can’t take transfers now.',
  link_invalid: 'The link was used, has expired or never existed. Ask for a new one.',
  challenge_invalid:
    'The second step of a sign-in, or what a passkey signed, came too late, was used before, or the password was changed meanwhile. Sign in again, or ask for new options.',
  second_factor_wrong:
    'The code is none of now, was used before, or is no recovery code that is left. Wait for the next one.',
  second_factor_missing:
    'No second factor is set up, or none is on; or its set-up took more than ten minutes. Begin it again.',
  second_factor_on: 'An authenticator app is in use already. Remove it to set up another one.',
  passkey_refused:
    'What came is not what one of the person’s passkeys signed here and for this: another site, another person’s key, no verified user, or a counter that went back. Ask for new options and try again.',
  passkey_missing: 'The person has no passkey, or not this one. Use another way.',
  passkeys_full: 'The person has as many passkeys as there can be. Remove one first.',
  passkeys_unavailable:
    'Browsers give no passkeys to the address that `LODE_PUBLIC_URL` names: it is a number, or has no TLS and is not this machine. Give the program a name and TLS.',
  second_factor_required:
    'Admins need a second factor here, and whoever asks has none. Set it up first: `POST /api/me/second-factor`.',
  password_change_required:
    'Whoever asks signed in with a password that an admin chose, which is for the first sign-in. Choose another one first: `PUT /api/me/password`.',
  invitation_invalid:
    'The invitation was used or revoked, has expired or never existed, or whoever issued it is no owner any more. Ask an admin for another one.',
  invitation_not_found: 'There is no such invitation.',
  invitation_used:
    'Somebody became an admin by the invitation: it can’t be revoked. Suspend that admin instead.',
  account_active: 'The account is in use. Block it first, and then ask again.',
  duty_missing: 'The admin’s duty is another one. An owner can change it.',
  step_up_required:
    'An admin asks for something that moves money, exports or guards the platform, and has not proved within the last five minutes who they are. Prove it (`POST /api/me/step-up`) and ask again with the same Idempotency-Key.',
  not_a_customer: 'The person is an admin and has no wallet.',
  own_request: 'Whoever decides asked for it, or it is about their own account. Another admin has to.',
  product_not_found: 'There is no such product.',
  product_exists: 'The id is taken by another product.',
  setting_invalid: 'The setting is out of its bounds; `detail` tells them.',
  message_not_found: 'There is no such message, or it is forgotten.',
  not_permitted: 'Whoever is signed in may not do this.',
  pin_invalid: 'A transfer pin has 4 digits.',
  pin_missing: 'The customer has set no transfer pin. Set one first.',
  pin_wrong: 'The transfer pin is wrong. It is locked after 5 wrong tries.',
  pin_locked: 'The transfer pin was wrong 5 times. It is locked until it is set anew, with the password.',
  proof_missing:
    'Whoever is signed in has to prove again that it is they. Send the transfer pin, the password or what a passkey signed along in `proof`, as the route says.',
  money_out_waits:
    'What guards the account was changed lately. `moneyOut` of the account says when money can leave it again, and why it can’t now.',
  invalid_credentials: 'E-mail and password don’t belong together.',
  email_exists: 'The e-mail is registered already. Sign in, or take another one.',
  password_policy:
    'The new password is too short, too long, lacks what [the policy](api/access.md) asks for, is one that many people have, one’s own name or e-mail address, or the one of before. Take another one.',
  token_missing: 'Nobody is signed in. Sign in, and send the token.',
  token_invalid: 'The token is unknown, or its session has ended. Sign in again.',
  token_expired: 'The token has expired: refresh the session, or sign in again.',
  too_many_attempts: 'Too many attempts to sign in. Wait as long as `Retry-After` says.',
  file_missing: 'The form holds no file.',
  file_empty: 'The file is empty.',
  file_type:
    'The content of the file is neither PDF, PNG, JPEG, WebP, GIF nor MP4, is damaged, or is not what this upload takes.',
  file_too_large:
    'The file is larger than 10 MiB, or the image has more than 50 megapixels. Make it smaller.',
  range_not_satisfiable: 'The file has none of the bytes that the header `Range` asks for.',
  file_not_found: 'There is no such file, or it is another person’s.',
  quota_exceeded:
    'The person keeps as many files of this kind as one may. Those that nothing names are swept in time.',
  upload_canceled:
    'The upload broke off, or the form ended in the middle. Nothing was stored. Send it again.',
  backups_elsewhere:
    'The program makes no backups by itself: `LODE_BACKUPS` names no folder, or something is on servers, which are backed up by [their own means](../how-to/run-on-servers.md).',
  event_not_found: 'There is no event with this id, or the read models don’t know it yet.',
  validation_failed: 'The input breaks the route’s schema. `errors` says where and how.',
  malformed_json: 'The body is not JSON.',
  body_too_large:
    'The body is larger than 64 KiB, or 4 MiB of a bulk request; or items that are to be done together are too many.',
  media_type: 'The body is not of the type that the route takes. Set `Content-Type`.',
  content_encoding: 'The body came compressed. Send it as it is.',
  not_acceptable:
    'The address answers with none of the types that `Accept` names. `detail` says with which it does.',
  method_not_allowed: 'The address has no such method. `Allow` says which it has.',
  idempotency_key_missing: 'A command came without an `Idempotency-Key`. Make one up and send it along.',
  idempotency_key_reused: 'The `Idempotency-Key` was used for another request. Take a new one.',
  group_refused:
    'Nothing is wrong with this item, but with another of the group that is done whole or not at all.',
  route_not_found: 'There is nothing at this address.',
  rate_limited:
    'Too many requests from this address, or too many look-ups by this person. Wait as long as `Retry-After` says.',
  conflict:
    'The profile was changed meanwhile, again and again, or the first request with this `Idempotency-Key` is still under way. Nothing was written. Send it again.',
  overloaded:
    'Too much is waiting, or others kept writing to the same account for 20 seconds. Nothing was written. Send it again later.',
  unavailable: 'An engine can’t be reached. Nothing was written. Send it again later.',
  storage_full:
    'The disk is full; or, for an upload, little of it is left, or all files together take as much as they may. Nothing was written. An operator has to make room.',
  storage_failed:
    'Stored data is damaged, or a newer version of Lode wrote it, as `detail` says then: what needs it is refused, all else goes on. Or the disk failed: nothing more is written. An operator has to look: `lode verify`, `lode doctor`.',
  unknown_outcome:
    'It may or may not have been written: an engine failed while it had it. Send it again with the same `Idempotency-Key`, which never does it twice. It is answered so until Lode knows: once the server can be read again, or, after a disk in Lode’s own machine failed, once Lode was started again.',
  internal: 'A fault of Lode. The log of the program says more than the answer does. Report it.',
};
