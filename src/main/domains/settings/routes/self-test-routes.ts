import type { SelfTest } from '../../../self-test/self-test.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of the self-test: started by a page, answered by pages, stopped by any page. */
export const selfTestHandlers = (
  selfTest: Pick<SelfTest, 'state' | 'start' | 'cancel' | 'answer'>,
): Pick<Handlers, 'selfTest.state' | 'selfTest.start' | 'selfTest.cancel' | 'selfTest.answer'> => ({
  'selfTest.state': () => selfTest.state(),
  'selfTest.start': (request) => selfTest.start(request),
  'selfTest.cancel': () => selfTest.cancel(),
  'selfTest.answer': ({ runId, check, outcome: { values, ...outcome } }) => {
    selfTest.answer(runId, check, { ...outcome, ...(values && { values }) })
    return {}
  },
})
