import type { EnginesHandle, JoinedEngines } from './engines.js';
import { openHandle } from './handle.js';
import { identityOf } from './identity.js';
import { joinLog } from './log.js';
import { mayActivateOf } from './members.js';
import { modelsOf } from './models.js';

/** The engines that another thread of this program shared. */
export function joinEngines(handle: EnginesHandle): JoinedEngines {
  const { settings, port } = openHandle(handle);
  return {
    openEvents: () => joinLog(settings, port),
    openModels: modelsOf(settings).open,
    mayActivate: mayActivateOf(settings),
    openPersonKeys: identityOf(settings).openKeys,
  };
}
