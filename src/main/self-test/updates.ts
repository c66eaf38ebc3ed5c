import type { Updates } from '../updates/updates.ts'
import { fail, pass, unavailable, type Check } from './check.ts'

/** Asks the update servers as the button in Settings does: a signed answer of one of them passes. */
export function updatesCheck(updates: Pick<Updates, 'state' | 'check'>): Check {
  return async () => {
    const { support, stage, recording, checkedAt: before } = updates.state()
    if (support.mode === 'none') return unavailable('noUpdates')
    if (stage === 'off') return unavailable('updatesOff')
    // A download or a package that waits for its restart was signed; asking again would disturb it.
    if (stage === 'downloading' || stage === 'ready' || stage === 'installing')
      return pass('updateServer')
    // Nothing would be asked now, and an earlier answer says nothing about the servers.
    if (recording || stage === 'checking') return unavailable('updatesBusy')
    await updates.check(true)
    const { failure, checkedAt } = updates.state()
    if (failure?.step === 'check') return fail('updateFault', { code: failure.fault })
    return checkedAt === before ? unavailable('updatesBusy') : pass('updateServer')
  }
}
