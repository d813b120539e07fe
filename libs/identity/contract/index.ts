import { describe } from '@jest/globals';
import { credentialsContract } from './credentials.js';
import { headsContract } from './heads.js';
import { keysContract } from './keys.js';
import { mailContract } from './mail.js';
import { passkeysContract } from './passkeys.js';
import { peopleContract } from './people.js';
import { platformContract } from './platform.js';
import { raceContract } from './races.js';
import { recordsContract } from './records.js';
import { secondFactorsContract } from './second-factors.js';
import { sealingContract } from './sealing.js';
import { requestsContract } from './requests.js';
import { sessionsContract } from './sessions.js';
import type { IdentityStoreFixture } from './world.js';

/** The promises of the identity store port, run against an adapter through the rules that build on it. */
export function describeIdentityStore(name: string, fixture: () => Promise<IdentityStoreFixture>): void {
  describe(`identity store contract: ${name}`, () => {
    credentialsContract(fixture);
    sessionsContract(fixture);
    keysContract(fixture);
    peopleContract(fixture);
    recordsContract(fixture);
    raceContract(fixture);
    platformContract(fixture);
    sealingContract(fixture);
    requestsContract(fixture);
    headsContract(fixture);
    mailContract(fixture);
    secondFactorsContract(fixture);
    passkeysContract(fixture);
  });
}

export { describePersonKeysReader, type PersonKeysFixture } from './reader.js';
export type { IdentityStoreFixture } from './world.js';
