import type { Updates } from '../updates/updates.ts'
import { fail, pass, unavailable, type Check } from './check.ts'

/** Checks the update servers like the button in Settings: passes if one of them returns a signed response. */
export function updatesCheck(updates: Pick<Updates, 'state' | 'check'>): Check {
  return async () => {
    const { support, stage, recording, checkedAt: before } = updates.state()
    if (support.mode === 'none') return unavailable('noUpdates')
    if (stage === 'off') return unavailable('updatesOff')
    // A download, or a package waiting for a restart, was already verified; another request would disturb it.
    if (stage === 'downloading' || stage === 'ready' || stage === 'installing')
      return pass('updateServer')
    // No request would be sent now, and an earlier response says nothing about the servers.
    if (recording || stage === 'checking') return unavailable('updatesBusy')
    await updates.check(true)
    const { failure, checkedAt } = updates.state()
    if (failure?.step === 'check') return fail('updateFault', { code: failure.fault })
    return checkedAt === before ? unavailable('updatesBusy') : pass('updateServer')
  }
}
