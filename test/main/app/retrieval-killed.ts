// Runs a test set and kills itself at its third answer. argv: home, account ID, key, set ID, knowledge base ID, when.
import { keychainWith, testApp } from '../../fixtures/app.ts'
import { settingsOf } from './retrieval-setup.ts'

const [home = '', accountId = '', key = '', setId = '', baseId = '', when = ''] =
  process.argv.slice(2)
const keychain = await keychainWith(home, accountId, key)
const lectern = await testApp({ home, keychain })
let read = 0
const end = lectern.until(({ channel, event }) => {
  if (channel !== 'app') return false
  if (event.type === 'activity.added' && event.call.operation === 'knowledge.retrieve') read += 1
  const stored = event.type === 'retrieval.changed' && event.run.done === 3
  // Before any other code of this turn runs: the third answer is read, or stored, but not reported.
  const now = when === 'read' ? read === 3 : stored
  if (now) process.kill(process.pid, 'SIGKILL')
  return now
})
await lectern.call('retrieval.start', {
  setId,
  accountId,
  settings: settingsOf(baseId, { rerank: 'off' }),
})
await end
